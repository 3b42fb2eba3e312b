import type { History } from './history.ts';
import { count } from './outcome.ts';

/** What a reader of a green run should still be told, beside the trust line. Pure. */
export function caveatsOf(history: History): string[] {
  if (history.outcome?.kind !== 'success') return [];
  const last = history.iterations.at(-1);
  const caveats: string[] = [];
  if (history.changed.length === 0) caveats.push('green, but nothing in the workspace changed');
  const ended = last?.agent?.stopReason;
  if (ended && ended !== 'completed') caveats.push(`green, but the agent's last turn ended by ${ended}`);
  const refused = history.iterations.reduce((sum, iteration) => sum + iteration.refused.length, 0);
  if (refused > 0)
    caveats.push(
      `${count(refused, 'edit')} of what judges the work ${refused === 1 ? 'was' : 'were'} refused`,
    );
  for (const check of last?.checks ?? []) {
    if (check.judgedBy === 'exit-code') caveats.push(`"${check.name}" is judged by its exit code alone`);
    for (const caveat of check.caveats) caveats.push(`"${check.name}": ${caveat}`);
  }
  return caveats;
}
