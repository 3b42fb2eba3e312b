import { randomBytes } from 'node:crypto';
import type { CanaryResult, TestResult, UnusableCause } from '../core/check.ts';
import type { ExecResult } from '../system/exec.ts';
import type { SuiteReport } from './suite.ts';

/** The exit code by which most runners say "tests failed". */
const TESTS_FAILED = 1;

/** How the canaries of a run are told from its tests. */
export interface CanaryRule {
  /** Found in the id of every canary, and in no other. */
  readonly name: string;
  /** The part of the suite (a file, a package, a folder) that a test belongs to; each part has a canary of its own. */
  readonly partOf: (test: TestResult) => string;
}

/** What there is to be said about the canaries of a run: `none` where none can be, `missed` where one should be. */
export type CanaryPlan = CanaryRule | { readonly none: string } | { readonly missed: string };

/** A report with its canaries apart. */
export interface SortedReport {
  readonly report: SuiteReport;
  readonly canary?: CanaryFinding;
}

export type CanaryFinding =
  | { readonly none: string }
  | { readonly missed: string }
  /** `wrong`: what is not as it has to be; undefined where every canary failed. `failedCode`: as in the report. */
  | { readonly wrong: string | undefined; readonly failedCode?: number };

/** A name that no project has, and that nothing can know before the run. */
export function canaryName(prefix = 'test_'): string {
  return `${prefix}${randomBytes(6).toString('hex')}`;
}

/** Takes the canaries out of the report and judges them. */
export function sortOut(report: SuiteReport, plan: CanaryPlan | undefined): SortedReport {
  if (plan === undefined) return { report };
  if ('none' in plan || 'missed' in plan) return { report, canary: plan };
  if (report.noCanary !== undefined) return { report, canary: { none: report.noCanary } };
  const isCanary = ({ id }: TestResult) => id.includes(plan.name);
  const canaries = report.tests.filter(isCanary);
  const tests = report.tests.filter((test) => !isCanary(test));
  const unloadable = report.unloadable.filter((test) => !isCanary(test));
  const lost = report.unloadable.length - unloadable.length;
  const parts = report.parts ?? tests.filter(({ status }) => status === 'passed').map(plan.partOf);
  const wrong = lost > 0 ? 'it could not be loaded' : wrongWith(canaries, new Set(parts), plan);
  const retried = report.retried.filter((id) => !id.includes(plan.name));
  const { failedCode } = report;
  const canary = { wrong, ...(failedCode !== undefined && { failedCode }) };
  return { report: { ...report, tests, unloadable, retried }, canary };
}

function wrongWith(
  canaries: readonly TestResult[],
  parts: ReadonlySet<string>,
  plan: CanaryRule,
): string | undefined {
  // Where no test was asked for, the canary may have been left out with them.
  const due = canaries.filter((one) => one.status !== 'skipped' || parts.has(plan.partOf(one)));
  const held = due.find(({ status }) => status !== 'failed' && status !== 'error');
  if (held) {
    const what = held.status === 'passed' ? 'passed' : `was ${held.status}`;
    return `a test that has to fail ${what} in ${plan.partOf(held) || 'the suite'}`;
  }
  if (due.length === 0) return 'the test that has to fail was not reported';
  const seen = new Set(due.map(plan.partOf));
  const bare = [...parts].find((part) => !seen.has(part));
  return bare === undefined ? undefined : `the test that has to fail was not reported in ${bare}`;
}

/** Causes by which a run says nothing about the runner: its canary never had its turn. */
const WITHOUT_TURN: ReadonlySet<UnusableCause> = new Set(['timeout', 'aborted', 'not-found', 'collection']);

/** The fields of an outcome that tell of the canary. */
export function canaryFields(
  finding: CanaryFinding | undefined,
  run: ExecResult,
  cause: UnusableCause | undefined,
): { readonly canary?: CanaryResult; readonly canaryBecause?: string } {
  if (finding === undefined) return {};
  if ('none' in finding) return { canary: 'none', canaryBecause: finding.none };
  if ('missed' in finding) return { canary: 'missed', canaryBecause: finding.missed };
  if (cause !== undefined && WITHOUT_TURN.has(cause))
    return { canary: 'missed', canaryBecause: `the run came to no verdict (${cause})` };
  if (finding.wrong !== undefined) return { canary: 'wrong', canaryBecause: finding.wrong };
  const wanted = finding.failedCode ?? TESTS_FAILED;
  if (run.ended === 'exited' && run.code === wanted) return { canary: 'right' };
  const ending = run.ended === 'exited' ? `exited ${run.code}` : `ended otherwise (${run.ended})`;
  return {
    canary: 'wrong',
    canaryBecause: `a test failed as it has to, but the runner ${ending} instead of ${wanted}`,
  };
}
