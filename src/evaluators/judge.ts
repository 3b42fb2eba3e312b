import type { EvaluationOutcome, TestResult } from '../core/check.ts';
import { summarise } from '../core/check.ts';
import { count } from '../core/outcome.ts';
import type { ExecResult } from '../system/exec.ts';
import { type EndingContext, exitCodeOf, outcomeOfEnding, signalOf, unusable } from './endings.ts';
import type { SuiteReport } from './suite.ts';
import { countsOf, suiteFeedback, withOutput } from './suite-feedback.ts';

export interface JudgeContext extends EndingContext {
  readonly runner: string;
  /** How many tests must have passed. */
  readonly min: number;
  /** What a report that is missing or broken off means with this runner, where more than that is known. */
  readonly explain: (run: ExecResult, report: SuiteReport) => Promise<EvaluationOutcome | undefined>;
}

/** The verdict on one run of a suite: a pass only where the report is whole and nothing speaks against it. */
export async function judgeSuite(
  run: ExecResult,
  report: SuiteReport,
  context: JudgeContext,
): Promise<EvaluationOutcome> {
  const outcome = await verdictOf(run, report, context);
  const tests = testsOf(report);
  return {
    judgedBy: 'test-ids',
    ...exitCodeOf(run),
    ...(run.logFile !== undefined && { logFile: run.logFile }),
    ...(tests.length > 0 && { tests }),
    ...outcome,
  };
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
  const feedback = suiteFeedback(text, [hang], report, run.output.text, context.feedbackChars);
  return { passed: false, feedback, tests };
}

async function brokenOff(
  run: ExecResult,
  report: SuiteReport,
  context: JudgeContext,
): Promise<EvaluationOutcome> {
  const tell = (text: string) => withOutput(text, run.output.text, context.feedbackChars);
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
    suiteFeedback(text, report.unloadable, report, run.output.text, context.feedbackChars),
  );
}

function ranToTheEnd(run: ExecResult, report: SuiteReport, context: JudgeContext): EvaluationOutcome {
  const tests = testsOf(report);
  const { passed, failing } = summarise(tests);
  const ran = report.tests.some((test) => test.status === 'passed' || failing.includes(test));
  if (!ran && report.unloadable.length > 0) return doesNotLoad(run, report, context);
  const objection = objectionOf(run, report, passed, failing.length, context.min);
  const counts = countsOf(tests);
  if (objection === undefined) {
    return { passed: true, feedback: counts, caveats: caveatsOf(report) };
  }
  const tell = (text: string) => suiteFeedback(text, failing, report, run.output.text, context.feedbackChars);
  if (ran) return { passed: false, feedback: tell(failing.length > 0 ? counts : `${counts}\n${objection}`) };
  return report.problems.length > 0
    ? unusable('crash', tell(`${context.runner} failed before any test ran`))
    : unusable('no-tests', tell(noTestsText(report, context)));
}

/** What speaks against a pass; undefined where nothing does. */
function objectionOf(
  run: ExecResult,
  report: SuiteReport,
  passed: number,
  failing: number,
  min: number,
): string | undefined {
  if (failing > 0) return `${count(failing, 'test')} failing`;
  if (report.problems.length > 0) return 'errors outside of the tests';
  if (report.notRun > 0) return `${count(report.notRun, 'test')} did not run`;
  if (passed < Math.max(1, min)) return `at least ${count(Math.max(1, min), 'test')} must pass`;
  if (run.ended === 'exited' && run.code === 0) return undefined;
  const code = run.ended === 'exited' ? `exited ${run.code}` : `was ended by ${signalOf(run) ?? 'a signal'}`;
  return `the tests passed, but the runner ${code}: look for an error outside of the tests (a hook, a thread or handle left open, a coverage limit)`;
}

function caveatsOf(report: SuiteReport): string[] {
  if (report.retried === 0) return [...report.caveats];
  return [...report.caveats, `${count(report.retried, 'test')} passed only after being tried again`];
}

function noTestsText(report: SuiteReport, { runner }: JudgeContext): string {
  const none = 'so there is no verdict';
  if (report.tests.length > 0) return `${runner} ran none of its tests (${countsOf(report.tests)}), ${none}`;
  return report.notRun > 0
    ? `${runner} ran none of the ${count(report.notRun, 'test')} that it found, ${none}`
    : `${runner} found no tests, ${none}`;
}
