import type { Check, KnownFindings, TestResult } from './check.ts';
import type { Phase } from './event.ts';
import { shortList } from './shorten.ts';
import type { EvaluatorSpec } from './spec.ts';
import { colourOf, enclosing, isSameInFile, matchTests, type Test, unitOf } from './test-names.ts';

/** `knownFailures` of a check: all that was red before any work, or tests by their ids. */
export type KnownFailures = NonNullable<EvaluatorSpec['knownFailures']>;

/** The tests of a report, of which those are marked that a spec excepts. */
export interface Marked extends KnownFindings {
  readonly tests: readonly TestResult[];
}

/**
 * Marks the failures that nobody has to mend. `start`: the tests before any work, `'these'` where the report is that of
 * the start; undefined or empty where none are known, and then the ids on the list are taken at their word. Else only
 * what was red before is excepted: a test that was green is nobody's known failure. Pure.
 */
export function markKnown(
  setting: KnownFailures,
  tests: readonly TestResult[],
  start: readonly Test[] | 'these' | undefined,
): Marked {
  const now = tests.map(({ id, status }) => [id, status] as const);
  const known = start === 'these' ? ofList(setting, now.filter(isRed)) : ofRound(setting, now, start ?? []);
  const isBlank = start === 'these' || start === undefined || start.length === 0;
  return {
    tests: tests.map((test, i) => (known.has(now[i] ?? UNKNOWN) ? { ...test, known: true } : test)),
    by: setting === 'baseline' ? 'baseline' : 'list',
    ...remarks(setting, now, isBlank),
  };
}

const UNKNOWN: Test = ['', 'skipped'];
const isRed = (test: Test) => colourOf(test[1]) === 'red';

function ofRound(setting: KnownFailures, now: readonly Test[], start: readonly Test[]): ReadonlySet<Test> {
  const atStart = ofList(setting, start.filter(isRed));
  const { pairs, added } = matchTests(start, now);
  const kept = pairs.filter(([old, found]) => atStart.has(old) && isRed(found)).map(([, found]) => found);
  // A file that did not load at the start has tests with names of their own once it does.
  const units = new Set([...atStart].map(([id]) => unitOf(id)));
  const fresh = added.filter(isRed);
  const inside = fresh.filter(([id]) => enclosing(id).some((unit) => units.has(unit)));
  const listed = setting === 'baseline' ? [] : ofList(setting, fresh);
  return new Set([...kept, ...inside, ...listed]);
}

/** Those of the tests that the setting means. */
function ofList(setting: KnownFailures, tests: readonly Test[]): ReadonlySet<Test> {
  return new Set(setting === 'baseline' ? tests : setting.flatMap((id) => meant(id, tests)));
}

/** By the id as it is; where no test has it, by file and name. */
function meant(id: string, tests: readonly Test[]): readonly Test[] {
  const exact = tests.filter((test) => test[0] === id);
  return exact.length > 0 ? exact : tests.filter((test) => isSameInFile(id, test[0]));
}

function remarks(
  setting: KnownFailures,
  now: readonly Test[],
  isBlank: boolean,
): Pick<KnownFindings, 'missing' | 'mended'> {
  if (setting === 'baseline') return { missing: [], mended: [] };
  const found = setting.map((id) => ({ id, tests: meant(id, now) }));
  const isMended = (tests: readonly Test[]) =>
    tests.some((test) => colourOf(test[1]) === 'green') && !tests.some(isRed);
  return {
    missing: isBlank ? found.filter(({ tests }) => tests.length === 0).map(({ id }) => id) : [],
    mended: found.filter(({ tests }) => isMended(tests)).map(({ id }) => id),
  };
}

/** What a user should know of `knownFailures` after a round: what has no effect (any more). */
export function knownWarnings(
  evaluators: readonly Pick<EvaluatorSpec, 'name' | 'knownFailures'>[],
  checks: readonly Check[],
  phase: Phase,
  hasBaseline: boolean,
): string[] {
  return evaluators.flatMap(({ name, knownFailures }) => {
    const check = checks.find((one) => one.name === name);
    if (knownFailures === undefined || !check || check.status === 'unusable') return [];
    const about = (what: string) => `knownFailures of "${name}": ${what}`;
    if (!check.known) return [about('no effect, since it is not judged by the ids of its tests')];
    if (knownFailures === 'baseline' && phase !== 'baseline' && !hasBaseline)
      return [about('no effect, since no check ran before any work')];
    const { missing, mended } = check.known;
    const isLast = phase === 'baseline' || check.status === 'pass';
    return [
      ...(missing.length > 0 ? [about(`no test has the id ${shortList(missing)}`)] : []),
      ...(mended.length > 0 && isLast
        ? [about(`no longer fails: ${shortList(mended)}; take it off the list`)]
        : []),
    ];
  });
}

/** How many failing tests of these checks are excepted. */
export function exceptedIn(checks: readonly Check[]): number {
  return checks.reduce((sum, check) => sum + (check.tests?.excepted ?? 0), 0);
}
