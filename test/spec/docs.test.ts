import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { specDocs } from '../../scripts/spec-docs.ts';
import { type JsonSchema, jsonSchemaOf } from '../../scripts/spec-schema.ts';
import { CRITERIA_KINDS } from '../../src/spec/criteria.ts';
import { specFile } from '../../src/spec/schema.ts';

const root = new URL('../../', import.meta.url);
const schema = jsonSchemaOf(specFile, 'loopgen spec');

test('docs/spec.md is up to date (npm run schema)', async () => {
  expect(await readFile(new URL('docs/spec.md', root), 'utf8')).toBe(specDocs());
});

test('schema/loop.schema.json is up to date (npm run schema)', async () => {
  const written: unknown = JSON.parse(await readFile(new URL('schema/loop.schema.json', root), 'utf8'));
  expect(written).toEqual(JSON.parse(JSON.stringify(schema)));
});

const KEYS = [
  'version name description requirements setup protect allow candidates success',
  'task.type stack.language stack.framework stack.packageManager',
  'workspace.dir workspace.mode workspace.snapshot workspace.ignore workspace.revert',
  'driver.uses driver.options driver.session escalate[].after escalate[].driver',
  'evaluators[].uses evaluators[].as evaluators[].options evaluators[].guard evaluators[].timeoutMs',
  'evaluators[].holdout[].from evaluators[].holdout[].to evaluators[].knownFailures',
  'limits.maxIterations limits.patience limits.iterationTimeoutMs limits.idleTimeoutMs limits.maxDurationMs',
  'limits.maxCostUsd limits.maxTokens limits.unknownUsage limits.baseline limits.baselineRuns',
  'limits.specGuard limits.evaluatorGuard limits.confirm limits.confirmRuns limits.suspicion',
  'evaluation.concurrency evaluation.network env.pass checkValidation.manifest',
  'observability.observers[].uses observability.observers[].as observability.observers[].options',
  'prompts.system prompts.initial prompts.iteration',
].flatMap((line) => line.split(' '));

test.each(KEYS)('%s has a description in the schema and a row in the documentation', async (key) => {
  expect(at(schema, key)?.description).toMatch(/\.$/);
  expect(specDocs()).toContain(`| \`${key}\` |`);
});

test('every key of the schema has a description and a row', () => {
  const docs = specDocs();
  for (const [key, value] of walk(schema, '')) {
    expect(value.description, key).toMatch(/\.$/);
    if (!key.startsWith('escalate[].driver.')) expect(docs).toContain(`| \`${key}\` |`);
  }
});

test('every kind of criterion has a row', () => {
  for (const kind of Object.keys(CRITERIA_KINDS).flatMap((kinds) => kinds.split(', '))) {
    expect(specDocs()).toMatch(new RegExp(`^\\| .*\`${kind}\``, 'm'));
  }
});

test('the schema refuses unknown keys and lets keys that begin with x- be', () => {
  expect(at(schema, 'limits')).toMatchObject({
    additionalProperties: false,
    patternProperties: { '^x-': {} },
  });
  expect(at(schema, 'task')).not.toMatchObject({ additionalProperties: false });
});

function at(from: JsonSchema, key: string): JsonSchema | undefined {
  return key.split('.').reduce<JsonSchema | undefined>((inner, step) => {
    const property = inner?.properties?.[step.replace('[]', '')];
    return step.endsWith('[]') ? property?.items : property;
  }, from);
}

function* walk(from: JsonSchema, prefix: string): Generator<[string, JsonSchema]> {
  for (const [key, value] of Object.entries(from.properties ?? {})) {
    const path = prefix + key;
    yield [path, value];
    yield* walk(value, `${path}.`);
    if (value.items) yield* walk(value.items, `${path}[].`);
  }
}
