/** Exit codes by class: 1 not done, 3 cannot be judged, 4 tampering, 5 the agent, 70 a bug, 130 the user. */
export const EXIT_CODES = {
  success: 0,
  'no-progress': 1,
  'gave-up': 1,
  'max-iterations': 1,
  'budget-exceeded': 1,
  unconfirmed: 1,
  flaky: 1,
  'baseline-vacuous': 3,
  unrunnable: 3,
  'preflight-failed': 3,
  'spec-tampered': 4,
  'evaluator-tampered': 4,
  'driver-failed': 5,
  aborted: 130,
  error: 70,
} as const;

/** A wrong spec or command line. */
export const EXIT_USAGE = 2;
