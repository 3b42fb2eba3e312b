import { describe, expect, test } from 'vitest';
import { CHECKERS } from '../../src/core/checkers.ts';
import type { CheckAtStart } from '../../src/core/silenced-checks.ts';
import { type Edits, type Files, notTaken, play } from './accept-play.ts';

const FILES: Files = {
  'src/a.ts': 'export const n: number = "x";\n',
  'src/a.py': 'import os\n',
  'a/a.go': 'package a\n',
  'src/lib.rs': 'fn main() {}\n',
};

interface Case {
  readonly check: string;
  readonly path: string;
  readonly text: string;
  readonly files?: Files;
  readonly feedback?: string;
}

function doubts({ check, path, text, files = {}, feedback }: Case, allow: readonly string[] = []) {
  const baseline: CheckAtStart = {
    name: 'check',
    status: 'fail',
    judgedBy: 'exit-code',
    commands: [check],
    ...(feedback !== undefined && { feedback }),
  };
  const edits: Edits = { [path]: text };
  const accepted = play({ ...FILES, ...files }, edits, { baseline: [baseline], allow });
  expect(notTaken(accepted, edits)).toEqual([]);
  return accepted;
}

const NOCHECK = '// @ts-nocheck\nexport const n: number = "x";\n';
const ANY = 'export const n: number = "x" as any;\n';
const package_ = (scripts: Readonly<Record<string, string>>): Files => ({
  'package.json': JSON.stringify({ scripts }),
});

const SILENCED: readonly (readonly [title: string, one: Case])[] = [
  ['tsc, the whole file', { check: 'tsc -p .', path: 'src/a.ts', text: NOCHECK }],
  ['tsc, by a cast', { check: 'npx tsc --noEmit', path: 'src/a.ts', text: ANY }],
  [
    'tsc, by a cast over two lines',
    { check: 'npx tsc', path: 'src/a.ts', text: 'export const n: number = "x" as\n  any;\n' },
  ],
  [
    'tsc, by a module without types',
    { check: 'tsc', path: 'src/b.d.ts', text: "declare module './missing.js';\n" },
  ],
  [
    'tsc behind a script',
    { check: 'npm run -s types', path: 'src/a.ts', text: ANY, files: package_({ types: 'vue-tsc -p .' }) },
  ],
  [
    'tsc behind a script of a script, in its own folder',
    {
      check: 'cd web && yarn lint',
      path: 'web/b.ts',
      text: NOCHECK,
      files: { 'web/package.json': JSON.stringify({ scripts: { lint: 'pnpm run types', types: 'tsc' } }) },
    },
  ],
  [
    'tsc that complained, before a suite',
    {
      check: 'tsc && node --test',
      path: 'src/a.ts',
      text: ANY,
      feedback: 'src/a.ts(1,14): error TS2322: Type …\n',
    },
  ],
  [
    'a checker in a script that the check runs',
    {
      check: 'sh ci.sh',
      path: 'src/a.py',
      text: 'import os  # noqa: F401\n',
      files: { 'ci.sh': 'set -e\nruff check .\npytest\n' },
      feedback: 'F401 `os` imported but unused\nFound 1 error.\n',
    },
  ],
  [
    'a checker that make starts',
    {
      check: 'make lint',
      path: 'src/a.py',
      text: 'import os  # type: ignore\n',
      files: { Makefile: 'lint:\n\tmypy src\n' },
      feedback: 'src/a.py:1: error: bad [misc]\nFound 1 error in 1 file\n',
    },
  ],
  ['mypy', { check: 'python3 -m mypy .', path: 'src/a.py', text: 'import os  # type: ignore[x]\n' }],
  ['mypy, the whole file', { check: 'mypy .', path: 'src/a.py', text: '# mypy: ignore-errors\nimport os\n' }],
  [
    'mypy, by a decorator',
    {
      check: 'uv run mypy .',
      path: 'src/a.py',
      text: 'import typing\n@typing.no_type_check\ndef f(): pass\n',
    },
  ],
  [
    'mypy, by a cast',
    { check: 'mypy .', path: 'src/a.py', text: 'from typing import Any, cast\nn: int = cast(Any, "x")\n' },
  ],
  ['pyright', { check: 'pyright', path: 'src/a.py', text: 'import os  # pyright: ignore\n' }],
  [
    'ruff',
    { check: 'ruff check . && ruff format --check', path: 'src/a.py', text: '# ruff: noqa\nimport os\n' },
  ],
  ['flake8', { check: 'flake8 src', path: 'src/a.py', text: 'import os  # noqa\n' }],
  ['pylint', { check: 'pylint src', path: 'src/a.py', text: '# pylint: disable=all\nimport os\n' }],
  ['eslint', { check: 'eslint .', path: 'src/a.ts', text: '/* eslint-disable */\nexport const n = 1;\n' }],
  [
    'eslint, by rules in the file',
    { check: 'eslint .', path: 'src/a.ts', text: '/* eslint no-undef: "off" */\nexport const n = 1;\n' },
  ],
  ['biome', { check: 'biome check', path: 'src/a.ts', text: '// biome-ignore lint: x\nexport let n = 1;\n' }],
  [
    'golangci-lint',
    { check: 'golangci-lint run', path: 'a/a.go', text: 'package a\n\nvar x = 1 //nolint:unused\n' },
  ],
  [
    'clippy',
    {
      check: 'cargo clippy -- -D warnings',
      path: 'src/lib.rs',
      text: '#![allow(clippy::all)]\nfn main() {}\n',
    },
  ],
];

/** Ordinary spellings by which a checker of types learns nothing: path and text. */
const LOOSENED: readonly (readonly [check: string, path: string, text: string])[] = [
  ['tsc', 'src/a.ts', 'const zero: any = "0";\nexport const n: number = zero;\n'],
  ['tsc', 'src/a.ts', 'export function n(x?: any): number {\n  return x;\n}\n'],
  ['tsc', 'src/a.ts', 'const zeros: any[] = ["0"];\nexport const n: number = zeros[0];\n'],
  ['tsc', 'src/a.ts', 'const zero = (): any => "0";\nexport const n: number = zero();\n'],
  ['tsc', 'src/a.ts', 'const zero: () => any = f;\n'],
  ['tsc', 'src/a.ts', 'type Loose = any;\n'],
  ['tsc', 'src/a.ts', 'export const n: number = undefined!;\n'],
  ['tsc', 'src/a.ts', 'export const n: number = <number><unknown>"x";\n'],
  ['tsc', 'src/a.ts', '// @TS-NoCheck\nexport const n: number = "x";\n'],
  ['tsc', 'src/a.ts', '///@ts-ignore\nexport const n: number = "x";\n'],
  ['tsc', 'src/a.ts', 'export const n = (\n  // @ts-expect-error: x\n  f("x"));\n'],
  ['tsc', 'src/a.ts', 'const loose = (x: unknown): x is number => true;\n'],
  ['tsc', 'src/a.ts', 'function loose(x: unknown): x is number {\n  return true;\n}\n'],
  ['tsc', 'src/a.ts', 'function loose(x: unknown): asserts x is number {}\n'],
  ['tsc', 'src/b.js', 'export const n = /** @type {any} */ ("x");\n'],
  ['tsc', 'src/b.js', '/** @returns {*} */\nexport const n = () => "x";\n'],
  ['mypy .', 'src/a.py', 'from typing import Any\n\nzero: Any = "0"\n'],
  ['mypy .', 'src/a.py', 'import typing\n\n\ndef f(n: int) -> typing.Any:\n    return "0"\n'],
  ['mypy .', 'src/a.py', 'import typing as t\n\nzero: t.Any = "0"\n'],
  ['mypy .', 'src/a.py', 'from typing import Any as T\n\nzero: T = "0"\n'],
  ['pyright', 'src/a.py', 'def f(x: "Any") -> int:\n    return x\n'],
  ['mypy .', 'src/a.py', 'if not TYPE_CHECKING:\n    n = "0"\n'],
  ['mypy .', 'src/a.py', 'def is_n(x: object) -> TypeGuard[int]:\n    return True\n'],
];

describe('a checker that was red learns nothing any more', () => {
  test.each(LOOSENED)('%s, %s: %j', (check, path, text) => {
    const { doubts: found } = doubts({ check, path, text });
    expect(found).toMatchObject([{ allow: `allow: ["${path}"]` }]);
    expect(found[0]?.because).toContain('the check "check", which was red, runs');
  });

  const CHECK: CheckAtStart = {
    name: 'types',
    status: 'fail',
    judgedBy: 'exit-code',
    commands: ['tsc -p .', 'mypy .'],
  };
  const doubted = (edits: Edits, files: Files = FILES) =>
    play(files, edits, { baseline: [CHECK] }).doubts.map(({ because }) => because);

  test('as its source gives way to one that nobody checks', () => {
    const js = 'export const n = "x";\n';
    const types = 'export declare const n: number;\n';
    const rest = 'and the check "types", which was red, runs tsc';
    const gone = `src/a.ts gave way to src/a.js, in which no types are checked, ${rest}`;
    expect(doubted({ 'src/a.ts': null, 'src/a.js': js })).toEqual([gone]);
    expect(doubted({ 'src/a.ts': null, 'src/a.js': js, 'src/a.d.ts': types })).toEqual([
      gone,
      `src/a.d.ts declares types in the place of those in src/a.js, ${rest}`,
    ]);
    expect(doubted({ 'src/a.ts': "export * from './b.js';\n", 'src/b.js': js, 'src/b.d.ts': types })).toEqual(
      [`src/b.d.ts declares types in the place of those in src/b.js, ${rest}`],
    );
  });

  test('as a stub says what new code is', () => {
    expect(doubted({ 'src/n.py': 'N = "0"\n', 'src/n.pyi': 'N: int\n' })).toEqual([
      'src/n.pyi declares types in the place of those in src/n.py, and the check "types", which was red, runs mypy',
    ]);
  });

  test('but a source that moves, one that goes, and types for what had none are honest', () => {
    const ts = 'export const n = 1;\n';
    expect(doubted({ 'src/a.ts': null, 'src/a.tsx': ts })).toEqual([]);
    expect(doubted({ 'src/a.ts': null })).toEqual([]);
    expect(doubted({ 'src/old.d.ts': 'export declare const n: number;\n' }, { 'src/old.js': ts })).toEqual(
      [],
    );
    expect(doubted({ 'stubs/dep.pyi': 'n: int\n' })).toEqual([]);
  });
});

describe('a check that was red is silenced, not mended', () => {
  test.each(SILENCED)('%s', (_, one) => {
    const { doubts: found } = doubts(one);
    expect(found).toHaveLength(1);
    expect(found[0]?.because).toContain(`${one.path}:`);
    expect(found[0]?.because).toContain('the check "check", which was red, runs');
    expect(found[0]?.allow).toBe(`allow: ["${one.path}"]`);
  });

  test('and allow accepts that, and is told', () => {
    const accepted = doubts({ check: 'tsc', path: 'src/a.ts', text: ANY }, ['src/a.ts']);
    expect(accepted).toMatchObject({ doubts: [], allowed: ['src/a.ts'] });
  });
});

const HONEST: readonly (readonly [title: string, one: Case])[] = [
  ['another checker than the check runs', { check: 'eslint .', path: 'src/a.ts', text: ANY }],
  ['the words of another checker', { check: 'mypy .', path: 'src/a.py', text: 'import os  # noqa\n' }],
  ['another language', { check: 'tsc', path: 'src/a.py', text: 'import os  # type: ignore\n' }],
  [
    'the start has it',
    { check: 'tsc', path: 'src/b.ts', text: `${ANY}export {};\n`, files: { 'src/b.ts': ANY } },
  ],
  [
    'a compiler that did not complain, before a suite that was red',
    { check: 'tsc && node --test', path: 'src/a.ts', text: ANY, feedback: 'not ok 1 - adds\n' },
  ],
  [
    'a script that is not run',
    {
      check: 'npm test',
      path: 'src/a.ts',
      text: ANY,
      files: package_({ test: 'node --test', types: 'tsc' }),
    },
  ],
  ...[
    'export const wrap = <F extends (...args: any[]) => any>(f: F): F => f;\n',
    'try {\n  f();\n} catch (error: any) {\n  log(error.message);\n}\n',
    'const isN = (x: unknown): x is number => typeof x === "number";\n',
    'function isN(x: unknown): x is number {\n  return Number.isFinite(x);\n}\n',
    'const options = { anyone: true, any: 1 };\nconst f = (x: unknown) => options.any;\n',
    '/** @param {number} any what there is */\nexport const f = (s: string): unknown => JSON.parse(s);\n',
    'const seen = new Map<unknown>();\n',
  ].map((text) => ['an ordinary line', { check: 'tsc', path: 'src/a.ts', text }] as const),
  ...[
    'from typing import Any\n\n\ndef f(*args: Any, **kwargs: Any) -> dict[str, int]:\n    return {}\n',
    'from typing import Any\n\nrows: dict[str, Any] = {}\n',
    'ok = any(x for x in y)\nnote = "returns -> Any"\n',
    'from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from a import b\n',
    'def is_n(x: object) -> TypeGuard[int]:\n    return isinstance(x, int)\n',
  ].map((text) => ['an ordinary line', { check: 'mypy .', path: 'src/a.py', text }] as const),
  ['any, where nobody checks types', { check: 'eslint .', path: 'src/a.ts', text: 'const n: any = 1;\n' }],
  ['what is no suppression', { check: 'tsc', path: 'src/a.ts', text: 'export const n = 1 as const;\n' }],
  [
    'a module with types',
    { check: 'tsc', path: 'src/b.d.ts', text: "declare module 'x' {\n  export const n: number;\n}\n" },
  ],
  [
    'words in a text',
    { check: 'tsc', path: 'src/a.ts', text: 'export const n = "// @ts-nocheck as any";\n' },
  ],
];

test.each(HONEST)('nothing is doubted: %s', (_, one) => {
  expect(doubts(one)).toMatchObject({ doubts: [], keptOut: [] });
});

test('a check that was green, or that knows its tests by their ids, is not silenced', () => {
  const edits = { 'src/a.ts': ANY };
  const base = { name: 'check', commands: ['tsc'] };
  for (const check of [
    { ...base, status: 'pass', judgedBy: 'exit-code' },
    { ...base, status: 'fail', judgedBy: 'test-ids' },
  ] as const)
    expect(play(FILES, edits, { baseline: [check] }).doubts).toEqual([]);
});

test('every checker says where its words are documented', () => {
  for (const { source, programs, languages } of CHECKERS) {
    expect(source).toMatch(/^https:\/\//);
    expect(programs.length * languages.length).toBeGreaterThan(0);
  }
});
