import { setTimeout as delay } from 'node:timers/promises';
import { killProcess, membersOf, type Scope } from './kill.ts';
import type { ProcessStat } from './procfs.ts';

/** Passes, at most: each ends what the one before brought to light. */
const PASSES = 10;

/**
 * Ends what a living process started and let go of: members of its scope that are no descendants of it any more,
 * such as a server that a finished shell had put into the background. What it still holds is left alone.
 * Returns how many processes that were. Finds nothing where there is no `/proc`.
 */
export async function endStrays(scope: Scope): Promise<number> {
  let ended = 0;
  for (let pass = 0; pass < PASSES; pass++) {
    const strays = straysOf(scope);
    if (strays.length === 0) break;
    ended += strays.filter(killProcess).length;
    await delay(5);
  }
  return ended;
}

function straysOf(scope: Scope): readonly ProcessStat[] {
  const members = membersOf(scope);
  const held = new Set([scope.leader]);
  // Pids start anew some day, so parents may come after their children: until nothing is added.
  for (let before = 0; before < held.size; ) {
    before = held.size;
    for (const { pid, parent } of members) if (held.has(parent)) held.add(pid);
  }
  return members.filter(({ pid }) => !held.has(pid));
}
