import { type Check, checkOf, type EvaluationOutcome, type TestResult } from '../../src/core/check.ts';

/** A check as an evaluator's outcome makes it. */
export function check(
  name: string,
  outcome: Partial<EvaluationOutcome> & { readonly passed?: boolean },
): Check {
  return checkOf({ name, type: 'scripted' }, { passed: false, feedback: '', ...outcome }, 1);
}

export const green = (name: string, more: Partial<EvaluationOutcome> = {}) =>
  check(name, { passed: true, ...more });
export const red = (name: string, feedback = 'it is red', more: Partial<EvaluationOutcome> = {}) =>
  check(name, { feedback, ...more });
export const unusable = (name: string, cause: EvaluationOutcome['cause'] = 'crash') =>
  check(name, { ok: false, cause, feedback: `${cause}` });

/** Test results: `failing` by id, and so many that pass. */
export function suite(name: string, failing: readonly (string | TestResult)[], passing = 0): Check {
  const tests: TestResult[] = [
    ...failing.map((test) => (typeof test === 'string' ? ({ id: test, status: 'failed' } as const) : test)),
    ...Array.from({ length: passing }, (_, i) => ({ id: `ok-${i}`, status: 'passed' as const })),
  ];
  return check(name, { passed: failing.length === 0, feedback: 'output', tests, judgedBy: 'test-ids' });
}
