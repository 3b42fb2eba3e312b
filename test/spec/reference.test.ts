import { expect, test } from 'vitest';
import { loadSpecText } from '../../src/spec/load.ts';

const FULL = `
version: 1
name: retry-on-fetch
task:
  type: function
stack:
  language: typescript
  packageManager: npm
workspace:
  dir: ./service         # beside this file
  snapshot: none         # none | git
  ignore: []             # more globs that are no work
requirements: |
  Let fetchUser() try again, at most 3 times, with growing pauses.
  Keep its signature.
driver:
  uses: claude-agent-sdk
  options:
    model: some-model
    maxTurns: 30
evaluators:
  - uses: command
    as: tests
    options: { command: npm test }
  - uses: command
    as: typecheck
    options: { command: npx tsc --noEmit }
success:
  type: all-pass
limits:
  maxIterations: 6
  baseline: strict
  specGuard: error
  evaluatorGuard: error
  maxCostUsd: 5.0
  maxTokens: 2000000
evaluation:
  concurrency: 1
observability:
  observers:
    - uses: jsonl
      options: { file: trace.jsonl }
`;

test('a spec of the well-known shape loads as it is', () => {
  const { spec, notices } = loadSpecText(FULL, 'retry.loop.yaml');
  expect(notices).toEqual([]);
  expect(spec).toMatchObject({
    version: 1,
    name: 'retry-on-fetch',
    requirements: 'Let fetchUser() try again, at most 3 times, with growing pauses.\nKeep its signature.\n',
    stack: { language: 'typescript', packageManager: 'npm' },
    workspace: { dir: './service', mode: 'in-place', snapshot: 'none', ignore: [] },
    driver: { uses: 'claude-agent-sdk', options: { model: 'some-model', maxTurns: 30 }, session: 'resume' },
    evaluators: [
      { name: 'tests', options: { command: 'npm test' } },
      { name: 'typecheck', options: { command: 'npx tsc --noEmit' } },
    ],
    success: { type: 'all-pass' },
    limits: { maxIterations: 6, baseline: 'strict', maxCostUsd: 5, maxTokens: 2_000_000 },
    observability: { observers: [{ uses: 'jsonl', name: 'jsonl', options: { file: 'trace.jsonl' } }] },
  });
});

test.each([
  ['CRLF line ends', FULL.replaceAll('\n', '\r\n')],
  ['a byte order mark', `\uFEFF${FULL}`],
  ['both of them', `\uFEFF${FULL.replaceAll('\n', '\r\n')}`],
  ['no line end at the end', FULL.trimEnd()],
])('it reads the same with %s', (_, text) => {
  expect(loadSpecText(text, 'a.loop.yaml').spec).toEqual(loadSpecText(FULL, 'a.loop.yaml').spec);
});

test('it reads the same as JSON', () => {
  const { spec, source } = loadSpecText(FULL, 'a.loop.yaml');
  const json = JSON.stringify(source.value, null, '\t');
  expect(loadSpecText(json, 'a.loop.json').spec).toEqual(spec);
});
