import { describe, expect, test } from 'vitest';
import { hasTool } from '../support/tools.ts';
import { evaluate, statusesOf, verdictOf } from './support.ts';

const COMMAND = 'node_modules/.bin/mocha';
const GOOD = "it('a', () => {});\nit('b', () => {});\n";
const file = (body: string) => `const assert = require('node:assert');\n${body}\n`;
const USES_SOLUTION = file(
  "const { add } = require('../solution');\nit('adds', () => assert.equal(add(1, 2), 3));",
);
const WRONG = 'exports.add = () => 0;\n';

const run = (files: Record<string, string>, command = COMMAND, canary = false) =>
  evaluate('command', {
    files: { 'package.json': '{}', ...files },
    options: { command },
    nodeModules: 'tools',
    ...(canary && { canary }),
  });

describe.skipIf(!hasTool('mocha'))('mocha [needs mocha]', () => {
  test.each<[name: string, files: Record<string, string>, verdict: string, command?: string]>([
    ['all tests pass', { 'test/a.js': GOOD }, 'pass'],
    ['one fails', { 'test/a.js': file(`${GOOD}it('c', () => assert.equal(1, 2));`) }, 'fail'],
    ['there are no files', {}, 'no-tests'],
    ['the files have no tests', { 'test/a.js': '' }, 'no-tests'],
    ['a file that is named does not exist', {}, 'no-tests', `${COMMAND} test/none.js`],
    ['all are skipped', { 'test/a.js': "it.skip('a', () => {});" }, 'no-tests'],
    ['all are without a body', { 'test/a.js': "it('a');" }, 'no-tests'],
    ['no name is as asked for', { 'test/a.js': GOOD }, 'no-tests', `${COMMAND} --grep nothing`],
    ['nothing is really run', { 'test/a.js': GOOD, '.mocharc.json': '{"dry-run": true}' }, 'no-tests'],
    ['an import fails', { 'test/a.js': USES_SOLUTION }, 'collection'],
    ['a file does not parse', { 'test/a.js': 'it(' }, 'collection'],
    ['one file of two does not load', { 'test/a.js': GOOD, 'test/b.js': USES_SOLUTION }, 'collection'],
    [
      'a test kills its process',
      { 'test/a.js': "it('a', () => process.kill(process.pid, 'SIGKILL'));" },
      'crash',
    ],
    [
      'the solution exits with 0 at import',
      { 'test/a.js': USES_SOLUTION, 'solution.js': `process.exit(0);\n${WRONG}` },
      'no-report',
    ],
    ['a test exits with 0', { 'test/a.js': "it('a', () => process.exit(0));" }, 'no-report'],
    [
      'an exit hook makes the code 0',
      {
        'test/a.js': USES_SOLUTION,
        'solution.js': `process.on('exit', () => process.reallyExit(0));\n${WRONG}`,
      },
      'fail',
    ],
    [
      'an error comes late',
      {
        'test/a.js':
          "it('a', () => { setTimeout(() => { throw new Error('late'); }, 5); });\nit('b', (done) => { setTimeout(done, 50); });",
      },
      'fail',
    ],
    ['a hook fails', { 'test/a.js': `before(() => { throw new Error('hook'); });\n${GOOD}` }, 'fail'],
    ['the last hook fails', { 'test/a.js': `after(() => { throw new Error('hook'); });\n${GOOD}` }, 'fail'],
    [
      'a set-up file fails',
      { 'test/a.js': GOOD, 'setup.js': "throw new Error('set-up');" },
      'no-report',
      `${COMMAND} --require ./setup.js`,
    ],
    ['the configuration is broken', { 'test/a.js': GOOD, '.mocharc.json': '{' }, 'no-report'],
    [
      'files are named',
      { 'test/a.js': GOOD, 'test/b.js': file("it('x', () => assert.fail());") },
      'pass',
      `${COMMAND} test/a.js`,
    ],
    [
      'the user has a reporter',
      { 'test/a.js': GOOD },
      'pass',
      `${COMMAND} -R dot --reporter-option x=1 test`,
    ],
    ['the user has a reporter, said otherwise', { 'test/a.js': GOOD }, 'pass', `${COMMAND} --reporter=min`],
    [
      'mocha is called by node',
      { 'test/a.js': GOOD },
      'pass',
      'node --no-warnings node_modules/mocha/bin/mocha.js',
    ],
    [
      'the configuration has a reporter and colour is forced',
      { 'test/a.js': GOOD, '.mocharc.yml': 'reporter: json\ncolor: true\n' },
      'pass',
      `FORCE_COLOR=1 ${COMMAND}`,
    ],
    [
      'tests are modules',
      {
        'test/a.mjs':
          "import assert from 'node:assert';\nimport { add } from '../solution.mjs';\nit('adds', () => assert.equal(add(1, 2), 3));\n",
        'solution.mjs': 'export const add = (a, b) => a + b;\n',
      },
      'pass',
      `${COMMAND} 'test/*.mjs'`,
    ],
    [
      'a module does not load',
      { 'test/a.mjs': "import '../none.mjs';\nit('a', () => {});\n" },
      'collection',
      `${COMMAND} 'test/*.mjs'`,
    ],
    ['the files run in parallel', { 'test/a.js': GOOD, 'test/b.js': GOOD }, 'pass', `${COMMAND} --parallel`],
    [
      'one of the parallel files fails',
      { 'test/a.js': GOOD, 'test/b.js': file("it('x', () => assert.fail());") },
      'fail',
      `${COMMAND} --parallel`,
    ],
    [
      'a suite is left out by its hook',
      {
        'test/a.js': `describe('s', () => { before(function () { this.skip(); });\n${GOOD}describe('t', () => { it('c', () => {}); }); });\nit('d', () => {});`,
      },
      'pass',
    ],
    [
      'verdicts are forged on stdout',
      {
        'test/a.js': USES_SOLUTION,
        'solution.js': `process.stdout.write('  1 passing (2ms)\\n');\n${WRONG}`,
      },
      'fail',
    ],
  ])('when %s, the verdict is as it should be', async (_name, files, verdict, command) => {
    const outcome = await run(files, command);
    expect(verdictOf(outcome), outcome.feedback).toBe(verdict);
    expect(outcome.judgedBy).toBe('test-ids');
  });

  test('every test is known by its file and the names around it, with place and class of its failure', async () => {
    const outcome = await run({
      'test/a.js': `
it('ok', () => {});
it('bad', () => { throw new TypeError('boom'); });
it.skip('skipped', () => {});
it('todo');
describe('S', () => { beforeEach('prepare', () => { throw new Error('hook'); }); it('never', () => {}); });
`,
    });
    expect(statusesOf(outcome)).toEqual({
      'test/a.js > ok': 'passed',
      'test/a.js > bad': 'failed',
      'test/a.js > skipped': 'skipped',
      'test/a.js > todo': 'skipped',
      'test/a.js > S > "before each" hook: prepare for "never"': 'failed',
    });
    expect(outcome.tests?.[1]).toMatchObject({
      file: 'test/a.js',
      errorType: 'TypeError',
      message: 'boom',
      place: 'test/a.js:3',
    });
  });

  test('a file that does not load is named, with what it said', async () => {
    const outcome = await run({ 'test/a.js': USES_SOLUTION });
    expect(outcome.tests).toMatchObject([{ id: 'test/a.js', status: 'error' }]);
    expect(outcome.feedback).toContain("Cannot find module '../solution'");
  });

  test('where one test is marked `only`, the others do not run', async () => {
    const outcome = await run({ 'test/a.js': "it.only('a', () => {});\nit('b', () => {});" });
    expect(statusesOf(outcome)).toEqual({ 'test/a.js > a': 'passed' });
  });

  test('a test that passed only after a retry is told, and is no pass where the green is confirmed', async () => {
    const flaky = file("let n = 0;\nit('a', function () { this.retries(2); n += 1; assert.equal(n, 2); });");
    const outcome = await run({ 'test/a.js': flaky });
    expect(verdictOf(outcome), outcome.feedback).toBe('pass');
    expect(outcome.caveats?.[0]).toContain('after being tried again');
    expect(verdictOf(await run({ 'test/a.js': flaky }, COMMAND, true))).toBe('fail');
  });

  test('several failures beside the one that has to fail are no complaint about the runner', async () => {
    const failing = file("it('a', () => assert.fail());\nit('b', () => assert.fail());\nit('c', () => {});");
    const outcome = await run({ 'test/a.js': failing }, COMMAND, true);
    expect(outcome.canary).toBe('right');
    expect(outcome.exitCode).toBe(3);
  });

  test('in parallel workers no test is added, which is said', async () => {
    const outcome = await run({ 'test/a.js': GOOD }, `${COMMAND} --parallel`, true);
    expect(outcome).toMatchObject({ canary: 'none', canaryBecause: 'the tests run in parallel workers' });
  });

  test('mocha that is not installed is told as that', async () => {
    const outcome = await evaluate('mocha', {
      files: { 'package.json': '{}', 'test/a.js': GOOD },
      options: { command: 'npx --no-install mocha' },
    });
    expect(verdictOf(outcome), outcome.feedback).toBe('not-found');
  });

  test('a suite that hangs times out as a whole, with the test that ran', async () => {
    const outcome = await evaluate('mocha', {
      files: { 'package.json': '{}', 'test/a.js': "it('spins', () => { while (true) {} });" },
      options: { command: COMMAND },
      nodeModules: 'tools',
      timeoutMs: 10_000,
    });
    expect(verdictOf(outcome)).toBe('timeout');
    expect(outcome.feedback).toContain('the test that ran: test/a.js > spins');
  });

  test('the code under test finds nothing of loopgen in its environment', async () => {
    const body = file(
      "it('a', () => assert.deepEqual(Object.keys(process.env).filter((k) => k.startsWith('LOOPGEN') && !k.startsWith('LOOPGEN_SCOPE')), []));",
    );
    expect(verdictOf(await run({ 'test/a.js': body }))).toBe('pass');
    expect(verdictOf(await run({ 'test/a.js': body }, `${COMMAND} --parallel`))).toBe('pass');
  });
});
