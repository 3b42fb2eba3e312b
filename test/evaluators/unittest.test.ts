import { describe, expect, test } from 'vitest';
import { evaluate, statusesOf, verdictOf } from './support.ts';

const COMMAND = 'python3 -m unittest';
const suite = (body: string, head = '') =>
  `import os, sys, unittest\n${head}\nclass T(unittest.TestCase):\n${body}`;
const GOOD = suite('    def test_a(self): pass\n    def test_b(self): pass\n');
const USES_SOLUTION = suite(
  '    def test_a(self): self.assertEqual(solution.add(1, 2), 3)\n',
  'import solution\n',
);
const WRONG = 'def add(a, b): return 0\n';

describe('unittest', () => {
  test.each<[name: string, files: Record<string, string>, verdict: string, command?: string]>([
    ['all tests pass', { 'test_a.py': GOOD }, 'pass'],
    [
      'one fails',
      { 'test_a.py': suite('    def test_a(self): self.fail("x")\n    def test_b(self): pass\n') },
      'fail',
    ],
    ['there are no tests', {}, 'no-tests'],
    [
      'all are skipped',
      { 'test_a.py': suite('    @unittest.skip("x")\n    def test_a(self): pass\n') },
      'no-tests',
    ],
    [
      'a class skips itself and others pass',
      {
        'test_a.py': GOOD,
        'test_b.py': suite(
          '    @classmethod\n    def setUpClass(cls): raise unittest.SkipTest("x")\n    def test_c(self): pass\n',
        ),
      },
      'pass',
    ],
    ['a module does not load', { 'test_a.py': USES_SOLUTION }, 'collection'],
    ['a module has a syntax error', { 'test_a.py': 'class X(:\n' }, 'collection'],
    ['one module of two does not load', { 'test_a.py': USES_SOLUTION, 'test_b.py': GOOD }, 'fail'],
    ['an option is unknown', { 'test_a.py': GOOD }, 'not-found', `${COMMAND} --no-such-option`],
    ['a named module does not exist', { 'test_a.py': GOOD }, 'collection', `${COMMAND} test_none`],
    [
      'a test kills the process',
      { 'test_a.py': suite('    def test_a(self): os.kill(os.getpid(), 11)\n') },
      'crash',
    ],
    [
      'the solution exits with 0 at import',
      { 'test_a.py': USES_SOLUTION, 'solution.py': 'import os\nos._exit(0)\n' },
      'no-report',
    ],
    [
      'the solution calls sys.exit(0) at import',
      { 'test_a.py': USES_SOLUTION, 'solution.py': 'import sys\nsys.exit(0)\n' },
      'no-report',
      `${COMMAND} test_a`,
    ],
    [
      'an exit hook hides a failure',
      {
        'test_a.py': USES_SOLUTION,
        'solution.py': `import atexit, os\natexit.register(lambda: os._exit(0))\n${WRONG}`,
      },
      'fail',
    ],
    [
      'load_tests empties the suite',
      {
        'test_a.py': `${suite('    def test_a(self): self.fail("x")\n')}\ndef load_tests(loader, tests, pattern):\n    return unittest.TestSuite()\n`,
      },
      'no-tests',
    ],
    ['a test calls sys.exit(0)', { 'test_a.py': suite('    def test_a(self): sys.exit(0)\n') }, 'fail'],
    [
      'a test is expected to fail and does not',
      {
        'test_a.py': suite(
          '    @unittest.expectedFailure\n    def test_a(self): pass\n    def test_b(self): pass\n',
        ),
      },
      'fail',
    ],
    [
      'verdicts are forged on stderr',
      {
        'test_a.py': USES_SOLUTION,
        'solution.py': `import sys\nsys.stderr.write("Ran 1 test\\n\\nOK\\n")\n${WRONG}`,
      },
      'fail',
    ],
    ['the user discovers a folder', { 'tests/test_a.py': GOOD }, 'pass', `${COMMAND} discover -s tests -v`],
    [
      'the sources lie beside the folder',
      { 'tests/test_a.py': USES_SOLUTION, 'solution.py': 'def add(a, b): return a + b\n' },
      'pass',
      `${COMMAND} discover -s tests`,
    ],
    [
      'the user stops at the first failure',
      { 'test_a.py': suite('    def test_a(self): self.fail()\n    def test_b(self): pass\n') },
      'fail',
      `${COMMAND} -f`,
    ],
    [
      'an async test passes',
      {
        'test_a.py':
          'import unittest\nclass T(unittest.IsolatedAsyncioTestCase):\n    async def test_a(self): pass\n',
      },
      'pass',
    ],
    [
      'setUpClass fails',
      {
        'test_a.py': suite(
          '    @classmethod\n    def setUpClass(cls): raise ValueError("x")\n    def test_a(self): pass\n',
        ),
      },
      'fail',
    ],
  ])('when %s, the verdict is as it should be', async (_name, files, verdict, command = COMMAND) => {
    const outcome = await evaluate('command', { files, options: { command } });
    expect(verdictOf(outcome), outcome.feedback).toBe(verdict);
    expect(outcome.judgedBy).toBe('test-ids');
  });

  test('every status is told by its own name', async () => {
    const body = `
    def test_ok(self): pass
    def test_bad(self): self.assertEqual(1, 2)
    def test_error(self): raise ValueError('x')
    @unittest.skip('x')
    def test_skip(self): pass
    @unittest.expectedFailure
    def test_xfail(self): self.fail()
    @unittest.expectedFailure
    def test_xpass(self): pass
    def test_parts(self):
        for n in range(3):
            with self.subTest(n=n): self.assertLess(n, 2)
`;
    const outcome = await evaluate('unittest', { files: { 'test_a.py': suite(body) } });
    expect(statusesOf(outcome)).toEqual({
      'test_a.T.test_ok': 'passed',
      'test_a.T.test_bad': 'failed',
      'test_a.T.test_error': 'error',
      'test_a.T.test_skip': 'skipped',
      'test_a.T.test_xfail': 'xfailed',
      'test_a.T.test_xpass': 'xpassed',
      'test_a.T.test_parts': 'failed',
    });
    expect(outcome.tests?.find((one) => one.id.endsWith('test_bad'))).toMatchObject({
      place: 'test_a.py:6',
      errorType: 'AssertionError',
      message: '1 != 2',
    });
  });

  test('a hanging test fails by its id and the rest run', async () => {
    const body = '    def test_a(self):\n        while True: pass\n    def test_b(self): pass\n';
    const outcome = await evaluate('unittest', {
      files: { 'test_a.py': suite(body) },
      options: { testTimeoutMs: 400 },
    });
    expect(verdictOf(outcome)).toBe('fail');
    expect(statusesOf(outcome)).toEqual({ 'test_a.T.test_a': 'failed', 'test_a.T.test_b': 'passed' });
    expect(outcome.tests?.[0]?.errorType).toBe('HangingTest');
  });

  test('a hanging setUp and a hanging async test fail by their ids', async () => {
    const hanging =
      'import asyncio, unittest\nclass A(unittest.IsolatedAsyncioTestCase):\n    async def test_a(self): await asyncio.sleep(60)\nclass B(unittest.TestCase):\n    def setUp(self):\n        while True: pass\n    def test_b(self): pass\nclass C(unittest.TestCase):\n    def test_c(self): pass\n';
    const outcome = await evaluate('unittest', {
      files: { 'test_a.py': hanging },
      options: { testTimeoutMs: 400 },
    });
    expect(statusesOf(outcome)).toEqual({
      'test_a.A.test_a': 'failed',
      'test_a.B.test_b': 'failed',
      'test_a.C.test_c': 'passed',
    });
  });

  test('the tests see the module path, arguments and environment that they would see without loopgen', async () => {
    const body = `    def test_a(self):
        self.assertEqual(sys.path[0], os.getcwd())
        self.assertNotIn('PYTHONPATH', os.environ)
        self.assertEqual([p for p in sys.path if 'reporter' in p], [])
        self.assertEqual([k for k in os.environ if k.startswith('LOOPGEN') and k != 'LOOPGEN_SCOPE'], [])
        self.assertTrue(sys.argv[0].endswith('unittest'))
`;
    const outcome = await evaluate('unittest', { files: { 'test_a.py': suite(body) } });
    expect(verdictOf(outcome), outcome.feedback).toBe('pass');
  });

  test('the exit code is the one that unittest itself gives', async () => {
    const files = { 'test_a.py': suite('    def test_a(self): self.fail()\n') };
    expect((await evaluate('unittest', { files })).exitCode).toBe(1);
    expect((await evaluate('unittest', { files: { 'test_a.py': GOOD } })).exitCode).toBe(0);
  });
});
