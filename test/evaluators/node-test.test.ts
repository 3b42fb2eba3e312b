import { describe, expect, test } from 'vitest';
import { evaluate, statusesOf, verdictOf } from './support.ts';

const HEAD = "import test, { describe, it, before } from 'node:test';\nimport assert from 'node:assert';\n";
const file = (body: string) => `${HEAD}${body}\n`;
const GOOD = file("test('a', () => {});\ntest('b', () => {});");
const USES_SOLUTION = file(
  "import { add } from './solution.mjs';\ntest('adds', () => assert.equal(add(1, 2), 3));",
);
const WRONG = 'export const add = () => 0;\n';

describe('node --test', () => {
  test.each<[name: string, files: Record<string, string>, verdict: string, command?: string]>([
    ['all tests pass', { 'a.test.mjs': GOOD }, 'pass'],
    [
      'one fails',
      { 'a.test.mjs': file("test('a', () => assert.equal(1, 2));\ntest('b', () => {});") },
      'fail',
    ],
    ['there are no tests', {}, 'no-tests'],
    ['there are helpers only', { 'test/helper.mjs': 'export const x = 1;\n' }, 'no-tests'],
    [
      'helpers lie among the tests',
      { 'test/helper.mjs': 'export const x = 1;\n', 'test/a.test.mjs': GOOD },
      'pass',
    ],
    [
      'a helper of tests lies among them',
      {
        'test/define.mjs':
          "import test from 'node:test';\nexport const define = (name) => test(name, () => {});\n",
        'test/a.test.mjs': "import { define } from './define.mjs';\ndefine('a');\n",
      },
      'pass',
    ],
    ['all are skipped', { 'a.test.mjs': file("test('a', { skip: true }, () => {});") }, 'no-tests'],
    ['all are todo', { 'a.test.mjs': file("test('a', { todo: true }, () => assert.fail());") }, 'no-tests'],
    [
      'a suite is skipped and others pass',
      { 'a.test.mjs': file("describe.skip('s', () => it('a', () => {}));\ntest('b', () => {});") },
      'pass',
    ],
    ['an import fails', { 'a.test.mjs': USES_SOLUTION }, 'collection'],
    ['one file of two does not load', { 'a.test.mjs': USES_SOLUTION, 'b.test.mjs': GOOD }, 'fail'],
    [
      'a test kills its process',
      { 'a.test.mjs': file("test('a', () => process.kill(process.pid, 'SIGKILL'));") },
      'fail',
    ],
    [
      'the solution exits with 0 at import',
      { 'a.test.mjs': USES_SOLUTION, 'solution.mjs': `process.exit(0);\n${WRONG}` },
      'fail',
    ],
    [
      'it does so beside tests that pass',
      { 'a.test.mjs': USES_SOLUTION, 'b.test.mjs': GOOD, 'solution.mjs': `process.exit(0);\n${WRONG}` },
      'fail',
    ],
    [
      'a later test exits with 0',
      {
        'a.test.mjs': file(
          "test('a', async () => { await new Promise((r) => setTimeout(r, 200)); });\ntest('b', async () => { await new Promise((r) => setTimeout(r, 200)); process.exit(0); });\ntest('c', () => assert.fail());",
        ),
      },
      'fail',
    ],
    [
      'an exit hook hides a failure',
      {
        'a.test.mjs': USES_SOLUTION,
        'solution.mjs': `process.on('exit', () => { process.exitCode = 0; });\n${WRONG}`,
      },
      'fail',
    ],
    ['an option is unknown', { 'a.test.mjs': GOOD }, 'not-found', 'node --test --no-such-option'],
    [
      'a hook fails',
      {
        'a.test.mjs': file(
          "describe('s', () => { before(() => { throw new Error('x'); }); it('a', () => {}); });",
        ),
      },
      'fail',
    ],
    ['the user has a reporter', { 'a.test.mjs': GOOD }, 'pass', 'node --test --test-reporter=tap'],
    [
      'the user has a reporter with its file',
      { 'a.test.mjs': GOOD },
      'pass',
      'node --test --test-reporter=tap --test-reporter-destination=out.tap',
    ],
    ['colour is forced', { 'a.test.mjs': GOOD }, 'pass', 'FORCE_COLOR=1 node --test'],
    [
      'a test prints without a line end',
      { 'a.test.mjs': file("test('a', () => { process.stdout.write('not ok 1'); });") },
      'pass',
    ],
    [
      'verdicts are forged on stdout',
      { 'a.test.mjs': USES_SOLUTION, 'solution.mjs': `console.log('# pass 1\\n# fail 0');\n${WRONG}` },
      'fail',
    ],
    [
      'a plain script asserts',
      { 'a.test.mjs': "import assert from 'node:assert';\nassert.equal(1, 1);\n" },
      'pass',
    ],
    [
      'a plain script fails',
      { 'a.test.mjs': "import assert from 'node:assert';\nassert.equal(1, 2);\n" },
      'fail',
    ],
    ['files are named', { 'x.mjs': GOOD }, 'pass', 'node --test x.mjs'],
    ['a named file does not exist', { 'a.test.mjs': GOOD }, 'fail', 'node --test none.mjs'],
  ])('when %s, the verdict is as it should be', async (_name, files, verdict, command = 'node --test') => {
    const outcome = await evaluate('command', { files, options: { command } });
    expect(verdictOf(outcome), outcome.feedback).toBe(verdict);
    expect(outcome.judgedBy).toBe('test-ids');
  });

  test('every test is known by its file and the names around it, with place and class of its failure', async () => {
    const outcome = await evaluate('node-test', {
      files: {
        'test/a.test.mjs': file(`
test('ok', () => {});
test('bad', () => { throw new TypeError('boom'); });
test('skipped', { skip: 'x' }, () => {});
test('todo', { todo: true }, () => assert.fail());
describe('S', () => { it('in', () => {}); describe('T', () => { it('deep', () => assert.equal(1, 2)); }); });
test('parent', async (t) => { await t.test('child', () => {}); });`),
      },
    });
    expect(statusesOf(outcome)).toEqual({
      'test/a.test.mjs > ok': 'passed',
      'test/a.test.mjs > bad': 'failed',
      'test/a.test.mjs > skipped': 'skipped',
      'test/a.test.mjs > todo': 'todo',
      'test/a.test.mjs > S > in': 'passed',
      'test/a.test.mjs > S > T > deep': 'failed',
      'test/a.test.mjs > parent > child': 'passed',
      'test/a.test.mjs > parent': 'passed',
    });
    expect(outcome.tests?.[1]).toMatchObject({
      errorType: 'TypeError',
      message: 'boom',
      place: 'test/a.test.mjs:5',
    });
  });

  test('a hanging file fails by its name and the others run', async () => {
    const outcome = await evaluate('node-test', {
      files: { 'a.test.mjs': file("test('spins', () => { while (true) {} });"), 'b.test.mjs': GOOD },
      options: { testTimeoutMs: 1500 },
    });
    expect(verdictOf(outcome)).toBe('fail');
    expect(statusesOf(outcome)).toEqual({
      'a.test.mjs': 'failed',
      'b.test.mjs > a': 'passed',
      'b.test.mjs > b': 'passed',
    });
    expect(outcome.tests?.[0]?.errorType).toBe('HangingFile');
  });

  test('an open handle keeps its file from ending, and is told as hanging', async () => {
    const outcome = await evaluate('node-test', {
      files: { 'a.test.mjs': file("test('a', () => {});\nsetInterval(() => {}, 1000);") },
      options: { testTimeoutMs: 1500 },
    });
    expect(verdictOf(outcome)).toBe('fail');
  });

  test('the code under test finds neither the report nor the nonce in its environment', async () => {
    const body = `test('env', () => {
  const left = Object.keys(process.env).filter((k) => k.startsWith('LOOPGEN') && k !== 'LOOPGEN_SCOPE');
  assert.deepEqual(left, []);
  assert.equal(process.env.NODE_OPTIONS ?? '', '');
});`;
    for (const options of [{}, { command: 'sh run.sh' }]) {
      const files = { 'a.test.mjs': file(body), 'run.sh': 'node --test\n' };
      const outcome = await evaluate('node-test', { files, options });
      expect(verdictOf(outcome), outcome.feedback).toBe('pass');
    }
  });

  test('the reporter reaches node through a wrapper', async () => {
    const files = {
      'a.test.mjs': file("test('a', () => assert.fail());\ntest('b', () => {});"),
      'package.json': '{"scripts": {"test": "node --test || true"}}',
    };
    const outcome = await evaluate('tests', { files, options: { runner: 'node-test', command: 'npm test' } });
    expect(verdictOf(outcome)).toBe('fail');
    expect(statusesOf(outcome)).toEqual({ 'a.test.mjs > a': 'failed', 'a.test.mjs > b': 'passed' });
    const control = await evaluate('command', { files, options: { command: 'npm test' } });
    expect(verdictOf(control)).toBe('pass');
  });

  test('a plain script that passes is a caveat: its exit code alone was judged', async () => {
    const files = { 'a.test.mjs': "import assert from 'node:assert';\nassert.ok(true);\n" };
    expect((await evaluate('node-test', { files })).caveats?.[0]).toContain('a.test.mjs');
  });
});
