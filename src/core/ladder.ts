import type { Escalation, LadderRung } from './event.ts';
import { type History, type Iteration, roundOf } from './history.ts';
import type { Verdict } from './verdict.ts';

/** The driver whose turn it is, and what hangs on its kind. */
export type InTurn = Pick<LadderRung, 'driver' | 'driverKind' | 'revert'>;

export function driverInTurn({ run, escalations }: History): InTurn {
  const rung = run?.ladder?.[escalations.at(-1)?.rung ?? -1];
  if (rung) return rung;
  return {
    driver: run?.driver ?? '',
    driverKind: run?.driverKind ?? 'agent',
    revert: run?.revert ?? 'never',
  };
}

/** The iterations of the driver in turn. */
export function ownIterations({ iterations, escalations }: History): readonly Iteration[] {
  return iterations.slice(escalations.at(-1)?.iteration ?? 0);
}

/** The same run as the driver in turn found it: what others left is its start. */
export function ownHistory(history: History): History {
  const { escalations, iterations, run } = history;
  const last = escalations.at(-1);
  if (!last) return history;
  const found = iterations.slice(0, last.iteration).findLast((it) => it.tree !== undefined && !it.reverted);
  return {
    ...history,
    iterations: iterations.slice(last.iteration),
    ...(found && { baseline: roundOf(found) }),
    ...(found?.tree !== undefined && run && { run: { ...run, tree: found.tree } }),
  };
}

/** What one round left red. */
export interface Failing {
  readonly checks: number;
  /** Absent where no test has been counted. */
  readonly tests?: number;
}

/** One step up the ladder, and what it did. */
export interface ReportedEscalation extends Escalation {
  /** What was red when the driver took over. Absent: nothing was judged by then. */
  readonly before?: Failing;
  /** What was red after its last turn. Absent: it had none that was judged. */
  readonly after?: Failing;
}

export function escalationsOf({ escalations, iterations, baseline }: History): ReportedEscalation[] {
  return escalations.map((escalation, index) => {
    const end = escalations[index + 1]?.iteration ?? iterations.length;
    const before = failingAfter(iterations.slice(0, escalation.iteration)) ?? failing(baseline);
    const after = failingAfter(iterations.slice(escalation.iteration, end));
    return { ...escalation, ...(before && { before }), ...(after && { after }) };
  });
}

/** What stands after these iterations. */
function failingAfter(iterations: readonly Iteration[]): Failing | undefined {
  const last = iterations.findLast((it) => it.verdict && !it.reverted);
  return last && failing(roundOf(last));
}

function failing(
  round: (Pick<Iteration, 'checks'> & { readonly verdict?: Verdict }) | undefined,
): Failing | undefined {
  if (!round?.verdict) return undefined;
  const { checks, verdict } = round;
  return {
    checks: checks.filter((check) => check.status !== 'pass').length,
    ...(checks.some((check) => check.tests) && { tests: verdict.tally.failedTests }),
  };
}
