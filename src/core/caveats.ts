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
  const refused = history.iterations.flatMap((iteration) => iteration.refused);
  const undone = refused.filter((refusal) => refusal.putBack).length;
  if (undone > 0)
    caveats.push(`${count(undone, 'edit')} of what judges the work ${undone === 1 ? 'was' : 'were'} refused`);
  const stand = [...new Set(refused.filter((refusal) => !refusal.putBack).map((refusal) => refusal.path))];
  if (stand.length > 0) caveats.push(`the agent edited what judges the work: ${stand.join(', ')}`);
  for (const check of last?.checks ?? []) {
    if (check.judgedBy === 'exit-code') caveats.push(`"${check.name}" is judged by its exit code alone`);
    for (const caveat of check.caveats) caveats.push(`"${check.name}": ${caveat}`);
  }
  return caveats;
}
