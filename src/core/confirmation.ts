import type { Check } from './check.ts';
import { confirmedVerdict, roomsDiffer } from './confirm.ts';
import type { ConfirmationJudged } from './event.ts';
import type { Judged } from './ports.ts';
import type { Criteria } from './spec.ts';
import { verdictOf } from './verdict.ts';

/** What a second look at a green came to. `earlier`: the checks of another fresh room of the same tree. */
export function confirmationOf(
  criteria: Criteria,
  iteration: number,
  { checks, fresh, room, keptOut }: Judged,
  earlier: readonly Check[] | undefined,
): ConfirmationJudged {
  const verdict = verdictOf(criteria, checks);
  if (!fresh || !room) {
    return {
      type: 'confirmation.judged',
      iteration,
      how: 'rerun',
      verdict: confirmedVerdict(verdict, { checks }),
    };
  }
  const { canary, caveats, allowed, doubts, dependencies, around } = fresh;
  const difference = earlier && roomsDiffer(earlier, checks);
  return {
    type: 'confirmation.judged',
    iteration,
    how: 'room',
    room: { kind: room.kind },
    canary,
    caveats,
    allowed,
    ...(difference !== undefined && { differs: true, difference }),
    verdict: confirmedVerdict(verdict, {
      checks,
      canary,
      doubts,
      asWritten: keptOut.map((path) => path.path),
      ...(dependencies && { dependencies }),
      ...(around !== undefined && { around }),
    }),
  };
}
