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
  /** How many tests were tried again by the runner. */
  readonly retried: number;
  /** Said on a green. */
  readonly caveats: readonly string[];
}

export const NO_REPORT: SuiteReport = {
  begun: false,
  complete: false,
  tests: [],
  unloadable: [],
  notRun: 0,
  problems: [],
  retried: 0,
  caveats: [],
};
