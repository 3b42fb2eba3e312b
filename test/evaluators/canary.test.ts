import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { EvaluationOutcome } from '../../src/core/check.ts';
import { which } from '../../src/system/which.ts';
import { evaluate, type Given, statusesOf, verdictOf } from './support.ts';

const hasGo = which('go', { PATH: process.env['PATH'] ?? '' }) !== undefined;

function canBind(): boolean {
  const args = ['--dev-bind', '/', '/', '--unshare-pid', '--proc', '/proc', '--cap-drop', 'ALL', 'true'];
  const bwrap = which('bwrap', { PATH: process.env['PATH'] ?? '' });
  return bwrap !== undefined && spawnSync(bwrap, args).status === 0;
}

type Files = Readonly<Record<string, string>>;

/** What a command needs in every workspace. */
function given(command: string, files: Files): Given {
  const isVitest = command.includes('vitest');
  const base: Files = command.includes('go test')
    ? { 'go.mod': 'module example.com/w\n\ngo 1.19\n' }
    : { 'package.json': '{"type": "module"}' };
  return { files: { ...base, ...files }, options: { command }, nodeModules: isVitest };
}

const withCanary = (command: string, files: Files) =>
  evaluate('command', { ...given(command, files), canary: true });
const withoutCanary = (command: string, files: Files) => evaluate('command', given(command, files));
/** `true &&` makes it a line that is judged by its exit code alone. */
const byExitCode = (command: string, files: Files) => evaluate('command', given(`true && ${command}`, files));

const PYTEST = 'python3 -m pytest -q';
const UNITTEST = 'python3 -m unittest discover -s tests';
const VITEST = 'node_modules/.bin/vitest run';
const NODE = 'node --test';
const GO = 'go test ./...';

const py = (body: string) => ({
  'tests/test_s.py': `from solution import add\n\ndef test_add():\n    ${body}\n`,
});
const PY_TEST = py('assert add(1, 2) == 3');
const PY_WRONG = 'def add(a, b):\n    return 0\n';
const pySolution = (head: string) => ({ 'solution.py': `${head}\n${PY_WRONG}`, 'conftest.py': '' });
const UNIT_TEST = {
  'tests/test_s.py':
    'import unittest\nfrom solution import add\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n',
};
const vitestFile = (body: string) => `import { describe, expect, test } from 'vitest';\n${body}\n`;
const VITEST_TEST = {
  'a.test.js': vitestFile(
    "import { add } from './solution.js';\ntest('adds', () => { expect(add(1, 2)).toBe(3); });",
  ),
};
const nodeFile = (body: string) =>
  `import test, { describe, it } from 'node:test';\nimport assert from 'node:assert';\nimport strict from 'node:assert/strict';\n${body}\n`;
const NODE_TEST = {
  'a.test.mjs': nodeFile(
    "import { add } from './solution.mjs';\ntest('adds', () => assert.equal(add(1, 2), 3));",
  ),
};
const JS_WRONG = 'export const add = () => 0;\n';
const goFile = (body: string, ...imports: string[]) =>
  `package w\n\nimport (\n${['testing', ...imports].map((name) => `\t"${name}"\n`).join('')})\n\n${body}\n`;
const GO_TEST = { 'a_test.go': goFile('func TestAdd(t *testing.T) { if Add(1, 2) != 3 { t.Fatal("no") } }') };
const GO_WRONG = 'func Add(a, b int) int { return 0 }\n';

const HONEST: readonly (readonly [name: string, command: string, files: Files])[] = [
  ['pytest', PYTEST, { ...PY_TEST, 'solution.py': 'def add(a, b): return a + b\n', 'conftest.py': '' }],
  [
    'pytest with tests in many folders, of both kinds',
    PYTEST,
    {
      ...UNIT_TEST,
      'test_a.py': 'def test_a(): pass\n',
      'tests/deep/test_d.py': 'def test_d(): pass\n',
      'solution.py': 'def add(a, b): return a + b\n',
      'conftest.py': '',
    },
  ],
  [
    'pytest that stops at the first failure',
    `${PYTEST} -x --maxfail=1`,
    { 'test_a.py': 'def test_a(): pass\n' },
  ],
  [
    'pytest with tests selected by all means',
    `${PYTEST} -k "not b" --deselect test_a.py::test_c -p no:randomly`,
    {
      'test_a.py':
        'def test_a(): pass\ndef test_b(): assert 0\ndef test_c(): assert 0\ndef test_d(): assert 0\n',
      'conftest.py':
        "import pytest\n@pytest.hookimpl(hookwrapper=True, tryfirst=True)\ndef pytest_collection_modifyitems(items):\n    yield\n    items[:] = [i for i in items if i.name == 'test_a']\n",
    },
  ],
  [
    'pytest with a fixture that wants much of every test',
    PYTEST,
    {
      'test_a.py': 'NEEDS = 1\ndef test_a(): pass\n',
      'conftest.py':
        'import pytest\n@pytest.fixture(autouse=True)\ndef needs(request):\n    assert request.module.NEEDS\n',
    },
  ],
  ['unittest', UNITTEST, { ...UNIT_TEST, 'solution.py': 'def add(a, b): return a + b\n' }],
  [
    'unittest that stops at the first failure',
    `${UNITTEST} -f`,
    { ...UNIT_TEST, 'solution.py': 'def add(a, b): return a + b\n' },
  ],
  ['vitest', VITEST, { ...VITEST_TEST, 'solution.js': 'export const add = (a, b) => a + b;\n' }],
  [
    'vitest with filters, bail, retries, shuffling and set-up files of its own',
    `${VITEST} -t foo --bail=1 --retry=2 --sequence.shuffle`,
    {
      'vitest.config.js':
        "export default { test: { globals: true, setupFiles: ['./setup.js'], fakeTimers: {} } };\n",
      'setup.js': 'globalThis.ready = true;\n',
      'a.test.js':
        "describe('s', () => { it('foo', () => { expect(globalThis.ready).toBe(true); }); it('bar', () => { throw 1; }); });\n",
      'b.test.js': "import { vi } from 'vitest';\nit('foo', () => { vi.useFakeTimers(); });\n",
      'c.test.js': "it('bar', () => { throw 1; });\n",
    },
  ],
  [
    'vitest in threads, without isolation',
    `${VITEST} --pool=threads --no-isolate`,
    { 'a.test.js': vitestFile("test('a', () => {});"), 'b.test.js': vitestFile("test('b', () => {});") },
  ],
  ['node --test', NODE, { ...NODE_TEST, 'solution.mjs': 'export const add = (a, b) => a + b;\n' }],
  [
    'node --test with filters, suites, CommonJS, helpers and scripts',
    `${NODE} --test-name-pattern=foo`,
    {
      'a.test.mjs': nodeFile(
        "describe('s', () => { it('foo', () => {}); });\ntest('bar', () => assert.fail());",
      ),
      'b.test.cjs':
        "const test = require('node:test');\ntest('foo', async () => { await new Promise((r) => setTimeout(r, 20)); });\n",
      'test/helper.mjs': 'export const x = 1;\n',
      'c.test.mjs': "import assert from 'node:assert';\nassert.ok(true);\n",
      'test/defines.mjs':
        "import test from 'node:test';\nexport const define = (name) => test(name, () => {});\n",
      'd.test.mjs': "import { define } from './test/defines.mjs';\ndefine('foo');\n",
    },
  ],
  [
    'node --test whose tests start node themselves',
    NODE,
    {
      'a.test.mjs': nodeFile(
        "import { execFileSync } from 'node:child_process';\ntest('a', () => { const out = execFileSync(process.execPath, ['-p', '[process.env.NODE_OPTIONS]'], { encoding: 'utf8' }); assert.equal(out.trim(), '[ undefined ]'); });",
      ),
    },
  ],
];

const GO_HONEST: typeof HONEST = [
  ['go test', GO, { ...GO_TEST, 'w.go': 'package w\n\nfunc Add(a, b int) int { return a + b }\n' }],
  [
    'go test with its options',
    `${GO} -v -failfast -vet=all -run TestA -shuffle on -tags x`,
    {
      'a_test.go': goFile(
        'func TestA(t *testing.T) { t.Parallel() }\nfunc TestB(t *testing.T) { t.Fatal() }',
      ),
      'sub/a_test.go': goFile('func TestB(t *testing.T) { t.Fatal() }').replace(
        'package w',
        'package sub_test',
      ),
      'cmd/main.go': 'package main\n\nfunc main() {}\n',
      'cmd/a_test.go': goFile('func TestA(t *testing.T) {}').replace('package w', 'package main'),
      'other/o.go': 'package other\n',
    },
  ],
];

const FORGING_MAIN = `func TestMain(m *testing.M) {
	real := os.Stdout
	r, w, _ := os.Pipe()
	os.Stdout = w
	m.Run()
	w.Close()
	out, _ := io.ReadAll(r)
	real.WriteString(strings.ReplaceAll(string(out), "FAIL", "PASS"))
	os.Exit(0)
}`;

type Control = (command: string, files: Files) => Promise<EvaluationOutcome>;
type Cheat = readonly [name: string, command: string, files: Files, control: Control];

/** What fools the report itself: only the canary shows it. */
const CHEATS: readonly Cheat[] = [
  [
    'pytest runs nothing any more, by the solution',
    PYTEST,
    {
      ...PY_TEST,
      ...pySolution('import _pytest.python\n_pytest.python.Function.runtest = lambda self: None'),
    },
    withoutCanary,
  ],
  [
    'pytest runs no unittest cases any more, by the solution',
    PYTEST,
    {
      ...UNIT_TEST,
      ...pySolution('import _pytest.unittest as u\nu.TestCaseFunction.runtest = lambda self: None'),
    },
    withoutCanary,
  ],
  [
    'unittest assertions hold under pytest',
    PYTEST,
    { ...UNIT_TEST, ...pySolution('import unittest\nunittest.TestCase.assertEqual = lambda *a, **k: None') },
    withoutCanary,
  ],
  [
    'pytest.approx is equal to all',
    PYTEST,
    {
      ...py('import pytest; assert add(1, 2) == pytest.approx(3)'),
      ...pySolution('import pytest\ntype(pytest.approx(1)).__eq__ = lambda self, other: True'),
    },
    withoutCanary,
  ],
  [
    'math.isclose holds',
    PYTEST,
    {
      ...py('import math; assert math.isclose(add(1, 2), 3)'),
      ...pySolution('import math\nmath.isclose = lambda *a, **k: True'),
    },
    withoutCanary,
  ],
  [
    'a hook makes every outcome a pass',
    PYTEST,
    {
      ...PY_TEST,
      'solution.py': PY_WRONG,
      'conftest.py':
        'import pytest\n@pytest.hookimpl(hookwrapper=True, tryfirst=True)\ndef pytest_runtest_makereport():\n    done = yield\n    report = done.get_result()\n    report.outcome = "passed"\n    report.longrepr = None\n',
    },
    withoutCanary,
  ],
  [
    'a hook in a folder of tests calls no function',
    PYTEST,
    {
      'tests/sub/test_s.py': PY_TEST['tests/test_s.py'],
      'tests/sub/conftest.py': 'def pytest_pyfunc_call(pyfuncitem):\n    return True\n',
      'tests/test_fine.py': 'def test_fine(): pass\n',
      'solution.py': PY_WRONG,
      'conftest.py': '',
    },
    withoutCanary,
  ],
  [
    'the canaries are taken out',
    PYTEST,
    {
      'test_a.py': 'def test_a(): pass\n',
      'conftest.py':
        "import pytest\n@pytest.hookimpl(tryfirst=True)\ndef pytest_runtestloop(session):\n    session.items[:] = [i for i in session.items if i.name == 'test_a']\n    session.testscollected = len(session.items)\n",
    },
    withoutCanary,
  ],
  [
    'unittest assertions hold',
    UNITTEST,
    { ...UNIT_TEST, ...pySolution('import unittest\nunittest.TestCase.assertEqual = lambda *a, **k: None') },
    withoutCanary,
  ],
  [
    'unittest calls no test any more',
    UNITTEST,
    {
      ...UNIT_TEST,
      ...pySolution('import unittest\nunittest.TestCase._callTestMethod = lambda *a, **k: None'),
    },
    withoutCanary,
  ],
  [
    'expect holds, by the solution',
    VITEST,
    {
      ...VITEST_TEST,
      'solution.js': `import { expect } from 'vitest';\nexpect.extend({ toBe: () => ({ pass: true, message: () => '' }) });\n${JS_WRONG}`,
    },
    withoutCanary,
  ],
  [
    'the global test function calls nothing any more',
    VITEST,
    {
      'vitest.config.js': 'export default { test: { globals: true } };\n',
      'a.test.js':
        "import { add } from './solution.js';\nit('adds', () => { expect(add(1, 2)).toBe(3); });\n",
      'solution.js': `const real = globalThis.it;\nglobalThis.it = (name) => real(name, () => {});\n${JS_WRONG}`,
    },
    withoutCanary,
  ],
  [
    'assertions hold in one file of two',
    VITEST,
    {
      'a.test.js': vitestFile(
        "import assert from 'node:assert';\nimport { add } from './solution.js';\ntest('adds', () => { assert.strictEqual(add(1, 2), 3); });",
      ),
      'b.test.js': vitestFile("test('b', () => {});"),
      'solution.js': `import assert from 'node:assert';\nassert.strictEqual = () => {};\n${JS_WRONG}`,
    },
    withoutCanary,
  ],
  [
    'assert holds, by the solution',
    NODE,
    {
      ...NODE_TEST,
      'solution.mjs': `import assert from 'node:assert';\nassert.equal = () => {};\n${JS_WRONG}`,
    },
    withoutCanary,
  ],
  [
    'strict assert holds, in one file of two',
    NODE,
    {
      'a.test.mjs': nodeFile(
        "import { add } from './solution.mjs';\ntest('adds', () => strict.equal(add(1, 2), 3));",
      ),
      'b.test.mjs': nodeFile("test('b', () => {});"),
      'solution.mjs': `import strict from 'node:assert/strict';\nstrict.equal = () => {};\n${JS_WRONG}`,
    },
    withoutCanary,
  ],
];

const GO_CHEATS: readonly Cheat[] = [
  [
    'a main of the tests rewrites what they print',
    GO,
    {
      ...GO_TEST,
      'w.go': `package w\n\n${GO_WRONG}`,
      'm_test.go': goFile(FORGING_MAIN, 'io', 'os', 'strings'),
    },
    withoutCanary,
  ],
];

/** What fools the exit code: the report alone shows it, with a canary or without. */
const EXITS: readonly Cheat[] = [
  ['pytest: exit 0 at import', PYTEST, { ...PY_TEST, ...pySolution('import os\nos._exit(0)') }, byExitCode],
  [
    'pytest: an exit hook',
    PYTEST,
    { ...PY_TEST, ...pySolution('import atexit, os\natexit.register(lambda: os._exit(0))') },
    byExitCode,
  ],
  [
    'pytest: only collected',
    PYTEST,
    {
      ...PY_TEST,
      'solution.py': PY_WRONG,
      'conftest.py': '',
      'pytest.ini': '[pytest]\naddopts = --collect-only\n',
    },
    byExitCode,
  ],
  [
    'unittest: exit 0 at import',
    UNITTEST,
    { ...UNIT_TEST, 'solution.py': `import os\nos._exit(0)\n` },
    byExitCode,
  ],
  [
    'unittest: an exit hook',
    UNITTEST,
    { ...UNIT_TEST, 'solution.py': `import atexit, os\natexit.register(lambda: os._exit(0))\n${PY_WRONG}` },
    byExitCode,
  ],
  [
    'node --test: exit 0 at import',
    NODE,
    { ...NODE_TEST, 'solution.mjs': `process.exit(0);\n${JS_WRONG}` },
    byExitCode,
  ],
];

const GO_EXITS: readonly Cheat[] = [
  [
    'go test: exit 0 at the start',
    GO,
    { ...GO_TEST, 'w.go': `package w\n\nimport "syscall"\n\nfunc init() { syscall.Exit(0) }\n\n${GO_WRONG}` },
    byExitCode,
  ],
  [
    'go test: exit 0 when it is called',
    GO,
    {
      ...GO_TEST,
      'w.go': 'package w\n\nimport "syscall"\n\nfunc Add(a, b int) int { syscall.Exit(0); return 0 }\n',
    },
    byExitCode,
  ],
  [
    'go test: TestMain swallows the code',
    GO,
    {
      ...GO_TEST,
      'w.go': `package w\n\n${GO_WRONG}`,
      'm_test.go': goFile('func TestMain(m *testing.M) { m.Run(); os.Exit(0) }', 'os'),
    },
    byExitCode,
  ],
];

const RED: readonly (readonly [name: string, command: string, files: Files])[] = [
  ['pytest', PYTEST, { ...PY_TEST, ...pySolution(''), 'test_a.py': 'def test_a(): pass\n' }],
  ['unittest', UNITTEST, { ...UNIT_TEST, 'solution.py': PY_WRONG }],
  ['vitest', VITEST, { ...VITEST_TEST, 'solution.js': JS_WRONG }],
  ['node --test', NODE, { ...NODE_TEST, 'solution.mjs': JS_WRONG }],
];
const GO_RED: typeof RED = [['go test', GO, { ...GO_TEST, 'w.go': `package w\n\n${GO_WRONG}` }]];

const needed = <Row>(rows: readonly Row[], goRows: readonly Row[]) => [...rows, ...(hasGo ? goRows : [])];

describe('a test that has to fail', { timeout: 120_000 }, () => {
  test.each(needed(HONEST, GO_HONEST))(
    'fails as it must in a green suite: %s',
    async (_name, command, files) => {
      const outcome = await withCanary(command, files);
      expect([verdictOf(outcome), outcome.canary, outcome.canaryBecause], outcome.feedback).toEqual([
        'pass',
        'right',
        undefined,
      ]);
      // It is not among the tests, and takes none of them away.
      expect(statusesOf(outcome)).toEqual(statusesOf(await withoutCanary(command, files)));
    },
  );

  test.each(needed(RED, GO_RED))(
    'fails as it must in a red suite, which stays red: %s',
    async (_name, command, files) => {
      const outcome = await withCanary(command, files);
      expect([verdictOf(outcome), outcome.canary], outcome.feedback).toEqual(['fail', 'right']);
    },
  );

  test.each(needed(CHEATS, GO_CHEATS))('shows that %s', async (_name, command, files, control) => {
    const outcome = await withCanary(command, files);
    expect([verdictOf(outcome), outcome.canary], outcome.feedback).toEqual(['fail', 'wrong']);
    expect(outcome.feedback).toContain('the runner does not report failures any more');
    expect(verdictOf(await control(command, files))).toBe('pass');
  });

  test.each(needed(EXITS, GO_EXITS))('does not make a pass of %s', async (_name, command, files, control) => {
    const outcome = await withCanary(command, files);
    expect(verdictOf(outcome)).not.toBe('pass');
    expect(outcome.canary).not.toBe('right');
    expect(verdictOf(await control(command, files))).toBe('pass');
  });
});

describe('where no such test can be added', () => {
  test.each<[name: string, type: string, options: Record<string, unknown>, files: Files]>([
    ['a command judged by its exit code', 'command', { command: 'true' }, {}],
    [
      'a report of a runner that is not known',
      'junit',
      { command: `echo '<testsuite><testcase name="a"/></testsuite>' > $LOOPGEN_REPORT` },
      {},
    ],
  ])('%s says so and keeps its verdict', async (_name, type, options, files) => {
    const outcome = await evaluate(type, { files, options, canary: true });
    expect([verdictOf(outcome), outcome.canary]).toEqual(['pass', 'none']);
    expect(outcome.canaryBecause).toMatch(/./);
  });

  test.runIf(hasGo)('a go test of named files says so [needs go]', async () => {
    const outcome = await withCanary('go test a_test.go', {
      'a_test.go': goFile('func TestA(t *testing.T) {}'),
    });
    expect([verdictOf(outcome), outcome.canary]).toEqual(['pass', 'none']);
  });

  test('a suite that does not load says nothing about its runner', async () => {
    const outcome = await withCanary(PYTEST, { ...PY_TEST, 'conftest.py': '' });
    expect([verdictOf(outcome), outcome.canary]).toEqual(['collection', 'missed']);
  });
});

describe('tests that pass only when tried again', () => {
  const flaky = "let n = 0;\ntest('a', { retry: 2 }, () => { n += 1; expect(n).toBe(2); });";
  const run = (options: Record<string, unknown>, canary: boolean) =>
    evaluate('vitest', {
      ...given(VITEST, { 'a.test.js': vitestFile(flaky) }),
      options: { command: VITEST, ...options },
      canary,
    });

  test('are a caveat in an iteration, and no pass beside a test that has to fail', async () => {
    const plain = await run({}, false);
    expect([verdictOf(plain), plain.caveats]).toEqual([
      'pass',
      ['1 test passed only after being tried again'],
    ]);
    const confirmed = await run({}, true);
    expect([verdictOf(confirmed), confirmed.canary]).toEqual(['fail', 'right']);
    expect(confirmed.feedback).toContain('a.test.js > a');
  });

  test('are what the option says', async () => {
    expect(verdictOf(await run({ retries: 'caveat' }, true))).toBe('pass');
    expect(verdictOf(await run({ retries: 'fail' }, false))).toBe('fail');
  });
});

describe('a check whose processes see the tree elsewhere', () => {
  test.each<[type: string, options: Record<string, unknown>, files: Files, verdict: string]>([
    [
      'command',
      { command: 'test "$ENTERED" = 1 && test "$(basename "$PWD")" = sub', cwd: 'sub' },
      { 'sub/a': '' },
      'pass',
    ],
    ['command', { command: 'sh none.sh' }, {}, 'fail'],
    ['experiment', { command: 'echo "{\\"x\\": $ENTERED}"', metric: 'x', minValue: 1 }, {}, 'pass'],
    ['unittest', { args: ['discover', '-s', 'tests'] }, { ...UNIT_TEST, 'solution.py': PY_WRONG }, 'fail'],
    ['pytest', {}, { ...PY_TEST, 'solution.py': PY_WRONG, 'conftest.py': '' }, 'fail'],
    [
      'vitest',
      { command: VITEST },
      { ...VITEST_TEST, 'solution.js': JS_WRONG, 'package.json': '{"type": "module"}' },
      'fail',
    ],
    ['node-test', {}, { ...NODE_TEST, 'solution.mjs': JS_WRONG }, 'fail'],
  ])(
    '%s %j starts them there, and tells places as the workspace has them',
    async (type, options, files, verdict) => {
      const outcome = await evaluate(type, {
        files,
        options,
        seenElsewhere: true,
        nodeModules: type === 'vitest',
      });
      expect(verdictOf(outcome), outcome.feedback).toBe(verdict);
      for (const one of outcome.tests ?? []) {
        expect(Object.keys(files)).toContain(one.file);
        expect(one.place).toMatch(/^(?:tests\/test_s\.py|a\.test\.m?js):\d+$/);
      }
    },
  );
});

describe.skipIf(!canBind())('a tree bound over another folder [needs bwrap]', { timeout: 60_000 }, () => {
  test.each(
    needed(
      HONEST.filter(([name]) => ['pytest', 'unittest', 'vitest', 'node --test'].includes(name)),
      GO_HONEST.slice(0, 1),
    ),
  )('is judged like any other: %s', async (_name, command, files) => {
    const outcome = await evaluate('command', { ...given(command, files), canary: true, bound: true });
    expect([verdictOf(outcome), outcome.canary], outcome.feedback).toEqual(['pass', 'right']);
    expect(outcome.tests?.every(({ file }) => file !== undefined && file in files)).toBe(true);
  });
});
