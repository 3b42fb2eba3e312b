import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { monotonicMs } from './clock.ts';
import { killProcess, membersOf, type Scope, signalGroup } from './kill.ts';

/** How long a sweep goes on while new processes keep appearing. */
const LONGEST_MS = 1000;
/** How long it waits for processes that were killed but have not ended yet. */
const DYING_MS = 150;

/**
 * Kills what is left of a scope, until two passes find nothing. Returns how many processes were found alive.
 * Those that are about to end by themselves have `settleMs` for it and do not count. Where there is no `/proc`,
 * only the group is ended, and counts as one.
 */
export async function sweep(scope: Scope, settleMs: number): Promise<number> {
  await settle(scope, settleMs);
  const ended = new Set<string>();
  const began = monotonicMs();
  let lastNew = began;
  let quiet = 0;
  while (quiet < 2 && monotonicMs() - began < LONGEST_MS && monotonicMs() - lastNew < DYING_MS) {
    const before = ended.size;
    const isEmpty = endOnce(scope, ended);
    if (ended.size > before) lastNew = monotonicMs();
    quiet = isEmpty ? quiet + 1 : 0;
    // Between passes others must run: the killed end, and our own event loop answers.
    await (isEmpty ? nextTurn() : delay(3));
  }
  return ended.size;
}

async function settle(scope: Scope, settleMs: number): Promise<void> {
  const deadline = monotonicMs() + settleMs;
  while (monotonicMs() < deadline && membersOf(scope).length > 0) await delay(5);
}

/** One pass. True when nothing was there. */
function endOnce(scope: Scope, ended: Set<string>): boolean {
  const members = membersOf(scope);
  for (const member of members) {
    if (killProcess(member)) ended.add(`${member.pid}:${member.start}`);
  }
  // One that appeared since is in the group, most often. Without /proc the group is all there is.
  const hadGroup = signalGroup(scope, 'SIGKILL');
  if (hadGroup && scope.since === 0) ended.add('group');
  return members.length === 0;
}
