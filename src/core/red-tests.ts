import type { Check } from './check.ts';
import { executionOf } from './command-line.ts';
import { readShellLine } from './shell-line.ts';

/** A check of the baseline, as far as it says which files hold red tests. */
export interface BaselineCheck extends Pick<Check, 'name' | 'status' | 'judgedBy'> {
  readonly tests?: {
    readonly failing: readonly {
      readonly id: string;
      /** Relative to the workspace. */
      readonly file?: string;
      readonly place?: string;
    }[];
    /** Red as well, though nobody's task. */
    readonly known?: readonly { readonly id: string; readonly file?: string; readonly place?: string }[];
    readonly all?: readonly (readonly [id: string, status: string])[];
  };
  /** The command lines that it runs. */
  readonly commands?: readonly string[];
}

export interface RedTests {
  /** Files of the start that hold red tests. */
  readonly files: ReadonlySet<string>;
  /** Files of the start that hold tests at all, as far as reports say. */
  readonly testFiles: ReadonlySet<string>;
  /** Why more tests may be red than these; absent where all are known. */
  readonly unknown?: string;
}

/** Programs that check, print or build and run no tests. */
const NO_SUITE =
  /^(?:true|false|test|\[|\[\[|cd|echo|printf|grep|egrep|rg|diff|cmp|cat|ls|wc|head|tail|sed|awk|jq|tsc|vue-tsc|eslint|biome|prettier|stylelint|ruff|flake8|pylint|mypy|pyright|basedpyright|black|isort|gofmt|golangci-lint|staticcheck|rustfmt|shellcheck|yamllint|git|knip|markdownlint)$/;

/** Which files of the start hold red tests, out of the baseline's checks; `undefined` where none ran. Pure. */
export function redTests(
  baseline: readonly BaselineCheck[] | undefined,
  isThere: (path: string) => boolean,
): RedTests {
  if (!baseline) return { files: new Set(), testFiles: new Set(), unknown: 'no check ran before the work' };
  const files = new Set<string>();
  const testFiles = new Set<string>();
  let unknown: string | undefined;
  for (const check of baseline) {
    for (const [id] of check.tests?.all ?? []) add(testFiles, fileOfId(id, isThere));
    for (const test of redOf(check)) {
      const file = fileOf(test, isThere);
      add(files, file);
      if (file === undefined) unknown ??= `the file of ${test.id} is not known`;
    }
    unknown ??= whyUnknown(check);
  }
  for (const file of files) testFiles.add(file);
  return { files, testFiles, ...(unknown !== undefined && { unknown }) };
}

function redOf({ status, tests }: BaselineCheck) {
  return [...(status === 'pass' ? [] : (tests?.failing ?? [])), ...(tests?.known ?? [])];
}

function whyUnknown(check: BaselineCheck): string | undefined {
  if (check.status === 'pass') return undefined;
  if (check.judgedBy === 'metric' || check.judgedBy === 'agent-file') return undefined;
  const failing = redOf(check).length;
  if (check.status === 'fail' && check.judgedBy === 'test-ids' && failing > 0) return undefined;
  if (check.commands && check.commands.length > 0 && check.commands.every(runsNoTests)) return undefined;
  return check.status === 'unusable'
    ? `the check "${check.name}" did not load its tests`
    : `the check "${check.name}" does not say which tests are red`;
}

/** True for a line of linters, compilers and shell words only. */
export function runsNoTests(line: string): boolean {
  const commands = readShellLine(line)?.commands ?? [];
  return (
    commands.length > 0 &&
    commands.every(({ words, ...command }) => {
      if (words.some((word) => word.substitution)) return false;
      const program = executionOf({ words, ...command })?.words[0];
      return program === undefined || NO_SUITE.test(program.text.replace(/^.*\//, ''));
    })
  );
}

function fileOf(
  test: { readonly id: string; readonly file?: string; readonly place?: string },
  isThere: (path: string) => boolean,
): string | undefined {
  if (test.file !== undefined && isThere(test.file)) return test.file;
  return fileOfId(test.id, isThere);
}

/** The file that an id begins with: `tests/test_a.py::test_b`, `test/a.test.ts > b`; or a dotted module. */
function fileOfId(id: string, isThere: (path: string) => boolean): string | undefined {
  const first = id.split(/::| > |:(?=\D)/)[0]?.trim() ?? '';
  if (isThere(first)) return first;
  const parts = first.split(/[\s(]/)[0]?.split('.') ?? [];
  for (let many = parts.length; many > 0; many -= 1) {
    const path = `${parts.slice(0, many).join('/')}.py`;
    if (isThere(path)) return path;
  }
  return undefined;
}

function add(set: Set<string>, path: string | undefined): void {
  if (path !== undefined) set.add(path);
}
