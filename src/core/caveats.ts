import { keptOutForUser } from './accept.ts';
import type { Check } from './check.ts';
import type { History, Iteration } from './history.ts';
import { count } from './outcome.ts';
import { shortList } from './shorten.ts';
import { describeSuspicion } from './suspicion/row.ts';

/**
 * What a reader should still be told, beside the trust line: of every run what of the agent's work the checks did not
 * see, of a green one what else it stands on. Pure.
 */
export function caveatsOf(history: History): string[] {
  const last = history.iterations.at(-1);
  const caveats = (last?.keptOut ?? []).map(keptOutForUser);
  if (history.outcome?.kind !== 'success') return caveats;
  if (history.changed.length === 0) caveats.push('green, but nothing in the workspace changed');
  const ended = last?.agent?.stopReason;
  if (ended && ended !== 'completed') caveats.push(`green, but the agent's last turn ended by ${ended}`);
  const refused = history.iterations.flatMap((iteration) => iteration.refused);
  const undone = refused.filter((refusal) => refusal.putBack).length;
  if (undone > 0)
    caveats.push(`${count(undone, 'edit')} of what judges the work ${undone === 1 ? 'was' : 'were'} refused`);
  const stand = [...new Set(refused.filter((refusal) => !refusal.putBack).map((refusal) => refusal.path))];
  if (stand.length > 0) caveats.push(`the agent edited what judges the work: ${stand.join(', ')}`);
  caveats.push(...ofConfirmation(history), ...ofPatch(last));
  for (const check of last?.checks ?? []) caveats.push(...ofCheck(check));
  return caveats;
}

/** What the confirmation stands on, beside the tree of the start and the agent's work. */
function ofConfirmation({ baseline, iterations }: History): string[] {
  const confirmation = iterations.at(-1)?.confirmation;
  if (!confirmation) return [];
  const { caveats = [], allowed = [], room } = confirmation;
  const because = baseline?.room?.because;
  return [
    // What a run chose for itself (`confirm: rerun`) needs no word.
    ...((room ?? baseline?.room)?.kind === 'workspace'
      ? [`confirmed by a rerun in the workspace, not in a room${because === undefined ? '' : `: ${because}`}`]
      : []),
    ...(allowed.length > 0 ? [`let in by "allow": ${allowed.join(', ')}`] : []),
    ...caveats,
  ];
}

const MOST_FINDINGS = 10;

/** What the patch holds, each with its place. */
function ofPatch(last: Iteration | undefined): string[] {
  const found = last?.confirmation?.suspicions ?? last?.suspicions ?? [];
  const more = found.length - MOST_FINDINGS;
  return [
    ...found.slice(0, MOST_FINDINGS).map((one) => `in the patch, ${describeSuspicion(one)}`),
    ...(more > 0 ? [`in the patch, ${count(more, 'more construct')} of this kind`] : []),
  ];
}

function ofCheck({ name, judgedBy, caveats, ledger }: Check): string[] {
  const found = caveats.map((caveat) => `"${name}": ${caveat}`);
  if (judgedBy === 'exit-code') found.unshift(`"${name}" is judged by its exit code alone`);
  if (ledger?.compared && ledger.renamed.count > 0)
    found.push(
      `"${name}": tests that were red were found under another id: ${shortList(ledger.renamed.ids)}`,
    );
  return found;
}
