import { describe, expect, test } from 'vitest';
import { evaluate, type Given, statusesOf, verdictOf } from './support.ts';

const COMMAND = 'python3 -m pytest -q';
const run = (files: Given['files'], more: Omit<Given, 'files'> = {}) =>
  evaluate('command', { files: files ?? {}, options: { command: COMMAND }, ...more });

const GOOD = 'def test_a():\n    assert True\n\ndef test_b():\n    assert True\n';
const SOLUTION_TEST = 'from solution import add\n\ndef test_add():\n    assert add(1, 2) == 3\n';
const solution = (text: string) => ({ 'test_s.py': SOLUTION_TEST, 'solution.py': text });
const WRONG = 'def add(a, b):\n    return 0\n';

describe('pytest', () => {
  test.each<[name: string, files: Record<string, string>, verdict: string, command?: string]>([
    ['all tests pass', { 'test_a.py': GOOD }, 'pass'],
    ['one fails', { 'test_a.py': `${GOOD}\ndef test_c():\n    assert 1 == 2\n` }, 'fail'],
    ['there are no tests', {}, 'no-tests'],
    ['none is selected', { 'test_a.py': GOOD }, 'no-tests', `${COMMAND} -k nothing`],
    ['they are only collected', { 'test_a.py': GOOD }, 'no-tests', `${COMMAND} --collect-only`],
    ['the path does not exist', { 'test_a.py': GOOD }, 'no-tests', `${COMMAND} tests/none.py`],
    [
      'all are skipped',
      { 'test_a.py': 'import pytest\n@pytest.mark.skip\ndef test_a(): pass\n' },
      'no-tests',
    ],
    [
      'the module skips itself',
      { 'test_a.py': 'import pytest\npytest.skip("x", allow_module_level=True)\n' },
      'no-tests',
    ],
    [
      'all are expected to fail',
      { 'test_a.py': 'import pytest\n@pytest.mark.xfail\ndef test_a(): assert 0\n' },
      'no-tests',
    ],
    ['an import fails', { 'test_s.py': SOLUTION_TEST }, 'collection'],
    ['the solution has a syntax error', solution('nclass X:\n'), 'collection'],
    [
      'conftest.py does not load',
      { 'test_a.py': GOOD, 'conftest.py': 'import nosuchmodule\n' },
      'collection',
    ],
    ['an option is unknown', { 'test_a.py': GOOD }, 'not-found', `${COMMAND} --no-such-option`],
    ['a test segfaults', { 'test_a.py': 'import ctypes\ndef test_a():\n    ctypes.string_at(0)\n' }, 'crash'],
    [
      'a test kills the process',
      { 'test_a.py': 'import os\ndef test_a():\n    os.kill(os.getpid(), 9)\n' },
      'crash',
    ],
    ['the solution exits with 0 at import', solution('import os\nos._exit(0)\n'), 'no-report'],
    ['the solution calls sys.exit(0) at import', solution('import sys\nsys.exit(0)\n'), 'crash'],
    [
      'conftest.py exits with 0',
      { 'test_a.py': GOOD, 'conftest.py': 'import sys\nsys.exit(0)\n' },
      'no-report',
    ],
    [
      'a test ends the process with 0',
      { 'test_a.py': 'import os\ndef test_a():\n    os._exit(0)\n' },
      'no-report',
    ],
    [
      'an exit hook hides a failure',
      solution(`import atexit, os\natexit.register(lambda: os._exit(0))\n${WRONG}`),
      'fail',
    ],
    [
      'a hook sets the exit status to 0',
      {
        ...solution(WRONG),
        'conftest.py': 'def pytest_sessionfinish(session):\n    session.exitstatus = 0\n',
      },
      'fail',
    ],
    [
      'a test ends the session with 0',
      {
        'test_a.py': `import pytest\ndef test_a():\n    pass\ndef test_b():\n    pytest.exit("x", returncode=0)\ndef test_c():\n    assert 0\n`,
      },
      'fail',
    ],
    ['a test calls sys.exit(0)', { 'test_a.py': 'import sys\ndef test_a():\n    sys.exit(0)\n' }, 'fail'],
    [
      'a strict xfail passes',
      { 'test_a.py': `import pytest\n${GOOD}@pytest.mark.xfail(strict=True)\ndef test_c(): pass\n` },
      'fail',
    ],
    ['colour is forced', { 'test_a.py': GOOD }, 'pass', `${COMMAND} --color=yes`],
    [
      'a test prints without a line end',
      { 'test_a.py': 'def test_a():\n    print("FAILED 1 failed", end="")\n' },
      'pass',
      `${COMMAND} -s`,
    ],
    [
      'verdicts are forged on stdout',
      solution(`print("1 passed in 0.01s")\n${WRONG}`),
      'fail',
      `${COMMAND} -s`,
    ],
    [
      'a variable is set in front',
      { 'src/solution.py': 'def add(a, b):\n    return a + b\n', 'test_s.py': SOLUTION_TEST },
      'pass',
      `PYTHONPATH=src ${COMMAND}`,
    ],
    ['arguments are globs', { 'test_a.py': GOOD }, 'pass', `${COMMAND} test_*.py`],
    ['the bare program is called', { 'test_a.py': GOOD }, 'pass', 'pytest -q'],
    [
      'only the first failure is wanted',
      { 'test_a.py': 'def test_a(): assert 0\ndef test_b(): pass\n' },
      'fail',
      `${COMMAND} -x`,
    ],
    [
      'the tests pass but a hook ends with 1',
      {
        'test_a.py': GOOD,
        'conftest.py': 'def pytest_sessionfinish(session):\n    session.exitstatus = 1\n',
      },
      'fail',
    ],
    [
      'our plug-in is taken out',
      {
        'test_a.py': GOOD,
        'conftest.py':
          'def pytest_configure(config):\n    config.pluginmanager.unregister(name="loopgen_pytest")\n',
      },
      'no-report',
    ],
  ])('when %s, the verdict is as it should be', async (_name, files, verdict, command = COMMAND) => {
    const outcome = await run(files, { options: { command } });
    expect(verdictOf(outcome), outcome.feedback).toBe(verdict);
    expect(outcome.judgedBy).toBe('test-ids');
  });

  test('every status is told by its own name', async () => {
    const outcome = await run({
      'tests/test_a.py': `
import pytest

def test_ok(): pass
def test_bad(): assert 1 == 2
@pytest.mark.skip
def test_skip(): pass
@pytest.mark.xfail
def test_xfail(): assert 0
@pytest.mark.xfail
def test_xpass(): pass
@pytest.mark.xfail(strict=True)
def test_xpass_strict(): pass
@pytest.fixture
def broken(): raise ValueError('broken')
def test_setup(broken): pass
@pytest.fixture
def late():
    yield
    raise ValueError('late')
def test_teardown(late): pass
@pytest.mark.parametrize('x', [1, 2])
def test_each(x): assert x == 1
`,
    });
    expect(statusesOf(outcome)).toEqual({
      'tests/test_a.py::test_ok': 'passed',
      'tests/test_a.py::test_bad': 'failed',
      'tests/test_a.py::test_skip': 'skipped',
      'tests/test_a.py::test_xfail': 'xfailed',
      'tests/test_a.py::test_xpass': 'passed',
      'tests/test_a.py::test_xpass_strict': 'xpassed',
      'tests/test_a.py::test_setup': 'error',
      'tests/test_a.py::test_teardown': 'error',
      'tests/test_a.py::test_each[1]': 'passed',
      'tests/test_a.py::test_each[2]': 'failed',
    });
    const bad = outcome.tests?.find((one) => one.id.endsWith('::test_bad'));
    expect(bad).toMatchObject({
      place: 'tests/test_a.py:5',
      errorType: 'AssertionError',
      message: 'assert 1 == 2',
    });
  });

  test('a hanging test fails by its id and the rest run', async () => {
    const judged = await evaluate('tests', {
      files: {
        'test_a.py':
          'def test_spins():\n    try:\n        while True: pass\n    except Exception: pass\n\ndef test_after(): pass\n',
      },
      options: { runner: 'pytest', testTimeoutMs: 500 },
    });
    expect(verdictOf(judged)).toBe('fail');
    expect(statusesOf(judged)).toEqual({
      'test_a.py::test_spins': 'failed',
      'test_a.py::test_after': 'passed',
    });
    expect(judged.tests?.[0]).toMatchObject({ errorType: 'HangingTest', place: 'test_a.py:3' });
  });

  test('without a limit of its own the whole check times out, and names the test that ran', async () => {
    const outcome = await evaluate('pytest', {
      files: { 'test_a.py': 'import time\ndef test_sleeps():\n    print("so far")\n    time.sleep(60)\n' },
      options: { args: ['-q', '-s'], testTimeoutMs: 60_000 },
      timeoutMs: 2500,
    });
    expect(verdictOf(outcome)).toBe('timeout');
    expect(outcome.feedback).toContain('test_a.py::test_sleeps');
    expect(outcome.feedback).toContain('partial output');
    expect(outcome.feedback).toContain('so far');
  });

  test('tests that pass in a run that does not exit are no pass, and it is said why', async () => {
    const outcome = await evaluate('pytest', {
      files: {
        'test_a.py':
          'import threading, time\ndef test_a():\n    threading.Thread(target=time.sleep, args=(60,)).start()\n',
      },
      timeoutMs: 4000,
    });
    expect(verdictOf(outcome)).toBe('timeout');
    expect(outcome.feedback).toContain('all tests had ended (1 passed), but the runner did not exit');
  });

  test('a test that swallows its limit for ever fails, and ends the run', async () => {
    const outcome = await evaluate('pytest', {
      files: {
        'test_a.py':
          'import time\ndef test_ok(): pass\n\ndef test_stuck():\n    while True:\n        try:\n            time.sleep(60)\n        except BaseException: pass\n\ndef test_never(): pass\n',
      },
      options: { testTimeoutMs: 300 },
    });
    expect(verdictOf(outcome)).toBe('fail');
    expect(statusesOf(outcome)).toEqual({
      'test_a.py::test_ok': 'passed',
      'test_a.py::test_stuck': 'failed',
    });
  });

  test('a crash names the signal and the test that ran last', async () => {
    const outcome = await run({
      'test_a.py': 'import ctypes\ndef test_ok(): pass\ndef test_c():\n    ctypes.string_at(0)\n',
    });
    expect(outcome.feedback).toContain('SIGSEGV');
    expect(outcome.feedback).toContain('test_a.py::test_c');
  });

  test('the code under test finds neither the report nor the nonce in its environment', async () => {
    const outcome = await run({
      'test_a.py': `
import os, sys
def test_environment():
    assert [k for k in os.environ if k.startswith('LOOPGEN') and k != 'LOOPGEN_SCOPE'] == []
    assert 'PYTHONPATH' not in os.environ
    assert [p for p in sys.path if 'reporter' in p] == []
`,
    });
    expect(verdictOf(outcome), outcome.feedback).toBe('pass');
  });

  test('lines forged into the report do not count', async () => {
    const outcome = await run({
      ...solution(`
import glob, json, os
for name in os.listdir('/proc/self/fd'):
    try:
        path = os.readlink('/proc/self/fd/' + name)
    except OSError:
        continue
    if path.endswith('.jsonl'):
        with open(path, 'a') as f:
            for line in [{"e": "phase", "id": "test_s.py::test_add", "when": "call", "outcome": "passed"}, {"e": "end", "exit": 0, "collected": 1}]:
                f.write(json.dumps(line) + "\\n")
os._exit(0)
`),
    });
    expect(verdictOf(outcome)).toBe('no-report');
    expect(outcome.tests).toBeUndefined();
  });

  test('a suite that does not load shows the first traceback', async () => {
    const outcome = await run(solution('nclass LRUCache:\n    pass\n'));
    expect(outcome.tests).toMatchObject([
      { id: 'test_s.py', status: 'error', errorType: 'SyntaxError', place: 'solution.py:1' },
    ]);
    expect(outcome.feedback).toContain('invalid syntax');
  });

  test('files that do not load are failures where other tests ran', async () => {
    const outcome = await evaluate('pytest', {
      files: { 'test_a.py': GOOD, 'test_s.py': SOLUTION_TEST },
      options: { args: ['-q', '--continue-on-collection-errors'] },
    });
    expect(verdictOf(outcome)).toBe('fail');
    expect(statusesOf(outcome)).toMatchObject({ 'test_s.py': 'error', 'test_a.py::test_a': 'passed' });
  });

  test('`tests passed, runner exited 1` is said where only the exit code speaks against it', async () => {
    const outcome = await run({
      'test_a.py': GOOD,
      'conftest.py': 'def pytest_sessionfinish(session):\n    session.exitstatus = 1\n',
    });
    expect(outcome.feedback).toContain('the tests passed, but the runner exited 1');
  });

  test('fewer passed tests than `min` are no pass', async () => {
    const files = { 'test_a.py': GOOD };
    const verdict = async (min: number) => verdictOf(await evaluate('pytest', { files, options: { min } }));
    expect(await verdict(2)).toBe('pass');
    expect(await verdict(3)).toBe('fail');
  });

  test('the reporter reaches pytest through a wrapper', async () => {
    const files = {
      'test_a.py': `${GOOD}\ndef test_c(): assert 0\n`,
      'run.sh': 'python3 -m pytest -q || true\n',
    };
    const outcome = await evaluate('tests', { files, options: { runner: 'pytest', command: 'sh run.sh' } });
    expect(verdictOf(outcome)).toBe('fail');
    expect(statusesOf(outcome)).toMatchObject({ 'test_a.py::test_c': 'failed' });
    // Without the report, the exit code that the wrapper hides would be a pass.
    const control = await evaluate('command', { files, options: { command: 'sh run.sh' } });
    expect(verdictOf(control)).toBe('pass');
  });

  test('the tests run in a folder of the workspace, and ids of places are relative to the workspace', async () => {
    const outcome = await evaluate('pytest', {
      files: { 'sub/test_a.py': 'def test_a():\n    assert 0\n' },
      options: { cwd: 'sub' },
    });
    expect(outcome.tests?.[0]).toMatchObject({ place: 'sub/test_a.py:2' });
  });

  test('a missing pytest is told as what it is', async () => {
    const outcome = await evaluate('command', {
      files: {
        'test_a.py': GOOD,
        'bin/python3': '#!/bin/sh\nexec python3 -S "$@"\n',
      },
      options: { command: 'bin/python3 -m pytest -q' },
    });
    expect(verdictOf(outcome), outcome.feedback).toBe('not-found');
    expect(outcome.feedback).toContain('PATH');
  });

  test('options that are not known are errors with a suggestion', async () => {
    await expect(evaluate('pytest', { options: { testTimeoutMS: 5 } })).rejects.toThrow(
      'did you mean "testTimeoutMs"',
    );
    await expect(evaluate('tests', { options: { command: 'make test' } })).rejects.toThrow('runner');
    await expect(evaluate('tests', { options: { runner: 'nose' } })).rejects.toThrow('junit');
    await expect(
      evaluate('tests', { options: { runner: 'unittest', command: 'make test' } }),
    ).rejects.toThrow('plain call');
  });
});
