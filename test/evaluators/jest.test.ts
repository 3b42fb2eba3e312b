import { describe, expect, test } from 'vitest';
import { hasTool } from '../support/tools.ts';
import { evaluate, statusesOf, verdictOf } from './support.ts';

const COMMAND = 'node_modules/.bin/jest';
const GOOD = "test('a', () => {});\ntest('b', () => {});\n";
const USES_SOLUTION =
  "const { add } = require('./solution');\ntest('adds', () => { expect(add(1, 2)).toBe(3); });\n";
const WRONG = 'exports.add = () => 0;\n';
const LATE =
  "test('a', () => { setTimeout(() => { throw new Error('late'); }, 5); });\ntest('b', () => new Promise((r) => setTimeout(r, 50)));\n";
const MANIFEST = { 'package.json': '{}' };

const run = (files: Record<string, string>, command = COMMAND, canary = false) =>
  evaluate('command', {
    files: { ...MANIFEST, ...files },
    options: { command },
    nodeModules: 'tools',
    ...(canary && { canary }),
  });

describe.skipIf(!hasTool('jest'))('jest [needs jest]', () => {
  test.each<[name: string, files: Record<string, string>, verdict: string, command?: string]>([
    ['all tests pass', { 'a.test.js': GOOD }, 'pass'],
    ['one fails', { 'a.test.js': `${GOOD}test('c', () => expect(1).toBe(2));` }, 'fail'],
    ['there are no tests', {}, 'no-tests'],
    ['passing without tests is allowed', {}, 'no-tests', `${COMMAND} --passWithNoTests`],
    ['all are skipped', { 'a.test.js': "test.skip('a', () => {});" }, 'no-tests'],
    ['all are todo', { 'a.test.js': "test.todo('a');" }, 'no-tests'],
    ['no name is as asked for', { 'a.test.js': GOOD }, 'no-tests', `${COMMAND} -t nothing`],
    ['an import fails', { 'a.test.js': USES_SOLUTION }, 'collection'],
    ['a file does not parse', { 'a.test.js': 'test(' }, 'collection'],
    ['one file of two does not load', { 'a.test.js': USES_SOLUTION, 'b.test.js': GOOD }, 'fail'],
    [
      'a test kills its process',
      { 'a.test.js': "test('a', () => process.kill(process.pid, 'SIGKILL'));" },
      'crash',
    ],
    [
      'the solution exits with 0 at import',
      { 'a.test.js': USES_SOLUTION, 'solution.js': `process.exit(0);\n${WRONG}` },
      'no-report',
    ],
    [
      'the process really exits with 0 at import',
      { 'a.test.js': USES_SOLUTION, 'b.test.js': GOOD, 'solution.js': `process.reallyExit(0);\n${WRONG}` },
      'no-report',
      `${COMMAND} -i`,
    ],
    [
      'an exit hook makes the code 0',
      {
        'a.test.js': USES_SOLUTION,
        'solution.js': `require('node:process').on('exit', () => process.reallyExit(0));\n${WRONG}`,
      },
      'fail',
    ],
    ['an error comes late', { 'a.test.js': LATE }, 'fail'],
    ['a hook fails', { 'a.test.js': `beforeAll(() => { throw new Error('hook'); });\n${GOOD}` }, 'fail'],
    [
      'the last hook fails',
      { 'a.test.js': `afterAll(() => { throw new Error('hook'); });\n${GOOD}` },
      'fail',
    ],
    [
      'an option is unknown, of which jest only warns',
      { 'a.test.js': GOOD },
      'pass',
      `${COMMAND} --nosuch=1`,
    ],
    [
      'the configuration is broken',
      { 'a.test.js': GOOD, 'jest.config.js': 'module.exports = {' },
      'no-report',
    ],
    [
      'files are named',
      { 'a.test.js': GOOD, 'b.test.js': "test('x', () => expect(1).toBe(2));" },
      'pass',
      `${COMMAND} a.test.js`,
    ],
    ['the user has reporters', { 'a.test.js': GOOD }, 'pass', `${COMMAND} --reporters=default --silent`],
    [
      'jest is called by node',
      { 'a.test.js': GOOD },
      'pass',
      'node --no-warnings node_modules/jest/bin/jest.js --ci',
    ],
    [
      'the configuration has a reporter and colour is forced',
      {
        'a.test.js': GOOD,
        'quiet.js': 'module.exports = class {};\n',
        'jest.config.js': "module.exports = { reporters: ['./quiet.js'] };\n",
      },
      'pass',
      `FORCE_COLOR=1 ${COMMAND}`,
    ],
    [
      'tests are modules',
      {
        'package.json': '{"type": "module"}',
        'a.test.js':
          "import { add } from './solution.js';\ntest('adds', () => { expect(add(1, 2)).toBe(3); });\n",
        'solution.js': 'export const add = (a, b) => a + b;\n',
        'jest.config.js': 'export default { transform: {} };\n',
      },
      'pass',
      `NODE_OPTIONS=--experimental-vm-modules ${COMMAND}`,
    ],
    [
      'a coverage limit is missed',
      { 'a.test.js': "require('./solution');\ntest('a', () => {});", 'solution.js': WRONG },
      'fail',
      `${COMMAND} --coverage --coverageThreshold='{"global":{"functions":100}}'`,
    ],
    [
      'verdicts are forged on stdout',
      {
        'a.test.js': USES_SOLUTION,
        'solution.js': `process.stdout.write('Tests: 1 passed, 1 total\\n');\n${WRONG}`,
      },
      'fail',
    ],
    [
      'a test passes that was to fail',
      { 'a.test.js': "test.failing('a', () => {});\ntest('b', () => {});" },
      'fail',
    ],
  ])('when %s, the verdict is as it should be', async (_name, files, verdict, command) => {
    const outcome = await run(files, command);
    expect(verdictOf(outcome), outcome.feedback).toBe(verdict);
    expect(outcome.judgedBy).toBe('test-ids');
  });

  test('every test is known by its file and the names around it, with place and class of its failure', async () => {
    const outcome = await run({
      'src/a.test.js': `
test('ok', () => {});
test('bad', () => { throw new TypeError('boom'); });
test.skip('skipped', () => {});
test.todo('todo');
describe('S', () => { test.each([1, 2])('each %i', (n) => { expect(n).toBe(1); }); });
`,
    });
    expect(statusesOf(outcome)).toEqual({
      'src/a.test.js > ok': 'passed',
      'src/a.test.js > bad': 'failed',
      'src/a.test.js > skipped': 'skipped',
      'src/a.test.js > todo': 'todo',
      'src/a.test.js > S > each 1': 'passed',
      'src/a.test.js > S > each 2': 'failed',
    });
    expect(outcome.tests?.[1]).toMatchObject({
      file: 'src/a.test.js',
      errorType: 'TypeError',
      message: 'boom',
      place: 'src/a.test.js:3',
    });
  });

  test('where one test is marked `only`, the others are not run and no passes', async () => {
    const outcome = await run({ 'a.test.js': "test.only('a', () => {});\ntest('b', () => {});" });
    expect(statusesOf(outcome)).toEqual({ 'a.test.js > a': 'passed', 'a.test.js > b': 'skipped' });
  });

  test('a test that passed only after a retry is told, and is no pass where the green is confirmed', async () => {
    const flaky = "jest.retryTimes(2);\nlet n = 0;\ntest('a', () => { n += 1; expect(n).toBe(2); });";
    const outcome = await run({ 'a.test.js': flaky });
    expect(verdictOf(outcome), outcome.feedback).toBe('pass');
    expect(outcome.caveats?.[0]).toContain('after being tried again');
    expect(verdictOf(await run({ 'a.test.js': flaky }, COMMAND, true))).toBe('fail');
  });

  test('`tests passed, runner exited 1` is said where only the code speaks against them', async () => {
    const files = {
      'a.test.js': GOOD,
      'end.js': 'module.exports = async () => { process.exitCode = 1; };\n',
    };
    const outcome = await run(files, `${COMMAND} --globalTeardown=./end.js`);
    expect(outcome.feedback).toContain('the tests passed, but the runner exited 1');
  });

  test('jest that is not installed is told as that', async () => {
    const outcome = await evaluate('jest', {
      files: { ...MANIFEST, 'a.test.js': GOOD },
      options: { command: 'npx --no-install jest' },
    });
    expect(verdictOf(outcome), outcome.feedback).toBe('not-found');
  });

  test('a suite that hangs times out as a whole, with the file that ran', async () => {
    const outcome = await evaluate('jest', {
      files: { ...MANIFEST, 'a.test.js': "test('spins', () => { while (true) {} });" },
      options: { command: COMMAND },
      nodeModules: 'tools',
      timeoutMs: 10_000,
    });
    expect(verdictOf(outcome)).toBe('timeout');
    expect(outcome.feedback).toContain('the test that ran: a.test.js');
  });

  test('a handle left open is told as that, where jest never ends', async () => {
    const outcome = await evaluate('jest', {
      files: { ...MANIFEST, 'a.test.js': "test('a', () => { setInterval(() => {}, 1000); });" },
      options: { command: COMMAND },
      nodeModules: 'tools',
      timeoutMs: 10_000,
    });
    expect(verdictOf(outcome)).toBe('timeout');
    expect(outcome.feedback).toContain('all tests had ended (1 passed)');
  });

  test('the code under test finds nothing of loopgen in its environment', async () => {
    const body =
      "test('a', () => { expect(Object.keys(process.env).filter((k) => k.startsWith('LOOPGEN') && !k.startsWith('LOOPGEN_SCOPE'))).toEqual([]); });";
    const outcome = await run({ 'a.test.js': body, 'b.test.js': body }, `${COMMAND} -w 2`);
    expect(verdictOf(outcome), outcome.feedback).toBe('pass');
  });
});
