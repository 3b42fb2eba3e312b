import type { DriverEscalated } from './event.ts';
import type { History } from './history.ts';
import { driverInTurn } from './ladder.ts';
import { describe, type Outcome } from './outcome.ts';
import { excerpt } from './shorten.ts';
import type { EscalationCause } from './spec.ts';
import { noProgress, type StopPolicy } from './stop.ts';

/** Characters of the sentence that says why a driver was relieved. */
const REASON_CHARS = 500;

/**
 * Who takes over where `outcome` would end the run: the next driver of the ladder that is there for it, unless `decide`
 * would end the run all the same, because the budget is spent. The ladder only goes up. Pure.
 */
export function escalationOf(
  outcome: Outcome,
  history: History,
  decide: StopPolicy,
): DriverEscalated | undefined {
  const { run, escalations, iterations } = history;
  const because = causeOf(outcome, history);
  const ladder = run?.ladder ?? [];
  const below = escalations.at(-1)?.rung ?? -1;
  const rung = ladder.findIndex(({ after }, at) => at > below && after.some((cause) => cause === because));
  const next = ladder[rung];
  if (!because || !next) return undefined;
  const escalation = {
    iteration: iterations.length,
    rung,
    from: driverInTurn(history).driver,
    to: next.driver,
    because,
    reason: excerpt(describe(outcome), REASON_CHARS),
  };
  if (decide({ ...history, escalations: [...escalations, escalation] })) return undefined;
  return { type: 'driver.escalated', ...escalation };
}

function causeOf(outcome: Outcome, history: History): EscalationCause | undefined {
  switch (outcome.kind) {
    case 'no-progress':
    case 'gave-up':
    case 'driver-failed':
      return outcome.kind;
    case 'unconfirmed': {
      // That green is told first; what ends such a run may still be that nothing gets on.
      const patience = history.run?.limits.patience;
      return patience !== undefined && noProgress(patience)(history) ? 'no-progress' : undefined;
    }
    default:
      return undefined;
  }
}
