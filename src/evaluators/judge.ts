import type { EvaluationOutcome, KnownFindings, TestResult } from '../core/check.ts';
import { summarise } from '../core/check.ts';
import { count } from '../core/outcome.ts';
import type { EvaluatorContext } from '../core/plugin.ts';
import type { ExecResult } from '../system/exec.ts';
import { type CanaryFinding, canaryFields } from './canary.ts';
import { type EndingContext, exitCodeOf, outcomeOfEnding, signalOf, unusable } from './endings.ts';
import type { SuiteReport } from './suite.ts';
import { countsOf, suiteFeedback, withOutput } from './suite-feedback.ts';

export interface JudgeContext extends EndingContext {
  readonly runner: string;
  /** How many tests must have passed. */
  readonly min: number;
  /** What became of the canaries, where the run was to have some. They are not in the report any more. */
  readonly canary?: CanaryFinding;
  /** A test that passed only after being tried again is no pass. */
  readonly refuseRetries: boolean;
  /** Marks the known failures, where the spec names some. */
  readonly markKnown?: EvaluatorContext['markKnown'];
  /** What a report that is missing or broken off means with this runner, where more than that is known. */
  readonly explain: (run: ExecResult, report: SuiteReport) => Promise<EvaluationOutcome | undefined>;
}

/** The verdict on one run of a suite: a pass only where the report is whole and nothing speaks against it. */
export async function judgeSuite(
  run: ExecResult,
  found: SuiteReport,
  context: JudgeContext,
): Promise<EvaluationOutcome> {
  const { report, known } = withKnown(found, context);
  const outcome = await verdictOf(run, report, context);
  const tests = testsOf(report);
  const cause = outcome.ok === false ? outcome.cause : undefined;
  return withCanary({
    judgedBy: 'test-ids',
    ...exitCodeOf(run),
    ...(run.logFile !== undefined && { logFile: run.logFile }),
    ...(tests.length > 0 && { tests }),
    ...(known && { known }),
    ...outcome,
    ...canaryFields(context.canary, run, cause),
  });
}

/** The report with its known failures marked. */
function withKnown(
  report: SuiteReport,
  { markKnown }: JudgeContext,
): { readonly report: SuiteReport; readonly known?: KnownFindings } {
  if (!markKnown) return { report };
  const { tests, ...known } = markKnown(testsOf(report));
  const loaded = report.unloadable.length;
  return { report: { ...report, unloadable: tests.slice(0, loaded), tests: tests.slice(loaded) }, known };
}

/** A runner that does not report failures any more cannot vouch for a pass. */
function withCanary(outcome: EvaluationOutcome): EvaluationOutcome {
  if (outcome.canary !== 'wrong') return outcome;
  const text = `the runner does not report failures any more: ${outcome.canaryBecause}`;
  return { ...outcome, passed: false, feedback: outcome.passed ? text : `${text}\n\n${outcome.feedback}` };
}

function testsOf(report: SuiteReport): readonly TestResult[] {
  return [...report.unloadable, ...report.tests];
}

async function verdictOf(
  run: ExecResult,
  report: SuiteReport,
  context: JudgeContext,
): Promise<EvaluationOutcome> {
  const stopped = outcomeOfEnding(run, context);
  if (stopped) return { ...stopped, feedback: [stopped.feedback, ...stateOf(report)].join('\n\n') };
  if (report.stuck !== undefined) return stuckOutcome(run, report, report.stuck, context);
  if (!report.complete) return await brokenOff(run, report, context);
  return ranToTheEnd(run, report, context);
}

function outputOf(run: ExecResult, report: SuiteReport): string {
  return report.output ?? run.output.text;
}

/** How far a run had come when it was stopped. */
function stateOf(report: SuiteReport): string[] {
  if (report.running !== undefined) return [`the test that ran: ${report.running}`];
  if (!report.complete) return [];
  const counts = countsOf(testsOf(report));
  return [
    `all tests had ended (${counts}), but the runner did not exit: a thread, timer or handle is left open`,
  ];
}

/** A test that swallows its time limit ends the whole run, and is the failure of it. */
function stuckOutcome(
  run: ExecResult,
  report: SuiteReport,
  id: string,
  context: JudgeContext,
): EvaluationOutcome {
  const hang: TestResult = {
    id,
    status: 'failed',
    errorType: 'HangingTest',
    message: 'it was still running after its time limit and could not be interrupted',
  };
  const tests = [...testsOf(report).filter((test) => test.id !== id), hang];
  const text = `${id} hangs; the tests after it did not run`;
  const feedback = suiteFeedback(text, [hang], report, outputOf(run, report), context.feedbackChars);
  return { passed: false, feedback, tests };
}

async function brokenOff(
  run: ExecResult,
  report: SuiteReport,
  context: JudgeContext,
): Promise<EvaluationOutcome> {
  const tell = (text: string) => withOutput(text, outputOf(run, report), context.feedbackChars);
  const last = report.running === undefined ? '' : `; the test that ran last: ${report.running}`;
  const signal = signalOf(run);
  if (signal !== undefined) return unusable('crash', tell(`${context.runner} was ended by ${signal}${last}`));
  const explained = await context.explain(run, report);
  if (explained) return explained;
  if (report.unloadable.length > 0) return doesNotLoad(run, report, context);
  const code = run.ended === 'exited' ? run.code : '?';
  const what = report.begun ? `its report breaks off${last}` : 'it wrote no report';
  return unusable(
    'no-report',
    tell(`${context.runner} ended with exit code ${code}, but ${what}: no verdict`),
  );
}

function doesNotLoad(run: ExecResult, report: SuiteReport, context: JudgeContext): EvaluationOutcome {
  const text = `the suite does not load: ${count(report.unloadable.length, 'file')} with errors, no test ran`;
  return unusable(
    'collection',
    suiteFeedback(text, report.unloadable, report, outputOf(run, report), context.feedbackChars),
  );
}

function ranToTheEnd(run: ExecResult, report: SuiteReport, context: JudgeContext): EvaluationOutcome {
  const tests = testsOf(report);
  const { passed, failing, excepted = 0 } = summarise(tests);
  const ran = report.tests.some((test) => test.status === 'passed' || test.known || failing.includes(test));
  if (!ran && report.unloadable.length > 0) return doesNotLoad(run, report, context);
  const objection = objectionOf(run, report, { passed, failing: failing.length, excepted }, context);
  const counts = countsOf(tests);
  if (objection === undefined) {
    return { passed: true, feedback: counts, caveats: caveatsOf(report) };
  }
  const tell = (text: string) =>
    suiteFeedback(text, failing, report, outputOf(run, report), context.feedbackChars);
  if (ran) return { passed: false, feedback: tell(failing.length > 0 ? counts : `${counts}\n${objection}`) };
  return report.problems.length > 0
    ? unusable('crash', tell(`${context.runner} failed before any test ran`))
    : unusable('no-tests', tell(noTestsText(report, context)));
}

/** What speaks against a pass; undefined where nothing does. */
function objectionOf(
  run: ExecResult,
  report: SuiteReport,
  { passed, failing, excepted }: Record<'passed' | 'failing' | 'excepted', number>,
  context: JudgeContext,
): string | undefined {
  const min = Math.max(1, context.min);
  if (failing > 0) return `${count(failing, 'test')} failing`;
  if (report.problems.length > 0 && passed === 0) return 'errors outside of the tests';
  if (report.notRun > 0) return `${count(report.notRun, 'test')} did not run`;
  if (passed < min) return `at least ${count(min, 'test')} must pass`;
  if (context.refuseRetries && report.retried.length > 0)
    return `${count(report.retried.length, 'test')} passed only after being tried again: ${report.retried.slice(0, 5).join(', ')}`;
  return objectionOfCode(run, report, context, excepted);
}

function objectionOfCode(
  run: ExecResult,
  report: SuiteReport,
  context: JudgeContext,
  excepted: number,
): string | undefined {
  // With a canary in the run the code is the canary's: it is held against the report by `canaryFields`.
  const byCanary = context.canary !== undefined && 'wrong' in context.canary;
  // Known failures are failures to the runner, whose code must say so.
  const wanted = byCanary || (run.ended === 'exited' && (run.code === 0) === (excepted === 0));
  if (wanted) return report.problems.length > 0 ? 'errors outside of the tests' : undefined;
  if (excepted > 0 && run.ended === 'exited')
    return `${count(excepted, 'known failure')} failed, but the runner exited 0: its report and its exit code do not agree`;
  const code = run.ended === 'exited' ? `exited ${run.code}` : `was ended by ${signalOf(run) ?? 'a signal'}`;
  return `the tests passed, but the runner ${code}: look for an error outside of the tests (a hook, a thread or handle left open, a coverage limit)`;
}

function caveatsOf(report: SuiteReport): string[] {
  const { caveats, retried } = report;
  if (retried.length === 0) return [...caveats];
  return [...caveats, `${count(retried.length, 'test')} passed only after being tried again`];
}

function noTestsText(report: SuiteReport, { runner }: JudgeContext): string {
  const none = 'so there is no verdict';
  if (report.tests.length > 0) return `${runner} ran none of its tests (${countsOf(report.tests)}), ${none}`;
  return report.notRun > 0
    ? `${runner} ran none of the ${count(report.notRun, 'test')} that it found, ${none}`
    : `${runner} found no tests, ${none}`;
}
