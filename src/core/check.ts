import type { Ledger } from './comparison.ts';
import type { Score } from './score.ts';

/**
 * `unusable` means that the check could not run: it says nothing about the code,
 * so it is never a pass and never work for the agent.
 */
export type CheckStatus = 'pass' | 'fail' | 'unusable';

/** Why a check was unusable. */
export type UnusableCause =
  | 'not-found'
  | 'timeout'
  | 'crash'
  | 'no-tests'
  | 'collection'
  | 'no-report'
  | 'aborted';

/** What became of one test. Only `passed` is a pass; see `docs/checks.md` for the table. */
export type TestStatus = 'passed' | 'failed' | 'error' | 'skipped' | 'xfailed' | 'xpassed' | 'todo';

/** One test of a suite, known by its id. */
export interface TestResult {
  /** As the runner names it, for example `tests/test_a.py::test_b[1]`. */
  readonly id: string;
  readonly status: TestStatus;
  /** The file of the test, relative to the workspace; absent where it is not known, or lies outside. */
  readonly file?: string;
  /** Where it failed, `file:line`, relative to the workspace where it lies in it. */
  readonly place?: string;
  /** Class of the failure, for example `AssertionError`. */
  readonly errorType?: string;
  /** The failure in one line. */
  readonly message?: string;
  /** The failure in full (traceback, diff); bounded by the evaluator. */
  readonly detail?: string;
  readonly durationMs?: number;
  /** A failure that `knownFailures` of the check excepts: nobody has to mend it. */
  readonly known?: true;
}

/** What there is to be said about `knownFailures` of a check after a round. */
export interface KnownFindings {
  /** Excepted are all failures from before any work, or those on a list of ids. */
  readonly by: 'baseline' | 'list';
  /** Ids on the list that no test has. */
  readonly missing: readonly string[];
  /** Ids on the list whose tests pass. */
  readonly mended: readonly string[];
}

/**
 * What became of the test that was added because it has to fail. `right`: it failed, and the runner said so by its exit
 * code. `wrong`: it passed or vanished, or report and code disagree, so the runner does not report failures any more.
 * `missed`: it had no turn, though there can be one here. `none`: none can be added.
 */
export type CanaryResult = 'right' | 'wrong' | 'missed' | 'none';

/**
 * How an evaluator came to its verdict; the grade of a green depends on it. `agent-file` is a
 * number or report that only a file of the workspace vouches for.
 */
export type JudgedBy = 'test-ids' | 'exit-code' | 'metric' | 'agent-file' | 'plug-in';

/**
 * What an evaluator returns. `{passed, feedback}` is enough; the rest lets the
 * engine tell failures apart and the agent find its way.
 */
export interface EvaluationOutcome {
  readonly passed: boolean;
  /** What the agent should know about it, as plain text. */
  readonly feedback: string;
  readonly score?: Score | number;
  /** False when the evaluator could not run at all. Default: true. */
  readonly ok?: boolean;
  /** Why it could not run. Default where `ok` is false: `crash`. */
  readonly cause?: UnusableCause;
  readonly tests?: readonly TestResult[];
  /** Default: `plug-in`. */
  readonly judgedBy?: JudgedBy;
  /** The raw exit code of the command behind it. */
  readonly exitCode?: number;
  /** A caveat that a reader of a green run should see. */
  readonly caveats?: readonly string[];
  /** A script of the workspace itself was missing: the agent may have to write it. */
  readonly missingScript?: boolean;
  /** Where the whole output lies, when it was cut. */
  readonly logFile?: string;
  /** Asked for by `EvaluatorContext.canary`. A `wrong` one is never `passed`. */
  readonly canary?: CanaryResult;
  /** Why it is wrong, had no turn, or cannot be. */
  readonly canaryBecause?: string;
  /** Of an evaluator that excepts known failures (`EvaluatorContext.markKnown`). */
  readonly known?: KnownFindings;
}

/** One evaluator's result, as the engine keeps it. */
export interface Check {
  readonly name: string;
  /** The evaluator's type, for example `command`. */
  readonly type: string;
  readonly status: CheckStatus;
  readonly cause?: UnusableCause;
  readonly feedback: string;
  readonly score?: Score;
  readonly tests?: TestSummary;
  /** Its tests against those of the start; for verdicts by test ids only. */
  readonly ledger?: Ledger;
  /** The evaluator passed it, but a test of the start is lost. */
  readonly heldBack?: true;
  readonly judgedBy: JudgedBy;
  readonly exitCode?: number;
  readonly caveats: readonly string[];
  readonly missingScript?: boolean;
  readonly logFile?: string;
  /** Set where a canary was asked for and the evaluator knows of canaries. */
  readonly canary?: CanaryResult;
  readonly canaryBecause?: string;
  /** Set where the spec names known failures and the evaluator excepts them. */
  readonly known?: KnownFindings;
  readonly durationMs: number;
}

/** The tests of one check. */
export interface TestSummary {
  readonly total: number;
  readonly passed: number;
  /** Failed and errored tests, in the order of the report; without known failures. */
  readonly failing: readonly TestResult[];
  /** How many known failures are excepted; absent where none is. */
  readonly excepted?: number;
  /** These, with their files; kept for the baseline and the latest iteration only. */
  readonly known?: readonly Pick<TestResult, 'id' | 'file' | 'place'>[];
  /** Skipped, xfailed, todo: neither passes nor failures. */
  readonly skipped: number;
  /** Every test with its status; kept for the baseline and the latest iteration only. */
  readonly all?: readonly (readonly [id: string, status: TestStatus])[];
}

const FAILING: ReadonlySet<TestStatus> = new Set(['failed', 'error', 'xpassed']);

/** Counts tests and picks out the failing ones. `xpassed` is reported by a runner only where it is strict. */
export function summarise(tests: readonly TestResult[]): TestSummary {
  const red = tests.filter((test) => FAILING.has(test.status));
  const failing = red.filter((test) => !test.known);
  const known = red.filter((test) => test.known).map(refOf);
  const passed = tests.filter((test) => test.status === 'passed').length;
  return {
    total: tests.length,
    passed,
    failing,
    ...(known.length > 0 && { excepted: known.length, known }),
    skipped: tests.length - passed - red.length,
    all: tests.map((test) => [test.id, test.status] as const),
  };
}

const refOf = ({ id, file, place }: TestResult) => ({
  id,
  ...(file !== undefined && { file }),
  ...(place !== undefined && { place }),
});

/**
 * What an evaluator returned, as the engine keeps it. A result that is no
 * outcome at all is that evaluator's failure to run.
 */
export function checkOf(
  entry: { readonly name: string; readonly type: string },
  outcome: EvaluationOutcome,
  durationMs: number,
): Check {
  const status = statusOf(outcome);
  const score = scoreOf(outcome.score);
  return {
    name: entry.name,
    type: entry.type,
    status,
    ...(status === 'unusable' && { cause: outcome.cause ?? 'crash' }),
    feedback: String(outcome.feedback ?? ''),
    ...(score && { score }),
    ...(Array.isArray(outcome.tests) && { tests: summarise(outcome.tests) }),
    judgedBy: outcome.judgedBy ?? 'plug-in',
    ...(outcome.exitCode !== undefined && { exitCode: outcome.exitCode }),
    caveats: Array.isArray(outcome.caveats) ? outcome.caveats.map(String) : [],
    ...(outcome.missingScript && { missingScript: true }),
    ...(outcome.logFile !== undefined && { logFile: outcome.logFile }),
    ...(outcome.canary !== undefined && { canary: outcome.canary }),
    ...(outcome.canaryBecause !== undefined && { canaryBecause: outcome.canaryBecause }),
    ...(outcome.known && { known: outcome.known }),
    durationMs,
  };
}

function statusOf({ ok, passed, canary }: EvaluationOutcome): CheckStatus {
  if (ok === false) return 'unusable';
  return passed === true && canary !== 'wrong' ? 'pass' : 'fail';
}

/** A number alone is better when larger. What is no finite number is no score. */
function scoreOf(score: EvaluationOutcome['score']): Score | undefined {
  const { value, better } =
    typeof score === 'object' && score !== null ? score : { value: score, better: 'up' };
  return typeof value === 'number' && Number.isFinite(value)
    ? { value, better: better === 'down' ? 'down' : 'up' }
    : undefined;
}
