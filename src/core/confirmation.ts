import type { Check } from './check.ts';
import { confirmedVerdict, roomsDiffer } from './confirm.ts';
import type { ConfirmationJudged } from './event.ts';
import type { Judged } from './ports.ts';
import type { Criteria } from './spec.ts';
import type { Suspicion } from './suspicion/row.ts';
import { verdictOf } from './verdict.ts';

/** What is known beside the checks of a second look. */
export interface Beside {
  /** The checks of another fresh room of the same tree. */
  readonly earlier?: readonly Check[] | undefined;
  /** What was found in the patch. Absent: it was not read. */
  readonly suspicions?: readonly Suspicion[] | undefined;
  /** True where that takes a green back. Default: false. */
  readonly strict?: boolean;
}

/** What a second look at a green came to. */
export function confirmationOf(
  criteria: Criteria,
  iteration: number,
  { checks, fresh, room, keptOut }: Judged,
  { earlier, suspicions, strict = false }: Beside = {},
): ConfirmationJudged {
  const verdict = verdictOf(criteria, checks);
  const found = { ...(suspicions && { suspicions }) };
  const blocking = strict ? found : {};
  if (!fresh || !room) {
    return {
      type: 'confirmation.judged',
      iteration,
      how: 'rerun',
      ...(fresh && { allowed: fresh.allowed }),
      ...found,
      verdict: confirmedVerdict(verdict, { checks, ...blocking, ...(fresh && { doubts: fresh.doubts }) }),
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
    ...found,
    ...(difference !== undefined && { differs: true, difference }),
    verdict: confirmedVerdict(verdict, {
      checks,
      canary,
      doubts,
      ...blocking,
      asWritten: keptOut.map((path) => path.path),
      ...(dependencies && { dependencies }),
      ...(around !== undefined && { around }),
    }),
  };
}
