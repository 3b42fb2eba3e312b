import { describe, expect, test } from 'vitest';
import { type Edits, type Files, notTaken, type Play, play, redByCode, redIn } from './accept-play.ts';

interface Honest extends Play {
  readonly title: string;
  readonly files: Files;
  readonly edits: Edits;
}

const JS_TEST = `import { test, expect } from 'vitest';\nimport { mean } from '../src/stats.js';\ntest('m', () => expect(mean([2, 4])).toBe(3));\n`;
const PY_TEST = 'from shop.cart import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n';

const HONEST: readonly Honest[] = [
  {
    title: 'a source in a src layout with its configuration beside it',
    files: {
      'pyproject.toml': '[project]\nname = "shop"\n\n[tool.pytest.ini_options]\naddopts = "-q"\n',
      'src/shop/__init__.py': '',
      'src/shop/cart.py': 'def total(items):\n    return 0\n',
      'tests/conftest.py': 'import pytest\n',
      'tests/test_cart.py': PY_TEST,
    },
    edits: {
      'src/shop/cart.py': 'def total(items):\n    return sum(items)\n',
      'src/shop/tax.py': 'RATE = 0.2\n',
    },
    baseline: [redIn('tests/test_cart.py')],
  },
  {
    title: 'new tests with data, helpers and a conftest of their own',
    files: { 'shop/__init__.py': '', 'shop/cart.py': '', 'tests/test_cart.py': PY_TEST },
    edits: {
      'shop/cart.py': 'def total(items):\n    return sum(items)\n',
      'tests/test_tax.py': 'def test_tax():\n    assert True\n',
      'tests/tax/conftest.py': 'import pytest\n',
      'tests/tax/test_more.py': 'def test_more(): pass\n',
      'tests/tax/rates.json': '[1]\n',
      'tests/builders.py': 'def cart(): return []\n',
      'e2e/conftest.py': '',
      'e2e/pytest.ini': '[pytest]\n',
      'e2e/test_all.py': 'def test_all(): pass\n',
    },
    baseline: [redIn('tests/test_cart.py')],
  },
  {
    title: 'an assertion of a source that becomes an error',
    files: {
      'cart.py': 'def total(items):\n    assert items\n    return 0\n',
      'tax.py': 'RATE = 0\n',
      'tests/test_all.py': 'from cart import total\nfrom tax import RATE\n',
    },
    edits: {
      'cart.py':
        'def total(items):\n    if not items:\n        raise ValueError("empty")\n    return sum(items)\n',
    },
    baseline: [redIn('tests/test_all.py')],
  },
  {
    title: 'a stub that throws, filled in',
    files: {
      'src/cart.js': "export function total() {\n  throw new Error('not implemented');\n}\n",
      'src/tax.js': 'export const rate = 0;\n',
      'test/all.test.js': "import { total } from '../src/cart.js';\nimport { rate } from '../src/tax.js';\n",
    },
    edits: { 'src/cart.js': 'export function total(items) {\n  return items.length;\n}\n' },
    baseline: [redIn('test/all.test.js')],
  },
  {
    title: 'a dependency in package.json, with its lock file',
    files: {
      'package.json': '{\n  "name": "s",\n  "scripts": { "test": "vitest run" },\n  "dependencies": {}\n}\n',
      'package-lock.json': '{}\n',
      'src/stats.js': '',
      'test/stats.test.js': JS_TEST,
    },
    edits: {
      'package.json':
        '{\n  "name": "s",\n  "scripts": { "test": "vitest run" },\n  "dependencies": { "mathjs": "^13.0.0" }\n}\n',
      'package-lock.json': '{"packages":{}}\n',
      'src/stats.js': 'export const mean = (a) => 3;\n',
    },
    baseline: [redIn('test/stats.test.js')],
  },
  {
    title: 'a dependency and metadata in pyproject.toml',
    files: {
      'pyproject.toml':
        '[project]\nname = "shop"\ndependencies = []\n\n[tool.pytest.ini_options]\naddopts = "-q"\n',
      'shop/cart.py': '',
      'tests/test_cart.py': PY_TEST,
    },
    edits: {
      'pyproject.toml':
        '[project]\nname = "shop"\ndependencies = [\n  "attrs>=23",  # data\n]\n\n[tool.pytest.ini_options]\naddopts = "-q"\n\n[project.optional-dependencies]\ndev = ["pytest"]\n',
      'requirements.txt': 'attrs\n',
    },
    baseline: [redIn('tests/test_cart.py')],
  },
  {
    title: 'a source renamed that red tests do not import',
    files: { 'shop/cart.py': '', 'shop/util.py': 'X = 1\n', 'tests/test_cart.py': PY_TEST },
    edits: { 'shop/util.py': null, 'shop/tools.py': 'X = 1\n', 'shop/cart.py': 'from shop.tools import X\n' },
    baseline: [redIn('tests/test_cart.py')],
  },
  {
    title: 'a project written from nothing',
    files: { 'README.md': '# wanted\n' },
    edits: {
      'package.json':
        '{"name":"w","type":"module","scripts":{"test":"vitest run","pretest":"tsc"},"vitest":{}}\n',
      'tsconfig.json': '{"compilerOptions":{"strict":true}}\n',
      'vitest.config.ts': 'export default {};\n',
      'src/index.ts': 'export const x = 1;\n',
      'test/index.test.ts': 'import "../src/index.js";\n',
      '.npmrc': 'fund=false\n',
      Makefile: 'test:\n\tnpm test\n',
      'pyproject.toml': '[tool.pytest.ini_options]\naddopts = "-q"\n',
      'tests/conftest.py': '',
      'pytest.ini': '[pytest]\n',
    },
    baseline: [redByCode('npm test')],
  },
  {
    title: 'the test script where npm had only written that there are no tests',
    files: {
      'package.json': '{"name":"w","scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}\n',
      'index.js': '',
    },
    edits: {
      'package.json': '{"name":"w","scripts":{"test":"jest"},"jest":{"testEnvironment":"node"}}\n',
      'index.test.js': 'test("a", () => {});\n',
    },
    baseline: [redByCode('npm test')],
  },
  {
    title: 'a build step in TypeScript with a script that was missing',
    files: {
      'package.json': '{"name":"w","scripts":{"test":"vitest run"}}\n',
      'tsconfig.json': '{"compilerOptions":{"strict":true}}\n',
      'src/stats.ts': '',
      'test/stats.test.ts': JS_TEST,
    },
    edits: {
      'package.json': '{"name":"w","scripts":{"test":"vitest run","build":"tsc -p tsconfig.build.json"}}\n',
      'tsconfig.build.json': '{"extends":"./tsconfig.json","include":["src"]}\n',
      'src/stats.ts': 'export const mean = () => 3;\n',
      'src/stats.test.ts': 'import "./stats.js";\n',
    },
    baseline: [redByCode('npm run build && test -f dist/stats.js')],
  },
  {
    title: 'a new package of a monorepo with its own runner configuration',
    files: {
      'package.json':
        '{"private":true,"workspaces":["packages/*"],"scripts":{"test":"npm test --workspaces"}}\n',
      'packages/a/package.json': '{"name":"a","scripts":{"test":"vitest run"}}\n',
      'packages/a/src/stats.js': '',
      'packages/a/test/stats.test.js': JS_TEST,
    },
    edits: {
      'packages/b/package.json': '{"name":"b","scripts":{"test":"jest"},"jest":{"verbose":true}}\n',
      'packages/b/jest.config.js': 'module.exports = {};\n',
      'packages/b/vitest.config.js': 'export default {};\n',
      'packages/b/tsconfig.json': '{}\n',
      'packages/b/b.js': '',
      'packages/b/b.test.js': '',
      'packages/a/src/stats.js': 'export const mean = () => 3;\n',
    },
    baseline: [redIn('packages/a/test/stats.test.js')],
  },
  {
    title: 'a Go module with a new package, tests, test data and a requirement',
    files: {
      'go.mod': 'module ex.org/w\n\ngo 1.21\n',
      'calc/calc.go': 'package calc\n',
      'calc/calc_test.go': 'package calc\n\nimport "testing"\n\nfunc TestA(t *testing.T) {}\n',
    },
    edits: {
      'go.mod': 'module ex.org/w\n\ngo 1.21\n\nrequire (\n\tex.org/x v1.0.0\n)\n',
      'go.sum': 'x\n',
      'calc/calc.go': 'package calc\n\nfunc Add(a, b int) int { return a + b }\n',
      'calc/more_test.go': 'package calc\n\nimport "testing"\n\nfunc TestB(t *testing.T) {}\n',
      'calc/testdata/more.golden': 'x\n',
      'fmtx/fmtx.go': 'package fmtx\n',
      'fmtx/fmtx_test.go': 'package fmtx\n\nfunc TestMain(m *testing.M) { os.Exit(m.Run()) }\n',
      'tools/go.mod': 'module ex.org/tools\n',
    },
    baseline: [redIn('calc/calc_test.go')],
  },
  {
    title: 'a Rust library whose tests stand in the source, with a new one',
    files: {
      'Cargo.toml': '[package]\nname = "w"\n\n[dependencies]\n',
      'src/lib.rs':
        'pub fn add(a: i32, b: i32) -> i32 { a - b }\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn adds() {\n        assert_eq!(add(2, 3), 5);\n    }\n}\n',
    },
    edits: {
      'Cargo.toml': '[package]\nname = "w"\n\n[dependencies]\nserde = "1"\n',
      'src/lib.rs':
        'pub fn add(a: i32, b: i32) -> i32 { a + b }\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn adds_more() {\n        assert_eq!(add(1, 1), 2);\n    }\n\n    #[test]\n    fn adds() {\n        assert_eq!(add(2, 3), 5);\n    }\n}\n',
    },
    baseline: [redByCode('cargo test')],
  },
  {
    title: 'a C program that gets a file and a target in its Makefile',
    files: {
      Makefile:
        'CC = cc\nOBJS = main.o list.o\n\nall: prog\n\nprog: $(OBJS)\n\t$(CC) -o $@ $(OBJS)\n\ntest: prog\n\t./run-tests.sh\n',
      'main.c': '',
      'list.c': '',
    },
    edits: {
      Makefile:
        'CC = cc\nOBJS = main.o list.o map.o\nCFLAGS = -O2\n\nall: prog\n\nprog: $(OBJS)\n\t$(CC) $(CFLAGS) -o $@ $(OBJS)\n\ntest: prog\n\t./run-tests.sh\n\nclean:\n\trm -f prog\n',
      'map.c': 'int map;\n',
    },
    baseline: [redByCode('make test')],
  },
  {
    title: 'snapshots of new tests',
    files: {
      'package.json': '{"scripts":{"test":"vitest run"}}\n',
      'src/stats.js': '',
      'test/stats.test.js': JS_TEST,
      'test/__snapshots__/stats.test.js.snap': '// Vitest Snapshot v1\n\nexports[`old 1`] = `1`;\n',
    },
    edits: {
      'test/__snapshots__/stats.test.js.snap':
        '// Vitest Snapshot v1\n\nexports[`new 1`] = `2`;\n\nexports[`old 1`] = `1`;\n',
      'test/sum.test.js': '',
      'test/__snapshots__/sum.test.js.snap': 'exports[`a 1`] = `2`;\n',
    },
    baseline: [redIn('test/stats.test.js')],
  },
  {
    title:
      'modules inside a package that are named like the standard library, and a module that becomes a package',
    files: {
      'app/__init__.py': '',
      'app/main.py': '',
      'calendar.py': 'X = 1\n',
      'tests/test_app.py': 'from app import main\n',
    },
    edits: {
      'app/json.py': '',
      'app/logging.py': '',
      'app/http/__init__.py': '',
      'calendar.py': null,
      'calendar/__init__.py': 'X = 1\n',
    },
    baseline: [redIn('tests/test_app.py')],
    installed: new Set(['attrs', 'requests']),
  },
  {
    title: 'modules of a package that tests import by its folder',
    files: { 'src/calc.py': '', 'tests/test_calc.py': 'from src.calc import add\n' },
    edits: { 'src/types.py': '', 'src/queue.py': '' },
    baseline: [redIn('tests/test_calc.py')],
  },
  {
    title: 'data of the program, and documents that tests read',
    files: {
      'src/geo.js': 'import data from "./countries.json";\n',
      'src/countries.json': '[]\n',
      'src/geo.test.js': 'import { list } from "./geo.js";\nimport "./countries.json";\n',
      'README.md': '',
      'test_docs.py': 'assert "install" in open("README.md").read()\n',
    },
    edits: {
      'src/countries.json': '["NO"]\n',
      'README.md': 'install\n',
      'output.json': '{}\n',
      '.env': 'A=1\n',
    },
    baseline: [redIn('src/geo.test.js', 'test_docs.py')],
  },
  {
    title: 'modules under test whose names sound like helpers',
    files: {
      'use_cases.py': '',
      'mock_server.py': '',
      'helpers.py': '',
      'tests/test_use_cases.py': 'import use_cases\nimport helpers\n',
      'tests/test_mock_server.py': 'import mock_server\n',
    },
    edits: { 'use_cases.py': 'X = 1\n', 'mock_server.py': 'X = 1\n', 'helpers.py': 'X = 1\n' },
    baseline: [redIn('tests/test_use_cases.py', 'tests/test_mock_server.py')],
  },
  {
    title: 'parts of the program whose names sound like tests',
    files: {
      'src/test-runner.js': '',
      'src/test-data.js': '',
      'src/main.js': 'import "./test-data.js";\n',
      'test/test-runner.test.js': 'import "../src/test-runner.js";\nimport "../src/test-data.js";\n',
    },
    edits: { 'src/test-runner.js': 'export const x = 1;\n', 'src/test-data.js': 'export const x = 1;\n' },
    baseline: [redIn('test/test-runner.test.js')],
  },
  {
    title: 'a program whose folder is called like one for tests',
    files: {
      'packages/test/package.json': '{"name":"test"}\n',
      'packages/test/src/index.js': '',
      'packages/test/src/index.test.js': 'import "./index.js";\n',
      'tests/calc.py': '',
      'tests/test_calc.py': 'import calc\n',
    },
    edits: { 'packages/test/src/index.js': 'export const x = 1;\n', 'tests/calc.py': 'X = 1\n' },
    baseline: [redIn('packages/test/src/index.test.js', 'tests/test_calc.py')],
  },
  {
    title: 'documentation strings, CI files, ignore files and attributes without filters',
    files: {
      'shop/cart.py': 'def total():\n    """Sum.\n\n    >>> total()\n    0\n    """\n',
      'tests/test_cart.py': PY_TEST,
      '.github/workflows/ci.yml': '',
      '.gitignore': '',
    },
    edits: {
      'shop/cart.py': 'def total():\n    """The sum.\n\n    >>> total()\n    3\n    """\n',
      '.github/workflows/ci.yml': 'on: push\n',
      '.gitignore': 'dist\n',
      '.gitattributes': '*.png binary\n*.sh text eol=lf\n',
      Dockerfile: 'FROM x\n',
    },
    baseline: [redIn('tests/test_cart.py')],
  },
  {
    title: 'lines of ignore files, variables, and files that are no targets of make',
    files: {
      Makefile: '.PHONY: test docs\n\ntest:\n\tpytest\n\nprog: main.c\n\tcc -o prog main.c\n',
      '.gitignore': 'dist/\n',
      'main.c': '',
      'src/build.py': '',
      'tasks.py': 'def enqueue(): pass\n',
    },
    edits: {
      Makefile:
        '.PHONY: test docs clean\n\ntest:\n\tpytest\n\nprog: main.c\n\tcc -o prog main.c\n\nclean:\n\trm -f prog\n',
      '.gitignore': 'dist/\n/build/\n*.log\n.venv\n__pycache__/\n!keep.log\n',
      '.dockerignore': 'node_modules\n',
      '.env': 'DATABASE_URL=sqlite://\nENV=dev\n',
      test: 'x',
      'tasks.py': 'def enqueue(): return 1\n',
      'src/more.pyi': '',
    },
    baseline: [redByCode('make test')],
  },
  {
    title: 'modules that the configuration imports and the program too',
    files: {
      'vite.config.ts': "import { plugin } from './src/plugin';\nexport default { plugins: [plugin()] };\n",
      'src/plugin.ts': '',
      'test/plugin.test.ts': "import { plugin } from '../src/plugin';\n",
    },
    edits: { 'src/plugin.ts': 'export const plugin = () => 1;\n' },
    baseline: [redIn('test/plugin.test.ts')],
  },
  {
    title: 'the first configuration of a linter that cannot run without one',
    files: { 'package.json': '{"name":"w"}\n', 'a.js': '' },
    edits: { 'eslint.config.js': 'export default [];\n' },
    baseline: [redByCode('npx eslint .')],
  },
  {
    title: 'build files with dependencies, modules and comments',
    files: {
      'pom.xml': '<project>\n<modules>\n<module>a</module>\n</modules>\n</project>\n',
      'build.gradle': 'dependencies {\n}\ntest {\n}\n',
      'build.rs': 'fn main() {\n}\n',
      'src/main/java/R.java': '',
      'src/lib.rs': '',
    },
    edits: {
      'pom.xml':
        '<project>\n<!-- two\nlines -->\n<modules>\n<module>a</module>\n<module>b</module>\n</modules>\n<dependencies>\n<dependency><artifactId>x</artifactId></dependency>\n</dependencies>\n</project>\n',
      'build.gradle': '/* more\n * lines */\ndependencies {\n  implementation "x:y:1"\n}\ntest {\n}\n',
      'build.rs': 'fn main() {\n    println!("cargo:rerun-if-changed=proto");\n}\n',
    },
    baseline: [redByCode('mvn -q test && cargo test')],
  },
  {
    title: 'main, exports, files and workspaces of a package, whatever files these name',
    files: {
      'package.json':
        '{"name":"w","scripts":{"test":"node --test"},"exports":{".":{"require":"./lib/a.cjs","import":"./lib/a.mjs"}}}\n',
      'lib/a.cjs': '',
      'lib/a.mjs': '',
      'vite.config.js': 'export default { build: { lib: { entry: "./lib/a.mjs" } } };\n',
      'test/a.test.js': 'require("../lib/a.cjs");\n',
    },
    edits: {
      'package.json':
        '{"name":"w","version":"2.0.0","type":"commonjs","scripts":{"test":"node --test"},"exports":{".":"./lib/a.mjs"}}\n',
      'lib/a.cjs': 'exports.x = 1;\n',
      'lib/a.mjs': 'export const x = 1;\n',
    },
    baseline: [redIn('test/a.test.js')],
  },
];

describe('honest work goes in whole, without a word', () => {
  test.each(HONEST)('$title', ({ files, edits, ...facts }) => {
    const accepted = play(files, edits, facts);
    expect(notTaken(accepted, edits)).toEqual([]);
    expect({ ...accepted, of: undefined }).toEqual({
      of: undefined,
      keptOut: [],
      allowed: [],
      caveats: [],
      doubts: [],
    });
  });
});

test('tests that a linter complains of may be edited where the linter alone is red', () => {
  const files = { 'a.py': '', 'tests/test_a.py': 'import os\n' };
  const edits = { 'tests/test_a.py': 'import a\n' };
  expect(notTaken(play(files, edits, { baseline: [redByCode('ruff check . && mypy src')] }), edits)).toEqual(
    [],
  );
  // With a suite behind the same exit code nobody knows which tests were red.
  expect(notTaken(play(files, edits, { baseline: [redByCode('ruff check . && ./all.sh')] }), edits)).toEqual([
    'tests/test_a.py',
  ]);
});

test('what tools leave behind stays out without a word', () => {
  const files = { 'a.py': '', 'tests/test_a.py': 'import a\n' };
  const edits = {
    '.pytest_cache/v/cache/lastfailed': '{}',
    'tests/__pycache__/test_a.cpython-311.pyc': 'x',
    'w.egg-info/entry_points.txt': '[console_scripts]\nx = y\n',
    'tsconfig.tsbuildinfo': '{}',
    '.git/index': 'x',
  };
  const accepted = play(files, edits, { baseline: [redIn('tests/test_a.py')] });
  expect(notTaken(accepted, edits)).toEqual(Object.keys(edits).sort());
  expect(accepted.keptOut).toEqual([]);
});
