import type { TestStatus } from './check.ts';
import { withoutNoise } from './signature.ts';

/** One test by its id, with its status. */
export type Test = readonly [id: string, status: TestStatus];

/** Which tests of two reports are the same one. */
export interface Matched {
  readonly pairs: readonly (readonly [before: Test, now: Test])[];
  /** Of the first report, not found in the second. */
  readonly lost: readonly Test[];
  /** Of the second report, not there in the first. */
  readonly added: readonly Test[];
}

/**
 * Pairs the tests of two reports, each with one at most: by their ids as they are, then by file and name,
 * so that a suite that was renamed and a file that was moved keep their tests. Each rule is tried only on
 * what the rules before it left over.
 */
export function matchTests(before: readonly Test[], now: readonly Test[]): Matched {
  let rest: Matched = { pairs: [], lost: before, added: now };
  for (const rule of RULES) {
    if (rest.lost.length === 0 || rest.added.length === 0) break;
    rest = pairBy(rule, rest);
  }
  return rest;
}

/** True where two ids mean a test of the same file and name. An id without parameters means the test with any. */
export function isSameInFile(wanted: string, id: string): boolean {
  const [a, b] = [nameOf(withoutNoise(wanted)), nameOf(withoutNoise(id))];
  if (!a || !b || a.name !== b.name || a.file !== b.file) return false;
  return a.parameters === '' || a.parameters === b.parameters;
}

/** What two tests must share to be the same one; undefined where the rule cannot tell. */
type Rule = (id: string) => string | undefined;

const RULES: readonly Rule[] = [
  (id) => id,
  // Dates, temporary paths and the like in a parameter.
  withoutNoise,
  rule(({ file, name, parameters }) => [file, name, parameters]),
  rule(({ file, suite, name, parameters }) => [
    file.slice(file.lastIndexOf('/') + 1),
    suite,
    name,
    parameters,
  ]),
  rule(({ suite, name, parameters }) => [suite, name, parameters]),
  rule(({ file, suite, name }) => [file, suite, name]),
];

function rule(parts: (name: TestName) => readonly string[]): Rule {
  return (id) => {
    const name = nameOf(withoutNoise(id));
    return name && JSON.stringify(parts(name));
  };
}

function pairBy(rule: Rule, { pairs, lost, added }: Matched): Matched {
  const candidates = groupsOf(rule, added);
  const found = [...pairs];
  const taken = new Set<Test>();
  for (const [key, olds] of groupsOf(rule, lost)) {
    const news = candidates.get(key) ?? [];
    olds.slice(0, news.length).forEach((old, i) => {
      const now = news[i];
      if (!now) return;
      found.push([old, now]);
      taken.add(old).add(now);
    });
  }
  const left = (tests: readonly Test[]) => tests.filter((test) => !taken.has(test));
  return { pairs: found, lost: left(lost), added: left(added) };
}

/** Tests that share a key, greens first: reports of equal tests may come in any order. */
function groupsOf(rule: Rule, tests: readonly Test[]): Map<string, Test[]> {
  const groups = new Map<string, Test[]>();
  for (const test of tests) {
    const key = rule(test[0]);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(test);
    else groups.set(key, [test]);
  }
  for (const group of groups.values()) {
    if (group.length > 1) group.sort((a, b) => RANK[colourOf(a[1])] - RANK[colourOf(b[1])]);
  }
  return groups;
}

/** `idle`: skipped, expected to fail, todo: neither a pass nor a failure. */
export type Colour = 'green' | 'red' | 'idle';

const RANK: Readonly<Record<Colour, number>> = { green: 0, red: 1, idle: 2 };

export function colourOf(status: TestStatus): Colour {
  if (status === 'passed') return 'green';
  return status === 'failed' || status === 'error' || status === 'xpassed' ? 'red' : 'idle';
}

interface TestName {
  readonly file: string;
  readonly suite: string;
  readonly name: string;
  /** With their brackets. */
  readonly parameters: string;
}

/** An id taken apart, for the forms that have a file in them: `a.py::T::t[1]`, `a.ts > suite > t`, `pkg.mod.Case.t`. */
function nameOf(id: string): TestName | undefined {
  const colons = id.indexOf('::');
  const arrow = id.indexOf(' > ');
  if (colons > 0 && (arrow < 0 || colons < arrow)) {
    const rest = id.slice(colons + 2);
    const bracket = rest.indexOf('[');
    const end = bracket < 0 ? rest.length : bracket;
    return { ...split(rest.slice(0, end), '::'), file: id.slice(0, colons), parameters: rest.slice(end) };
  }
  if (arrow > 0) return { ...split(id.slice(arrow + 3), ' > '), file: id.slice(0, arrow), parameters: '' };
  const dotted = /^([\w.]+)\.(\w+)\.(\w+)$/.exec(id);
  if (!dotted) return undefined;
  const [, file = '', suite = '', name = ''] = dotted;
  return { file, suite, name, parameters: '' };
}

function split(path: string, separator: string): Pick<TestName, 'suite' | 'name'> {
  const at = path.lastIndexOf(separator);
  return at < 0
    ? { suite: '', name: path }
    : { suite: path.slice(0, at), name: path.slice(at + separator.length) };
}

/**
 * What encloses a test by its id, from the outermost: `a.py`, `a.py::T` of `a.py::T::t`. Files and suites
 * stand in a report themselves where they did not load or their set-up failed.
 */
export function enclosing(id: string): string[] {
  const found: string[] = [];
  for (const { index } of id.matchAll(/::| > |[./]/g)) if (index > 0) found.push(id.slice(0, index));
  return found;
}

/** `setUpClass (tests.test_a.TestA)` stands for `tests.test_a.TestA`. */
export function unitOf(id: string): string {
  return /^(?:setUp|tearDown)(?:Class|Module) \((.+)\)$/.exec(id)?.[1] ?? id;
}
