import type { Merged } from './merged.ts';

/** An entry of a snapshot file of jest or vitest, up to the next one. */
const ENTRY = /^exports\[`/m;

/** What the start's tests expect stays; entries for new tests go in. A format without entries stays whole. */
export function mergeSnapshot(start: string, agents: string): Merged {
  if (start === '' || start === agents) return { text: agents, kept: [] };
  const ours = entriesOf(start);
  const theirs = entriesOf(agents);
  if (ours.size === 0) return { text: start, kept: ['what tests expect'] };
  const kept = [...ours].filter(([key, text]) => theirs.get(key)?.trim() !== text.trim()).map(([key]) => key);
  if (kept.length === 0) return { text: agents, kept };
  const head = start.slice(0, start.search(ENTRY));
  const all = new Map([...theirs, ...ours]);
  const body = [...all.values()].map((text) => text.trim()).join('\n\n');
  return { text: `${head}${body}\n`, kept };
}

/** Entries by their key; the last one of a key counts, as it does for the runner. */
function entriesOf(text: string): Map<string, string> {
  const pieces = text.split(/^(?=exports\[`)/m).filter((piece) => ENTRY.test(piece));
  return new Map(pieces.map((piece) => [/^exports\[`((?:\\.|[^`\\])*)`\]/.exec(piece)?.[1] ?? piece, piece]));
}
