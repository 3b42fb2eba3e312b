import { type History, type Iteration, isConfirmed } from './history.ts';
import { ownHistory, ownIterations } from './ladder.ts';
import { stuck } from './no-progress.ts';
import type { Outcome } from './outcome.ts';
import type { Limits } from './spec.ts';
import { tokensOf, type Usage } from './usage.ts';

/** Reads the history and says how the run ends, or that it goes on. Pure. */
export type StopPolicy = (history: History) => Outcome | undefined;

/** The first policy that speaks decides, so the order is the precedence. */
export const firstOf =
  (...policies: readonly StopPolicy[]): StopPolicy =>
  (history) => {
    for (const policy of policies) {
      const outcome = policy(history);
      if (outcome) return outcome;
    }
    return undefined;
  };

/** The policies of every run, in their order. */
export const defaultPolicy = (limits: Limits): StopPolicy => {
  const lastResort = firstOf(noProgress(limits.patience), maxIterations(limits.maxIterations));
  return firstOf(
    preflightFailed,
    aborted,
    error,
    unrunnable,
    baselineVacuous(limits),
    tampered,
    success(limits),
    flaky,
    gaveUp,
    driverFailed,
    budgetExceeded(limits),
    unconfirmed(lastResort),
    lastResort,
  );
};

export const preflightFailed: StopPolicy = ({ preflightErrors }) =>
  preflightErrors.length > 0 ? { kind: 'preflight-failed', errors: preflightErrors } : undefined;

export const aborted: StopPolicy = (history) => (history.aborted ? { kind: 'aborted' } : undefined);

export const error: StopPolicy = ({ failure }) =>
  failure === undefined ? undefined : { kind: 'error', message: failure };

/** Checks that cannot run tell no edit from another. */
export const unrunnable: StopPolicy = ({ baseline, iterations }) =>
  iterations.length === 0 && baseline?.unrunnable !== undefined
    ? { kind: 'unrunnable', reason: baseline.unrunnable }
    : undefined;

export const baselineVacuous =
  (limits: Limits): StopPolicy =>
  ({ baseline, iterations }) =>
    limits.baseline === 'strict' && iterations.length === 0 && baseline?.verdict?.status === 'pass'
      ? { kind: 'baseline-vacuous' }
      : undefined;

/** Blocks the green of an iteration that touched the judge; never turns a red into something else. */
export const tampered: StopPolicy = ({ iterations }) => {
  const last = iterations.at(-1);
  if (last?.verdict?.status !== 'pass') return undefined;
  const touched = last.refused.filter((refusal) => refusal.reaction === 'error');
  const spec = touched.filter((refusal) => refusal.rule === 'spec').map((refusal) => refusal.path);
  if (spec.length > 0) return { kind: 'spec-tampered', files: spec };
  if (touched.length > 0)
    return { kind: 'evaluator-tampered', files: touched.map((refusal) => refusal.path) };
  return undefined;
};

export const success =
  (limits: Limits): StopPolicy =>
  ({ iterations }) => {
    const last = iterations.at(-1);
    if (last?.verdict?.status !== 'pass') return undefined;
    return limits.confirm === 'off' || isConfirmed(last.confirmation) ? { kind: 'success' } : undefined;
  };

/** Two fresh rooms of one tree that differ. */
export const flaky: StopPolicy = ({ iterations }) => {
  const confirmation = iterations.at(-1)?.confirmation;
  return confirmation?.differs === true
    ? {
        kind: 'flaky',
        reason: confirmation.difference ?? confirmation.verdict?.reason ?? 'two fresh runs differ',
      }
    : undefined;
};

export const gaveUp: StopPolicy = (history) => {
  const agent = ownIterations(history).at(-1)?.agent;
  return agent?.stopReason === 'gave-up' ? { kind: 'gave-up', summary: agent.summary } : undefined;
};

/** Turns in which the agent could not be run. */
const FAILED_TURNS = 3;

export const driverFailed: StopPolicy = (history) => {
  const last = ownIterations(history).slice(-FAILED_TURNS);
  if (last.length < FAILED_TURNS || !last.every(turnFailed)) return undefined;
  return { kind: 'driver-failed', reason: last.at(-1)?.agent?.summary ?? '', times: FAILED_TURNS };
};

/** The agent could not be run and nothing came of it; no evidence of spinning. */
export function turnFailed({ agent, changed, refused }: Iteration): boolean {
  const broken = agent && ['error', 'stalled', 'rate-limited'].includes(agent.stopReason);
  return Boolean(broken) && changed.length === 0 && refused.length === 0;
}

export const budgetExceeded =
  (limits: Limits): StopPolicy =>
  (history) =>
    costExceeded(limits, history) ?? tokensExceeded(limits, history) ?? timeExceeded(limits, history);

function costExceeded({ maxCostUsd: limit, unknownUsage }: Limits, h: History): Outcome | undefined {
  if (limit === undefined || h.iterations.length === 0) return undefined;
  const used = h.usage.costUsd ?? 0;
  if (used >= limit) return { kind: 'budget-exceeded', resource: 'cost', used, limit };
  const blind = unknownUsage === 'stop' && tellsNothing(h, (usage) => usage.costUsd);
  return blind ? { kind: 'budget-exceeded', resource: 'cost', limit } : undefined;
}

function tokensExceeded({ maxTokens: limit, unknownUsage }: Limits, h: History): Outcome | undefined {
  if (limit === undefined || h.iterations.length === 0) return undefined;
  const used = tokensOf(h.usage) ?? 0;
  if (used >= limit) return { kind: 'budget-exceeded', resource: 'tokens', used, limit };
  const blind = unknownUsage === 'stop' && tellsNothing(h, tokensOf);
  return blind ? { kind: 'budget-exceeded', resource: 'tokens', limit } : undefined;
}

/** A turn whose use nobody knows. Turns in which the agent could not be run have an outcome of their own. */
function tellsNothing({ iterations }: History, amount: (usage: Usage) => number | undefined): boolean {
  return iterations.some((i) => i.agent && !turnFailed(i) && amount(i.agent.usage ?? {}) === undefined);
}

function timeExceeded({ maxDurationMs: limit }: Limits, { elapsedMs: used }: History): Outcome | undefined {
  return limit !== undefined && used >= limit
    ? { kind: 'budget-exceeded', resource: 'time', used, limit }
    : undefined;
}

/** Where a last resort would end a run that was green once, the reader must know that. */
export const unconfirmed =
  (lastResort: StopPolicy): StopPolicy =>
  (history) => {
    const tried = history.iterations.flatMap(({ confirmation }) => confirmation ?? []);
    const green = tried.findLast(({ verdict }) => verdict && verdict.status !== 'pass');
    if (!green || !lastResort(history)) return undefined;
    const reason = green.verdict?.reason ?? '';
    return { kind: 'unconfirmed', reason, ...(green.how === 'room' && { how: green.how }) };
  };

export const noProgress =
  (patience: number): StopPolicy =>
  (history) => {
    const span = stuck(ownHistory(history), patience, turnFailed);
    return span ? { kind: 'no-progress', ...span } : undefined;
  };

export const maxIterations =
  (limit: number): StopPolicy =>
  ({ iterations }) =>
    iterations.filter((one) => !isHeldBack(one)).length >= limit
      ? { kind: 'max-iterations', limit }
      : undefined;

/** A usage limit kept the agent from doing anything, which costs it no iteration. */
function isHeldBack(iteration: Iteration): boolean {
  return iteration.agent?.stopReason === 'rate-limited' && turnFailed(iteration);
}
