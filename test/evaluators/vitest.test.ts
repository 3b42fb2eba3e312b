import { describe, expect, test } from 'vitest';
import { evaluate, statusesOf, verdictOf } from './support.ts';

const COMMAND = 'node_modules/.bin/vitest run';
const file = (body: string) => `import { beforeAll, describe, expect, test } from 'vitest';\n${body}\n`;
const GOOD = file("test('a', () => {});\ntest('b', () => {});");
const USES_SOLUTION = file(
  "import { add } from './solution.js';\ntest('adds', () => { expect(add(1, 2)).toBe(3); });",
);
const WRONG = 'export const add = () => 0;\n';
const MANIFEST = { 'package.json': '{"type": "module"}' };

const run = (files: Record<string, string>, command = COMMAND) =>
  evaluate('command', { files: { ...MANIFEST, ...files }, options: { command }, nodeModules: true });

describe('vitest', () => {
  test.each<[name: string, files: Record<string, string>, verdict: string, command?: string]>([
    ['all tests pass', { 'a.test.js': GOOD }, 'pass'],
    ['one fails', { 'a.test.js': file("test('a', () => expect(1).toBe(2));\ntest('b', () => {});") }, 'fail'],
    ['there are no tests', {}, 'no-tests'],
    ['all are skipped', { 'a.test.js': file("test.skip('a', () => {});") }, 'no-tests'],
    ['all are todo', { 'a.test.js': file("test.todo('a');") }, 'no-tests'],
    [
      'all are marked to fail',
      { 'a.test.js': file("test.fails('a', () => { throw new Error('as marked'); });") },
      'no-tests',
    ],
    ['a test passes that was to fail', { 'a.test.js': file("test.fails('a', () => {});") }, 'fail'],
    ['an import fails', { 'a.test.js': USES_SOLUTION }, 'collection'],
    ['one file of two does not load', { 'a.test.js': USES_SOLUTION, 'b.test.js': GOOD }, 'fail'],
    [
      'a test kills its worker',
      { 'a.test.js': file("test('a', () => process.kill(process.pid, 'SIGKILL'));") },
      'fail',
    ],
    [
      'the solution exits with 0 at import',
      { 'a.test.js': USES_SOLUTION, 'solution.js': `process.exit(0);\n${WRONG}` },
      'collection',
    ],
    [
      'the worker really exits with 0 at import',
      { 'a.test.js': USES_SOLUTION, 'b.test.js': GOOD, 'solution.js': `process.reallyExit(0);\n${WRONG}` },
      'fail',
    ],
    [
      'an error comes late',
      {
        'a.test.js': file(
          "test('a', () => { setTimeout(() => { throw new Error('late'); }, 5); });\ntest('b', () => new Promise((r) => setTimeout(r, 50)));",
        ),
      },
      'fail',
    ],
    [
      'a hook fails',
      { 'a.test.js': file("beforeAll(() => { throw new Error('hook'); });\ntest('a', () => {});") },
      'fail',
    ],
    ['an option is unknown', { 'a.test.js': GOOD }, 'no-report', `${COMMAND} --no-such-option`],
    ['it is started without run', { 'a.test.js': GOOD }, 'pass', 'node_modules/.bin/vitest'],
    [
      'files are named',
      { 'a.test.js': GOOD, 'b.test.js': file("test('x', () => expect(1).toBe(2));") },
      'pass',
      `${COMMAND} a.test.js`,
    ],
    ['the user has a reporter', { 'a.test.js': GOOD }, 'pass', `${COMMAND} --reporter=verbose`],
    [
      'the configuration has a reporter and colour is forced',
      { 'a.test.js': GOOD, 'vitest.config.js': "export default { test: { reporters: ['tap'] } };\n" },
      'pass',
      `FORCE_COLOR=1 ${COMMAND}`,
    ],
    ['passing without tests is allowed', {}, 'no-tests', `${COMMAND} --passWithNoTests`],
    [
      'verdicts are forged on stdout',
      { 'a.test.js': USES_SOLUTION, 'solution.js': `console.log('Tests  1 passed (1)');\n${WRONG}` },
      'fail',
    ],
  ])('when %s, the verdict is as it should be', async (_name, files, verdict, command) => {
    const outcome = await run(files, command);
    expect(verdictOf(outcome), outcome.feedback).toBe(verdict);
    expect(outcome.judgedBy).toBe('test-ids');
  });

  test('every test is known by its file and the names around it, with place and class of its failure', async () => {
    const outcome = await run({
      'src/a.test.js': file(`
test('ok', () => {});
test('bad', () => { throw new TypeError('boom'); });
test.skip('skipped', () => {});
test.todo('todo');
test.fails('fails', () => { throw new Error('as marked'); });
describe('S', () => { test.each([1, 2])('each %i', (n) => expect(n).toBe(1)); });`),
    });
    expect(statusesOf(outcome)).toEqual({
      'src/a.test.js > ok': 'passed',
      'src/a.test.js > bad': 'failed',
      'src/a.test.js > skipped': 'skipped',
      'src/a.test.js > todo': 'todo',
      'src/a.test.js > fails': 'xfailed',
      'src/a.test.js > S > each 1': 'passed',
      'src/a.test.js > S > each 2': 'failed',
    });
    expect(outcome.tests?.[1]).toMatchObject({
      errorType: 'TypeError',
      message: 'boom',
      place: 'src/a.test.js:4',
    });
  });

  test('`tests passed, runner exited 1` is said where an error came late', async () => {
    const late =
      "test('a', () => { setTimeout(() => { throw new Error('late'); }, 5); });\ntest('b', () => new Promise((r) => setTimeout(r, 50)));";
    expect((await run({ 'a.test.js': file(late) })).feedback).toContain(
      'the tests passed, but the runner exited 1',
    );
  });

  test('vitest that is not installed is told as that', async () => {
    const outcome = await evaluate('vitest', {
      files: { ...MANIFEST, 'a.test.js': GOOD },
      options: { command: 'npx --no-install vitest run' },
    });
    expect(verdictOf(outcome), outcome.feedback).toBe('not-found');
  });

  test('a suite that hangs times out as a whole', async () => {
    const outcome = await evaluate('vitest', {
      files: { ...MANIFEST, 'a.test.js': file("test('spins', () => { while (true) {} });") },
      options: { command: COMMAND },
      nodeModules: true,
      timeoutMs: 4000,
    });
    expect(verdictOf(outcome)).toBe('timeout');
  });
});
