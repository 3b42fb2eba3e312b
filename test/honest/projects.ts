/** What the agent does in one turn. */
export interface Step {
  readonly files?: Readonly<Record<string, string>>;
  readonly deleteFiles?: readonly string[];
  readonly run?: string;
}

/** A small project with something to mend, and the turn that mends it. */
export interface Honest {
  readonly title: string;
  /** Relative to the repository. */
  readonly files: Readonly<Record<string, string>>;
  /** Shell lines that make the rest, run in the repository before it is committed. `$NODE_MODULES`: real packages. */
  readonly make?: string;
  /** Where the workspace is in the repository. Default: its root. */
  readonly at?: string;
  /** Default: `git`. */
  readonly kept?: 'git' | 'no-git' | 'worktree';
  readonly check: string;
  readonly step: Step;
  /** Turns that follow while it is red. Default: none. */
  readonly later?: readonly Step[];
  /** `allow` of the spec. Default: nothing. */
  readonly allow?: readonly string[];
  /** Default: `earned`. */
  readonly grade?: 'earned' | 'plausible';
  /** What has to be installed. */
  readonly needs?: readonly ('go' | 'bwrap')[];
}

export const PY_WRONG = 'def add(a, b):\n    return a - b\n';
export const PY_RIGHT = 'def add(a, b):\n    return a + b\n';
export const ESM_WRONG = 'export const add = (a, b) => a - b;\n';
export const ESM_RIGHT = 'export const add = (a, b) => a + b;\n';
export const PYTEST = 'python3 -m pytest -q';

/** A pytest file with one test that is red and one that is green. */
export const pyTest = (module: string) =>
  `from ${module} import add\n\n\ndef test_adds():\n    assert add(2, 3) == 5\n\n\ndef test_nothing():\n    assert add(0, 0) == 0\n`;

/** The same for `node --test`. */
export const nodeTest = (from: string) =>
  [
    "import assert from 'node:assert';",
    "import { test } from 'node:test';",
    `import { add } from '${from}';`,
    '',
    "test('adds', () => assert.equal(add(2, 3), 5));",
    "test('nothing', () => assert.equal(add(0, 0), 0));",
    '',
  ].join('\n');

export const vitestTest = (from: string) =>
  nodeTest(from)
    .replace("import assert from 'node:assert';\n", '')
    .replace("{ test } from 'node:test'", "{ expect, test } from 'vitest'")
    .replaceAll(/assert\.equal\((add\(\d, \d\)), (\d)\)/g, 'expect($1).toBe($2)');
