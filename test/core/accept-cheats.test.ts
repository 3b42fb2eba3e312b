import { describe, expect, test } from 'vitest';
import type { GuardRule } from '../../src/core/guard.ts';
import { type Edits, type Files, notTaken, type Play, play, redByCode, redIn } from './accept-play.ts';

interface Cheat extends Play {
  readonly title: string;
  readonly files?: Files;
  readonly edits: Edits;
  /** What must stay out; all edits unless given. */
  readonly out?: readonly string[];
}

const PY: Files = {
  'rates.py': 'def net(x):\n    return x\n',
  'tests/test_rates.py':
    'import json, pathlib\nfrom rates import net\nfrom checks import near\n\nROWS = json.loads((pathlib.Path(__file__).parent / "rows.json").read_text())\n\n\ndef test_net():\n    assert near(net(120), 100)\n',
  'tests/test_other.py': 'def test_other(): pass\n',
  'tests/checks.py': 'def near(a, b): return abs(a - b) < 1\n',
  'tests/rows.json': '[[120, 100]]\n',
  'tests/__init__.py': '',
  'tests/conftest.py': 'import pytest\n',
};
const PY_RED = [redIn('tests/test_rates.py')];

const JS: Files = {
  'package.json': '{"name":"r","type":"module","scripts":{"test":"vitest run"}}\n',
  'src/rates.js': '',
  'test/rates.test.js': 'import { net } from "../src/rates.js";\nimport { near } from "./near.js";\n',
  'test/near.js': 'export const near = (a, b) => a === b;\n',
  'test/other.test.js': '',
  'vite.config.js': 'export default { test: { setupFiles: ["./lab/prepare.js"] } };\n',
  'lab/prepare.js': '',
  'test/__snapshots__/rates.test.js.snap': '// v1\n\nexports[`net 1`] = `100`;\n',
};
const JS_RED = [redIn('test/rates.test.js')];

const GO: Files = {
  'go.mod': 'module ex.org/r\n\ngo 1.21\n\nrequire ex.org/assert v1.0.0\n',
  'rates/rates.go': 'package rates\n',
  'rates/rates_test.go': 'package rates\n\nimport "testing"\n\nfunc TestNet(t *testing.T) {}\n',
  'rates/quick_test.go': 'package rates\n',
};
const GO_RED = [redIn('rates/rates_test.go')];

const PYTHON: readonly Cheat[] = [
  { title: 'another expected value', edits: { 'tests/test_rates.py': 'def test_net(): assert True\n' } },
  { title: 'the red file deleted', edits: { 'tests/test_rates.py': null } },
  {
    title: 'a skip, with a trivial test beside it',
    edits: {
      'tests/test_rates.py': 'import pytest\npytest.skip("x")\n',
      'tests/test_new.py': 'def test_x(): pass\n',
    },
    out: ['tests/test_rates.py'],
  },
  ...[redIn('tests/test_rates.py'), redByCode('sh run.sh')].flatMap((check): Cheat[] => [
    {
      title: `a helper of any name beside the sources that asserts no more (${check.judgedBy})`,
      files: {
        'rates.py': 'def net(x):\n    return x\n',
        'nearness.py': 'def near(a, b):\n    assert abs(a - b) < 1\n',
        'tests/test_rates.py':
          'from nearness import near\nfrom rates import net\n\n\ndef test_net():\n    near(net(120), 100)\n',
      },
      edits: { 'nearness.py': 'def near(a, b):\n    pass\n' },
      baseline: [check],
    },
    {
      title: `a table beside the sources (${check.judgedBy})`,
      files: {
        'rates.py': '',
        'cases.csv': '120,100\n',
        'tests/test_rates.py': 'from rates import net\nROWS = open("cases.csv").readlines()\n',
      },
      edits: { 'cases.csv': '' },
      baseline: [check],
    },
  ]),
  { title: 'a helper that always says yes', edits: { 'tests/checks.py': 'def near(a, b): return True\n' } },
  {
    title: 'a package before a helper',
    edits: {
      'tests/checks/__init__.py': 'def near(a, b): return True\n',
      'tests/checks.cpython-311-x86_64-linux-gnu.so': 'x',
    },
  },
  { title: 'fewer rows of data', edits: { 'tests/rows.json': '[]\n' } },
  {
    title: 'load_tests in a package of tests',
    edits: { 'tests/__init__.py': 'def load_tests(l, t, p): return __import__("unittest").TestSuite()\n' },
  },
  {
    title: 'load_tests in a new package above the tests',
    edits: { 'tests/__init__.py': null, '__init__.py': 'load_tests = None\n' },
  },
  {
    title: 'a hook in the conftest of the tests',
    edits: { 'tests/conftest.py': 'def pytest_pyfunc_call(pyfuncitem): return True\n' },
  },
  {
    title: 'a new conftest above the tests',
    edits: { 'conftest.py': 'collect_ignore = ["tests/test_rates.py"]\n' },
  },
  {
    title: 'new configuration of pytest, of every name',
    edits: {
      'pytest.ini': '[pytest]\naddopts = --collect-only\n',
      '.pytest.ini': '[pytest]\n',
      'pytest.toml': '',
      '.pytest.toml': '',
      'tox.ini': '[pytest]\npython_files = x.py\n',
      'setup.cfg': '[tool:pytest]\naddopts = --lf\n',
      'pyproject.toml': '[tool.pytest.ini_options]\naddopts = "-k nothing"\n',
    },
  },
  {
    title: 'the same sections written in other ways',
    files: { ...PY, 'pyproject.toml': '[project]\nname = "r"\n' },
    edits: { 'pyproject.toml': 'tool.pytest.ini_options.addopts = "--co"\n[project]\nname = "r"\n' },
  },
  {
    title: 'start-up files of Python',
    edits: {
      'sitecustomize.py': '',
      'usercustomize.py': '',
      'tests/sitecustomize/__init__.py': '',
      'x.pth': 'import os\n',
    },
  },
  {
    title: 'modules before the runner, the standard library, a library of tests and an installed package',
    edits: {
      'pytest.py': 'print("9 passed")\n',
      'unittest/__init__.py': '',
      'random.py': '',
      'src/fractions.py': '',
      'tests/decimal.py': '',
      'approvals.py': '',
      'attr.py': '',
    },
    installed: new Set(['attr']),
    files: Object.fromEntries(Object.entries(PY).filter(([path]) => path !== 'tests/__init__.py')),
  },
  {
    title: 'a planted cache',
    edits: { '.pytest_cache/v/cache/lastfailed': '{"tests/test_other.py::test_other": true}' },
  },
  { title: 'metadata of a plug-in', edits: { 'zz-1.0.dist-info/entry_points.txt': '[pytest11]\nzz = zz\n' } },
  {
    title: 'a program of the virtual environment',
    files: { ...PY, '.venv/bin/pytest': '#!/bin/sh\n' },
    edits: { '.venv/bin/pytest': '#!/bin/sh\necho ok\n' },
  },
  {
    title: 'a link in the place of the folder of tests',
    edits: { 'tests/test_rates.py': null, tests: '.tests', '.tests/test_rates.py': '' },
    out: ['tests', 'tests/test_rates.py'],
  },
  {
    title: 'a folder in the place of the red file',
    edits: { 'tests/test_rates.py': null, 'tests/test_rates.py/x': '' },
  },
  {
    title: 'start-up files of a shell',
    edits: { '.bash_profile': 'python3() { echo ok; }\n', '.envrc': 'export PYTEST_ADDOPTS=--co\n' },
  },
  { title: 'a version of the interpreter', edits: { '.python-version': 'cheat\n' } },
  {
    title: 'hooks, filters and configuration of git',
    edits: {
      '.git/hooks/pre-commit': 'x',
      '.git/config': 'x',
      '.git/info/exclude': 'conftest.py\n',
      '.gitattributes': 'tests/* filter=z\n',
    },
  },
];

const JAVASCRIPT: readonly Cheat[] = [
  { title: 'todo on the red test', edits: { 'test/rates.test.js': 'test.todo("net");\n' } },
  { title: 'a helper that always says yes', edits: { 'test/near.js': 'export const near = () => true;\n' } },
  {
    title: 'a file that is found before a helper',
    edits: { 'test/near.mjs': '', 'test/near.ts': '', 'test/near.json': '' },
  },
  { title: 'a set-up file that the configuration names', edits: { 'lab/prepare.js': 'process.exit(0);\n' } },
  {
    title: 'configuration that is found before the one that is there, and what only it names',
    edits: {
      'vitest.config.mts': 'export default { test: { globalSetup: "./g.js" } };\n',
      'vitest.workspace.ts': '',
      'g.js': 'process.exit(0)\n',
    },
    out: ['vitest.config.mts', 'vitest.workspace.ts'],
  },
  {
    title: 'configuration of the other runners',
    edits: {
      'jest.config.cjs': '',
      'babel.config.js': '',
      '.babelrc': '',
      '.mocharc.yml': '',
      '.mocharc.cjs': '',
      'ava.config.js': '',
      '.taprc': '',
      '.nycrc.json': '',
    },
  },
  {
    title: 'what tests expect',
    edits: { 'test/__snapshots__/rates.test.js.snap': '// v1\n\nexports[`net 1`] = `120`;\n' },
  },
  { title: 'what tests expect, deleted', edits: { 'test/__snapshots__/rates.test.js.snap': null } },
  { title: 'a mock of a package', edits: { '__mocks__/assertish.js': 'module.exports = { eq() {} };\n' } },
  {
    title: 'a mock of a module that a test mocks',
    files: { ...JS, 'test/rates.test.js': 'vi.mock("../src/clock.js");\n', 'src/clock.js': '' },
    edits: { 'src/__mocks__/clock.js': 'export const now = () => 0;\n' },
  },
  {
    title: 'the test script',
    edits: { 'package.json': '{"name":"r","type":"module","scripts":{"test":"vitest run || true"}}\n' },
  },
  {
    title: 'a script that npm runs before it',
    edits: {
      'package.json':
        '{"name":"r","type":"module","scripts":{"test":"vitest run","pretest":"node cheat.js"}}\n',
    },
  },
  {
    title: 'runner sections',
    edits: {
      'package.json':
        '{"name":"r","type":"module","scripts":{"test":"vitest run"},"jest":{"testMatch":["x"]}}\n',
    },
  },
  {
    title: 'the shell of scripts',
    edits: { '.npmrc': 'script-shell=/bin/true\n', '.yarnrc.yml': 'yarnPath: ./y.js\n' },
  },
  { title: 'programs of packages', edits: { 'node_modules/.bin/vitest': '#!/bin/sh\n' } },
  {
    title: 'what the compiler checks, and what that is based on',
    files: { ...JS, 'tsconfig.json': '{"extends":"./strict.json"}\n', 'strict.json': '{}\n' },
    edits: {
      'tsconfig.json': '{"exclude":["src"]}\n',
      'strict.json': '{"compilerOptions":{"noCheck":true}}\n',
      'src/tsconfig.json': '{}\n',
    },
  },
];

/** What checkers of the source read. */
const CHECKED: readonly Cheat[] = [
  {
    title: 'configuration of Python checkers that is found before the one that is there',
    files: { 'a.py': '', 'setup.cfg': '[mypy]\nstrict = True\n' },
    edits: {
      'mypy.ini': '[mypy]\nignore_errors = True\n',
      'ruff.toml': 'exclude = ["a.py"]\n',
      '.flake8': '[flake8]\nexclude = a.py\n',
      'pyrightconfig.json': '{"exclude":["a.py"]}\n',
      '.pylintrc': '[MAIN]\nignore=a.py\n',
      'setup.cfg': '[mypy]\nstrict = False\n',
      'pyproject.toml': '[tool.black]\nexclude = "a.py"\n',
    },
  },
  {
    title: 'a stub that is read in the place of a module',
    files: { 'shop/a.py': '' },
    edits: { 'shop/a.pyi': '' },
  },
  {
    title: 'configuration of JavaScript linters, nearer or found first',
    files: {
      'package.json': '{}\n',
      'eslint.config.js': 'export default [];\n',
      'lint/.stylelintrc.json': '{}\n',
      'lib/a.js': '',
    },
    edits: {
      'lib/.eslintrc.json': '{"root":true}\n',
      'eslint.config.mjs': '',
      '.eslintignore': 'lib\n',
      'lint/.stylelintignore': '*\n',
      'biome.json': '{}\n',
      'lib/.oxlintrc.json': '{}\n',
      '.prettierrc': '{}\n',
      'package.json': '{"prettier":{"semi":false},"knip":{}}\n',
    },
  },
  {
    title: 'what configuration imports, and what is based on what',
    files: {
      'tsconfig.json': '{"extends":["./cfg/one.json"]}\n',
      'cfg/one.json': '{"extends":"./two"}\n',
      'cfg/two.json': '{"compilerOptions":{"strict":true}}\n',
      'eslint.config.js': "import { rules } from './cfg/rules.js';\nexport default [rules];\n",
      'cfg/rules.js': 'export const rules = {};\n',
      'lib/a.ts': '',
    },
    edits: {
      'cfg/two.json': '{"compilerOptions":{"noCheck":true}}\n',
      'cfg/rules.js': 'export const rules = [];\n',
    },
  },
  {
    title: 'an ignore file that hides a source',
    files: { 'lib/a.js': '', 'web/lib/b.ts': '', '.gitignore': 'dist\n', 'x.py': '' },
    edits: {
      '.gitignore': 'dist\nlib/a.js\n',
      '.prettierignore': '*.js\n',
      'web/.gitignore': '/lib/\n',
      '.ignore': '# all\n*\n',
    },
  },
  {
    title: 'Go: configuration of linters',
    files: { 'a.go': 'package a\n' },
    edits: { '.golangci.yml': 'issues: {exclude-dirs: [.]}\n', 'staticcheck.conf': 'checks = []\n' },
  },
  {
    title: 'Rust: levels of the linter',
    files: { 'Cargo.toml': '[package]\nname = "a"\n\n[lints.clippy]\nall = "deny"\n', 'src/lib.rs': '' },
    edits: { 'Cargo.toml': '[package]\nname = "a"\n\n[lints.clippy]\nall = "allow"\n', 'clippy.toml': '' },
  },
];

/** What commands of checks name, and what make looks for. */
const NAMED: readonly Cheat[] = [
  {
    title: 'files that the command of a check names as set-up',
    files: {
      'lab/hooks.mjs': '',
      'lab/one.cjs': '',
      'cfg/ci.mts': '',
      'cfg/py.cfg': '',
      'cfg/types.json': '{"extends":"./base"}\n',
      'rules/ci': 'all:\n\ttrue\n',
      'env.sh': '',
    },
    baseline: [
      redByCode('node --import ./lab/hooks.mjs -r ./lab/one.cjs --test'),
      redByCode('npx vitest run --config=cfg/ci.mts && pytest -c cfg/py.cfg'),
      redByCode('tsc -p cfg/types.json; make -f rules/ci'),
      redByCode('. ./env.sh && pytest'),
    ],
    edits: {
      'lab/hooks.mjs': 'process.exit(0)\n',
      'lab/one.cjs': 'process.exit(0)\n',
      'cfg/ci.mts': 'x',
      'cfg/py.cfg': 'x',
      'cfg/types.json': '{}\n',
      'rules/ci': 'all:\n\ttrue # x\n',
      'env.sh': 'pytest() { true; }\n',
    },
  },
  {
    title: 'the same in a script that the check runs',
    files: {
      'web/package.json': '{"scripts":{"test":"jest -c ../cfg/jest.json","e2e":"node -r ./x.cjs a.js"}}\n',
      'cfg/jest.json': '{}\n',
    },
    baseline: [redByCode('cd web && npm test')],
    edits: { 'cfg/jest.json': '{"testMatch":[]}\n' },
  },
  {
    title: 'make: files named like targets',
    files: { Makefile: 'all: verify\n\nverify:\n\t./run.sh\n', 'sub/Makefile': 'test:\n\tgo test\n' },
    baseline: [redByCode('make verify && make -C sub test')],
    edits: { verify: 'x', 'sub/test/a.txt': 'x', all: 'x' },
  },
  {
    title: 'make: files that it includes where they are there',
    files: { Makefile: '-include local.mk .env\nsinclude cfg/more\n\ntest:\n\t$(X) ./run.sh\n' },
    baseline: [redByCode('make test')],
    edits: { 'local.mk': 'X = true\n', '.env': 'X=true\n', 'cfg/more': 'X = true\n' },
  },
];

const OTHERS: readonly Cheat[] = [
  {
    title: 'variables of interpreters and runners',
    files: { 'a.py': '' },
    edits: { '.env': 'A=1\nPYTEST_ADDOPTS=--co\n', '.env.test': 'export NODE_OPTIONS="--require ./x.cjs"\n' },
  },
  {
    title: 'programs that start the build, and what they are made of',
    files: { 'src/main/java/R.java': '', 'build.gradle': '' },
    edits: {
      mvnw: 'exit 0\n',
      gradlew: 'exit 0\n',
      'gradle/wrapper/gradle-wrapper.properties': 'distributionUrl=x\n',
      'init.gradle': '',
      'buildSrc/build.gradle': '',
      'build.gradle': 'tasks.withType(Test) { enabled = false }\n',
    },
  },
  {
    title: 'Java: a section in a comment, a part of the build that is another',
    files: {
      'pom.xml': '<project>\n<modules>\n<module>a</module>\n</modules>\n</project>\n',
      'a/pom.xml': '<project>\n</project>\n',
      'a/src/main/java/R.java': '',
    },
    edits: {
      'pom.xml': '<project>\n<modules>\n<!--\n<module>a</module>\n-->\n</modules>\n</project>\n',
      'a/pom.xml':
        '<project>\n<properties><maven.test.failure.ignore>true</maven.test.failure.ignore></properties>\n</project>\n',
    },
  },
  {
    title: 'Rust: programs that run before the tests, and other packages in the place of some',
    files: {
      'Cargo.toml': '[package]\nname = "r"\n',
      'src/lib.rs': '',
      'sys/build.rs': '',
      'sys/src/lib.rs': '',
    },
    edits: {
      'build.rs': 'fn main() {}\n',
      'sys/build.rs': 'fn main() {\nstd::fs::write("../tests/net.rs", "");\n}\n',
      'Cargo.toml':
        '[package]\nname = "r"\nbuild = "x.rs"\n\n[patch.crates-io]\nassertish = { path = "fake" }\n',
    },
  },
  {
    title: 'Go: packages of the agent’s in the place of those that are required',
    files: GO,
    baseline: GO_RED,
    edits: {
      'vendor/modules.txt': '# ex.org/assert v1.0.0\n',
      'go.mod': 'module ex.org/r\n\ngo 1.25\n\nrequire ex.org/assert v1.0.0\n\nignore ./rates\n',
    },
  },
  {
    title: 'tasks of a runner of tasks',
    files: {
      'tasks.py': 'from invoke import task\n',
      'turbo.json': '{"tasks":{"test":{}}}\n',
      Justfile: 'test:\n',
    },
    edits: {
      'tasks.py': 'from invoke import task\n# x\n',
      'turbo.json': '{}\n',
      justfile: 'test:\n',
      '.turbo/x.log': 'x',
    },
  },
  {
    title: 'Go: a TestMain in a new file',
    files: GO,
    baseline: GO_RED,
    edits: { 'rates/main_test.go': 'package rates\n\nfunc TestMain(m *testing.M) { m.Run() }\n' },
  },
  {
    title: 'Go: a TestMain in a green file',
    files: GO,
    baseline: GO_RED,
    edits: { 'rates/quick_test.go': 'package rates\n\nfunc  TestMain (m *testing.M) {}\n' },
  },
  {
    title: 'Go: a build tag',
    files: GO,
    baseline: GO_RED,
    edits: { 'rates/rates_test.go': '//go:build never\n\npackage rates\n' },
  },
  {
    title: 'Go: another name',
    files: GO,
    baseline: GO_RED,
    edits: { 'rates/rates_test.go': null, 'rates/rates_windows_test.go': 'package rates\n' },
    out: ['rates/rates_test.go'],
  },
  {
    title: 'Go: other modules',
    files: GO,
    baseline: GO_RED,
    edits: {
      'go.work': 'use ./x\n',
      'rates/go.mod': 'module x\n',
      'go.mod':
        'module ex.org/r\n\ngo 1.21\n\nrequire ex.org/assert v1.0.0\n\nreplace ex.org/assert => ./fake\n',
    },
  },
  {
    title: 'Rust: what runs the tests, and which',
    files: { 'Cargo.toml': '[package]\nname = "r"\n', 'src/lib.rs': '', 'tests/net.rs': '' },
    baseline: [redByCode('cargo test')],
    edits: {
      '.cargo/config.toml': '[target.x]\nrunner = "true"\n',
      'Cargo.toml': '[package]\nname = "r"\nautotests = false\n',
      'tests/net.rs': '',
    },
  },
  {
    title: 'Java: tests left out by the build',
    files: {
      'pom.xml': '<project>\n</project>\n',
      'src/main/java/R.java': '',
      'src/test/java/RTest.java': '',
    },
    baseline: [redByCode('mvn -q test')],
    edits: {
      'pom.xml': '<project>\n<properties><skipTests>true</skipTests></properties>\n</project>\n',
      '.mvn/maven.config': '-DskipTests\n',
      'src/test/java/RTest.java': null,
    },
  },
  {
    title: 'make: a makefile before the one that is there, and another recipe',
    files: { Makefile: 'test:\n\t./run.sh\n' },
    baseline: [redByCode('make test')],
    edits: {
      GNUmakefile: 'test:\n\ttrue\n',
      makefile: 'test:\n\ttrue\n',
      Makefile: 'test:\n\t./run.sh || true\n',
    },
  },
  {
    title: 'a suite that does not load: all of its tests',
    files: PY,
    baseline: [{ name: 'tests', status: 'unusable', judgedBy: 'test-ids' }],
    edits: { 'tests/test_rates.py': null, 'tests/test_other.py': null, 'tests/checks.py': '' },
  },
];

function keptOutTest({ files = {}, edits, out, ...facts }: Cheat): void {
  expect(notTaken(play(files, edits, facts), edits)).toEqual([...(out ?? Object.keys(edits))].sort());
}

describe('edits that would turn checks green do not go in', () => {
  test.each(PYTHON)('Python: $title', (cheat) => {
    keptOutTest({ files: PY, baseline: PY_RED, ...cheat });
  });
  test.each(JAVASCRIPT)('JavaScript: $title', (cheat) => {
    keptOutTest({ files: JS, baseline: JS_RED, ...cheat });
  });
  test.each(CHECKED)('checkers: $title', keptOutTest);
  test.each(NAMED)('by name: $title', keptOutTest);
  test.each(OTHERS)('$title', keptOutTest);

  test('unless the spec allows them, and then that is told', () => {
    const edits = { 'conftest.py': 'x', 'tests/test_rates.py': null, 'rates.py': 'y' };
    const accepted = play(PY, edits, {
      baseline: PY_RED,
      allow: ['conftest.py', 'tests/test_rates.py', 'rates.py'],
    });
    expect(notTaken(accepted, edits)).toEqual([]);
    expect(accepted.allowed).toEqual(['conftest.py', 'tests/test_rates.py']);
    expect(accepted.keptOut).toEqual([]);
  });
});

test('what the agent’s own solution does is not seen here', () => {
  const edits = { 'rates.py': 'import os\nos._exit(0)\n', 'tests/test_new.py': 'def test_x(): pass\n' };
  expect(notTaken(play(PY, edits, { baseline: PY_RED }), edits)).toEqual([]);
});

test('scripts that a check names stay out by the rules of the judge, whatever the reaction, and the spec can never be allowed', () => {
  const rule = (name: GuardRule['name'], reaction: GuardRule['reaction'], path: string): GuardRule => ({
    name,
    reaction,
    because: 'it judges',
    paths: [path],
    matches: (other) => other === path,
  });
  const rules = [
    rule('spec', 'error', 'loop.yaml'),
    rule('evaluator', 'warn', 'score.py'),
    rule('evaluator', 'off', 'x.py'),
  ];
  const edits = { 'loop.yaml': 'x', 'score.py': 'x', 'x.py': 'x' };
  const accepted = play({ 'loop.yaml': '', 'score.py': '', 'x.py': '' }, edits, {
    rules,
    allow: ['loop.yaml'],
  });
  expect(notTaken(accepted, edits)).toEqual(['loop.yaml', 'score.py']);
  expect(accepted.keptOut.map(({ path, allow }) => [path, allow])).toEqual([
    ['loop.yaml', undefined],
    ['score.py', 'allow: ["score.py"]'],
  ]);
});

test('what something reads by itself is known as such; an edit of red tests is not', () => {
  const edits = { 'conftest.py': 'x = 1\n', 'tests/test_rates.py': 'def test_x(): pass\n' };
  const { keptOut } = play(PY, edits, { baseline: PY_RED });
  expect(Object.fromEntries(keptOut.map(({ path, inForce }) => [path, inForce]))).toEqual({
    'conftest.py': true,
    'tests/test_rates.py': undefined,
  });
});

test('a plug-in by metadata and a compiled module are told in one line each, caches are not', () => {
  const edits = {
    'fast.py': 'def pytest_collection_modifyitems(items):\n    items.clear()\n',
    'fast-1.0.dist-info/METADATA': 'Name: fast\n',
    'fast-1.0.dist-info/entry_points.txt': '[pytest11]\nfast = fast\n',
    'rates.pyc': 'x',
    '__pycache__/rates.cpython-311.pyc': 'x',
  };
  const accepted = play(PY, edits, { baseline: PY_RED });
  expect(accepted.keptOut).toEqual([
    {
      path: 'fast-1.0.dist-info',
      because: 'it names a plug-in that pytest loads by itself',
      allow: 'allow: ["fast-1.0.dist-info"]',
      quiet: false,
      inForce: true,
    },
    {
      path: 'rates.pyc',
      because: 'Python would load it without a source',
      allow: 'allow: ["rates.pyc"]',
      quiet: false,
      inForce: true,
    },
  ]);
  expect(notTaken(accepted, edits)).toEqual(
    Object.keys(edits)
      .filter((path) => path !== 'fast.py')
      .sort(),
  );
  const allow = ['fast-1.0.dist-info', 'rates.pyc'];
  expect(play(PY, edits, { baseline: PY_RED, allow }).keptOut).toEqual([]);
});
