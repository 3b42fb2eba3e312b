import { describe, expect, test } from 'vitest';
import { STANDARD_MODULES } from '../../src/core/families/python.ts';
import { FAMILIES, familyFinder } from '../../src/core/families.ts';
import { StartTree } from '../../src/core/start-tree.ts';
import { globMatcher } from '../../src/workspace/globs.ts';

const familyOf = familyFinder(globMatcher);

function hit(paths: readonly string[], path: string, text = ''): string | undefined {
  const start = new StartTree({ paths, read: () => '', testFiles: [] });
  const change = start.has(path) ? ('modified' as const) : ('added' as const);
  return familyOf({ path, change }, { start, agents: () => text, installed: new Set() })?.because;
}

test('every family says why and where that is written', () => {
  for (const family of FAMILIES) {
    expect(family.globs.length).toBeGreaterThan(0);
    expect(family.because).toMatch(/^\w.*[^.]$/);
    expect(family.source).toMatch(/^https:\/\//);
  }
});

test('a family that asks for tests or sources names their language', () => {
  const asking = FAMILIES.filter(({ when }) => /below|nested|new/.test(when));
  expect(asking.filter(({ language }) => language === undefined)).toEqual([]);
});

describe('configuration is protected where it governs tests of the start', () => {
  test.each([
    ['in the folder of the tests', 'tests/conftest.py', true],
    ['above them', 'pytest.ini', true],
    ['beside them', 'new/conftest.py', false],
    ['in another language', 'vitest.config.ts', false],
  ])('%s', (_, path, expected) => {
    expect(hit(['tests/test_a.py', 'src/a.ts'], path) !== undefined).toBe(expected);
  });

  test('and a conftest alone is no test', () => {
    expect(hit(['tests/conftest.py', 'a.py'], 'pytest.ini')).toBeUndefined();
  });

  test('and tests that only a report knows of count', () => {
    const start = new StartTree({ paths: ['probes/a.py'], read: () => '', testFiles: ['probes/a.py'] });
    const context = { start, agents: () => '', installed: new Set<string>() };
    expect(familyOf({ path: 'probes/conftest.py', change: 'added' }, context)).toBeDefined();
  });
});

test('a new makefile is free where the start has none', () => {
  expect(hit(['a.c'], 'Makefile')).toBeUndefined();
  expect(hit(['Makefile'], 'GNUmakefile')).toBeDefined();
  expect(hit(['Makefile'], 'docs/Makefile')).toBeUndefined();
});

test('tsconfig: the ones that are there, and new ones between them and sources of the start', () => {
  const start = ['tsconfig.json', 'src/a.ts'];
  expect(hit(start, 'tsconfig.json')).toBeDefined();
  expect(hit(start, 'src/tsconfig.json')).toBeDefined();
  expect(hit(start, 'docs/tsconfig.json')).toBeUndefined();
  expect(hit(start, 'tsconfig.build.json')).toBeUndefined();
  expect(hit(['src/a.ts'], 'tsconfig.json')).toBeUndefined();
});

test('lines that decide which tests run are the start’s, other lines of a build file are not', () => {
  expect(hit(['build.gradle'], 'build.gradle', 'dependencies {\n}\n')).toBeUndefined();
  expect(hit(['build.gradle'], 'build.gradle', 'ignoreFailures = true\n')).toBeDefined();
  expect(hit(['CMakeLists.txt'], 'CMakeLists.txt', 'add_library(x x.c)\nadd_test(x x)\n')).toBeUndefined();
  expect(
    hit(['CMakeLists.txt'], 'CMakeLists.txt', 'set_tests_properties(x PROPERTIES WILL_FAIL 1)\n'),
  ).toBeDefined();
});

test('configuration in a hidden folder speaks for the folder that holds it', () => {
  expect(hit(['src/lib.rs', 'Cargo.toml'], '.cargo/config.toml')).toBeDefined();
  expect(hit(['rust/src/lib.rs'], 'js/.cargo/config.toml')).toBeUndefined();
});

describe('modules that stand before others', () => {
  test('only count where Python looks first', () => {
    expect(hit(['a.py'], 'json.py')).toContain('standard library');
    expect(hit(['a.py', 'pkg/__init__.py'], 'pkg/json.py')).toBeUndefined();
    expect(hit(['a.py', 'pkg/x.py'], 'pkg/json.py')).toBeUndefined();
    expect(hit(['a.js'], 'json.py')).toBeUndefined();
  });

  test('not where the start has one of that name', () => {
    expect(hit(['json.py'], 'json/__init__.py')).toBeUndefined();
  });

  test('and names that are in everyday use are the standard library’s only', () => {
    for (const name of ['robot', 'factory', 'utils', 'test', 'parser', 'main']) {
      expect(STANDARD_MODULES.has(name)).toBe(false);
    }
  });
});

describe('what is read by itself in less known places', () => {
  const PY = ['calc.py', 'src/shop.py', 'tests/test_calc.py'];
  const JS = ['lib/a.js', 'test/a.test.js'];
  const JAVA = ['src/main/java/A.java', 'src/test/java/ATest.java'];
  test.each<[path: string, start: readonly string[], text: string, hit: boolean]>([
    ['sitecustomize.cpython-311-x86_64-linux-gnu.so', PY, '', true],
    ['typings/calc.pyi', PY, '', true],
    ['typings/shop.pyi', PY, '', true],
    ['typings/other.pyi', PY, '', false],
    ['postcss.config.mjs', JS, '', true],
    ['docs/postcss.config.mjs', JS, '', false],
    ['pnpm-workspace.yaml', JS, 'packages:\n  - lib\nscriptShell: /bin/true\n', true],
    ['pnpm-workspace.yaml', JS, 'packages:\n  - lib\n', false],
    ['deno.json', JS, '{\n  "imports": {},\n  "test": {"exclude": ["test"]}\n}', true],
    ['deno.json', JS, '{\n  "imports": {"a": "jsr:@b/a"}\n}', false],
    ['lib/a.d.ts', JS, '', false],
    ['lib/a.d.ts', [...JS, 'jsconfig.json'], '', true],
    ['lib/b.d.ts', [...JS, 'jsconfig.json'], '', false],
    ['src/test/resources/META-INF/services/org.junit.platform.launcher.PostDiscoveryFilter', JAVA, '', true],
    ['src/main/resources/META-INF/services/com.example.Shop', JAVA, '', false],
    ['src/test/resources/mockito-extensions/org.mockito.plugins.MockMaker', JAVA, '', true],
  ])('%s beside %j, with %j: %s', (path, start, text, expected) => {
    expect(hit(start, path, text) !== undefined).toBe(expected);
  });
});
