import { EXIT_CODES } from './exit-codes.ts';

/** How a run ended. Exactly one, always said. */
export type Outcome =
  | { readonly kind: 'success' }
  | { readonly kind: 'no-progress'; readonly cause: NoProgressCause; readonly times: number }
  | { readonly kind: 'gave-up'; readonly summary: string }
  | { readonly kind: 'max-iterations'; readonly limit: number }
  | {
      readonly kind: 'budget-exceeded';
      readonly resource: 'cost' | 'tokens' | 'time';
      /** USD, tokens or milliseconds; absent where the driver does not tell. */
      readonly used?: number;
      readonly limit: number;
    }
  | {
      readonly kind: 'unconfirmed';
      readonly reason: string;
      /** Where the green did not come again. Default: `rerun`. */
      readonly how?: 'rerun' | 'room';
    }
  | { readonly kind: 'flaky'; readonly reason: string }
  | { readonly kind: 'baseline-vacuous' }
  | { readonly kind: 'unrunnable'; readonly reason: string }
  | { readonly kind: 'preflight-failed'; readonly errors: readonly string[] }
  | { readonly kind: 'spec-tampered'; readonly files: readonly string[] }
  | { readonly kind: 'evaluator-tampered'; readonly files: readonly string[] }
  | { readonly kind: 'driver-failed'; readonly reason: string; readonly times: number }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'error'; readonly message: string };

export type NoProgressCause = 'same-failure' | 'tree-seen-before' | 'nothing-changed' | 'only-refused-edits';

/** The outcome's sentence: the `reason` of the report. */
export function describe(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'success':
      return 'every success criterion is met';
    case 'no-progress':
      return describeNoProgress(outcome.cause, outcome.times);
    case 'gave-up':
      return `the agent gave up${outcome.summary ? `: ${outcome.summary}` : ''}`;
    case 'max-iterations':
      return `not done after ${count(outcome.limit, 'iteration')}, the most that limits.maxIterations allows`;
    case 'budget-exceeded':
      return describeBudget(outcome);
    case 'unconfirmed':
      return outcome.how === 'room'
        ? `green, but not confirmed in a fresh room: ${outcome.reason}`
        : `the checks were green once, but not again: ${outcome.reason}`;
    case 'flaky':
      return `the checks disagree with themselves on the same files: ${outcome.reason}`;
    case 'baseline-vacuous':
      return 'the checks pass before any work, so they do not test the requirement';
    case 'unrunnable':
      return `the checks cannot run, so nothing can be judged: ${outcome.reason}`;
    case 'preflight-failed':
      return outcome.errors.join('; ');
    case 'spec-tampered':
      return `green, but the agent edited the spec: ${outcome.files.join(', ')}`;
    case 'evaluator-tampered':
      return `green, but the agent edited what judges it: ${outcome.files.join(', ')}`;
    case 'driver-failed':
      return `the agent could not be run, ${count(outcome.times, 'turn')} running: ${outcome.reason}`;
    case 'aborted':
      return 'stopped by the user';
    case 'error':
      return outcome.message;
  }
}

function describeNoProgress(cause: NoProgressCause, times: number): string {
  switch (cause) {
    case 'same-failure':
      return `the same failure ${count(times, 'time')} running`;
    case 'tree-seen-before':
      return `${count(times, 'iteration')} ended on files that were there before`;
    case 'nothing-changed':
      return `nothing changed in ${count(times, 'iteration')}`;
    case 'only-refused-edits':
      return `${count(times, 'iteration')} tried only edits that are refused`;
  }
}

function describeBudget({ resource, used, limit }: Extract<Outcome, { kind: 'budget-exceeded' }>): string {
  const key = { cost: 'limits.maxCostUsd', tokens: 'limits.maxTokens', time: 'limits.maxDurationMs' }[
    resource
  ];
  if (used === undefined) {
    return `${key} is set, but the driver reports no usage, so it cannot be kept (limits.unknownUsage: ignore goes on)`;
  }
  const amount = (n: number) =>
    resource === 'cost'
      ? `$${n.toFixed(2)}`
      : resource === 'time'
        ? `${(n / 1000).toFixed(1)} s`
        : `${n} tokens`;
  return `${resource} budget spent: ${amount(used)} of ${amount(limit)} (${key})`;
}

/** `1 iteration`, `2 iterations`. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

/** The exit code of `loopgen run`, `fix` and `tdd run`. */
export function exitCodeOf(kind: Outcome['kind']): number {
  return EXIT_CODES[kind];
}

/** The outcome in the words of each face; one map, so that they cannot drift. */
export const FACE_WORDS: Readonly<Record<Outcome['kind'], { readonly fix: string; readonly tdd: string }>> = {
  success: { fix: 'fixed', tdd: 'solved' },
  'no-progress': { fix: 'no_progress', tdd: 'exhausted' },
  'gave-up': { fix: 'gave_up', tdd: 'exhausted' },
  'max-iterations': { fix: 'budget', tdd: 'exhausted' },
  'budget-exceeded': { fix: 'budget', tdd: 'exhausted' },
  unconfirmed: { fix: 'unconfirmed', tdd: 'exhausted' },
  flaky: { fix: 'flaky', tdd: 'exhausted' },
  'baseline-vacuous': { fix: 'already_green', tdd: 'error' },
  unrunnable: { fix: 'unrunnable', tdd: 'error' },
  'preflight-failed': { fix: 'preflight_failed', tdd: 'error' },
  'spec-tampered': { fix: 'tampered', tdd: 'error' },
  'evaluator-tampered': { fix: 'tampered', tdd: 'error' },
  'driver-failed': { fix: 'driver_failed', tdd: 'error' },
  aborted: { fix: 'aborted', tdd: 'error' },
  error: { fix: 'error', tdd: 'error' },
};
