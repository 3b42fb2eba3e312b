import type { TestResult } from '../core/check.ts';

/** What a runner's report says about one run of a suite. */
export interface SuiteReport {
  /** False where the runner never came to load the reporter. */
  readonly begun: boolean;
  /** True where the report has its end, so that no test is missing from it. */
  readonly complete: boolean;
  /** Every test with a result, in the order of the report. */
  readonly tests: readonly TestResult[];
  /** Files or modules that did not load, as failing tests with the id of the file. */
  readonly unloadable: readonly TestResult[];
  /** Tests that were found but have no result. */
  readonly notRun: number;
  /** The test that ran when the report broke off. */
  readonly running?: string;
  /** A test that could only be ended together with the whole run. */
  readonly stuck?: string;
  /** What went wrong outside of any test, one line each. */
  readonly problems: readonly string[];
  /** Ids of the tests that the runner tried again. */
  readonly retried: readonly string[];
  /** Said on a green. */
  readonly caveats: readonly string[];
  /** Parts of the suite that have to have a canary; absent: those with a test that passed. */
  readonly parts?: readonly string[];
  /** Why the runner, as it turned out, could not be given a canary. */
  readonly noCanary?: string;
  /** The exit code by which the runner says what the report says, where that is not 1 for "tests failed". */
  readonly failedCode?: number;
  /** The output as a person reads it, where what the runner prints is made for programs. */
  readonly output?: string;
}

export const NO_REPORT: SuiteReport = {
  begun: false,
  complete: false,
  tests: [],
  unloadable: [],
  notRun: 0,
  problems: [],
  retried: [],
  caveats: [],
};
