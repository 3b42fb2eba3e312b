import { CRITERIA_KINDS } from '../src/spec/criteria.ts';
import { configFile, specFile } from '../src/spec/schema.ts';
import { type JsonSchema, jsonSchemaOf } from './spec-schema.ts';

/** `docs/spec.md`: prose around tables that are made from the schema. */
export function specDocs(): string {
  const spec = jsonSchemaOf(specFile);
  const sections = Object.entries(spec.properties ?? {}).filter(([, schema]) => isSection(schema));
  return [
    HEAD,
    '## Top level\n',
    table(topRows(spec)),
    ...sections.map(([key, schema]) => sectionText(key, schema)),
    SUCCESS,
    criteriaTable(),
    GUARDS,
    CONFIG,
    table(rowsOf(jsonSchemaOf(configFile), '')),
  ]
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');
}

const HEAD = `<!-- Made by \`npm run schema\` from src/spec/schema.ts. Do not edit. -->
# The spec: every key

A spec is a \`.loop.yaml\` (or \`.json\`) file. It says what is to be done, which agent does it, and which checks decide.
The smallest one:

\`\`\`yaml
name: add-retry
requirements: |
  Add exponential backoff (at most 3 retries) to fetchUser(). Keep its signature.
driver:
  uses: command
  options: { command: my-agent --auto }
evaluators:
  - uses: command
    as: tests
    options: { command: npm test }
\`\`\`

Rules of reading:

- An unknown key is an error, with the nearest known key as a hint, at every level. Keys that begin with \`x-\` are free, as is the inside of \`task\` and \`stack\`.
  The inside of \`options\` belongs to the plug-in, which checks it before anything is run.
- A value of the wrong type is an error that names its place: \`"3"\` is no number, and 0 is no limit.
- All problems of a file are told at once, each with file, line and column. Names of drivers, checks and observers and their options are looked up after that: there the first that is wrong is told, with all that is wrong with its options.
- Keys of later versions that would change the judgement are errors in this version, not silence.
- Times are in milliseconds. Paths are relative to the spec file; \`--base\` stands in for its folder where the workspace is meant.

Editors complete and check a spec that begins with this line (the path leads to the installed package):

\`\`\`yaml
# yaml-language-server: $schema=./node_modules/loop-generator/schema/loop.schema.json
\`\`\`
`;

const SUCCESS = `
## Success

\`success\` is one criterion, or a tree of them. A check that could not run meets no criterion, not even \`not\`.

\`\`\`yaml
success:
  type: all
  of:
    - { type: pass, evaluators: [tests, types] }
    - { type: score, evaluator: coverage, gte: 0.9 }
    - type: not
      of: { type: pass, evaluators: [legacy] }
\`\`\`
`;

const GUARDS = `
## Guards

What judges must not be edited: the spec, the files that a check's command names and that judge by their name, and the paths in \`guard\`.

| reaction | the edit | the run |
|---|---|---|
| \`error\` | is put back, kept as a patch and told to the agent | goes on; an iteration that is green *and* had such an edit ends it \`spec-tampered\` or \`evaluator-tampered\` |
| \`revert\` | is put back, kept as a patch and told to the agent | goes on; such an iteration may be green |
| \`warn\` | stays | goes on; a green has a caveat |
| \`off\` | stays | there is no rule |
`;

const CONFIG = `
## Configuration files

\`loopgen.config.json\`, \`loopgen.config.yaml\` or the key \`loopgen\` of a \`package.json\`, the nearest in the spec's folder or above it, sets what a spec does not say.
Under it counts \`~/.config/loopgen/config.{json,yaml}\`. Each key comes whole from the first file that has it.
`;

interface Row {
  readonly key: string;
  readonly type: string;
  readonly fallback: string;
  readonly meaning: string;
}

function isSection(schema: JsonSchema): boolean {
  return schema.properties !== undefined || schema.items?.properties !== undefined;
}

function sectionText(key: string, schema: JsonSchema): string {
  const list = schema.items !== undefined;
  const rows = rowsOf(list ? (schema.items ?? {}) : schema, list ? `${key}[]` : key);
  return `\n## \`${list ? `${key}[]` : key}\`\n\n${schema.description ?? ''}\n\n${table(rows)}`;
}

function topRows(spec: JsonSchema): Row[] {
  return Object.entries(spec.properties ?? {}).map(([key, schema]) =>
    rowOf(key, schema, required(spec, key)),
  );
}

/** The keys of a mapping, and of mappings inside it, by their whole path. */
function rowsOf(schema: JsonSchema, prefix: string): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    const path = prefix === '' ? key : `${prefix}.${key}`;
    const row = rowOf(path, value, required(schema, key));
    // A driver inside something else has the keys of `driver`.
    if (key === 'driver') return [{ ...row, type: 'mapping, as `driver`' }];
    const inner = value.items?.properties ? rowsOf(value.items, `${path}[]`) : rowsOf(value, path);
    return [row, ...inner];
  });
}

function required(parent: JsonSchema, key: string): boolean {
  return parent.required?.includes(key) ?? false;
}

function rowOf(key: string, schema: JsonSchema, isRequired: boolean): Row {
  const fallback = isRequired ? 'required' : defaultOf(schema);
  return { key, type: typeOf(schema), fallback, meaning: schema.description ?? '' };
}

function defaultOf(schema: JsonSchema): string {
  if (schema.default === undefined || isSection(schema)) return '';
  const { default: value } = schema;
  return typeof value === 'string' ? `\`${value}\`` : `\`${JSON.stringify(value)}\``;
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  object: 'mapping',
  boolean: 'true or false',
};

function typeOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (schema.$ref !== undefined || schema.allOf || schema.oneOf) return 'criterion';
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`;
  return WORDS[schema.type ?? ''] ?? 'any';
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(
    (row) => `| \`${row.key}\` | ${row.type} | ${row.fallback} | ${cell(row.meaning)} |`,
  );
  return ['| key | type | default | meaning |', '|---|---|---|---|', ...lines, ''].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function criteriaTable(): string {
  const lines = Object.entries(CRITERIA_KINDS).map(([kinds, schema]) => {
    const { properties = {}, required: needed = [] } = jsonSchemaOf(schema);
    const keys = Object.entries(properties).filter(([key]) => key !== 'type');
    const told = keys.map(([key, value]) => {
      const optional = needed.includes(key) ? '' : ', optional';
      return `\`${key}\` (${typeOf(value)}${optional}): ${value.description ?? ''}`;
    });
    const names = kinds.split(', ').map((kind) => `\`${kind}\``);
    return `| ${names.join(', ')} | ${cell(properties['type']?.description ?? '')} | ${cell(told.join(' '))} |`;
  });
  return ['| type | is met when | keys |', '|---|---|---|', ...lines, ''].join('\n');
}
