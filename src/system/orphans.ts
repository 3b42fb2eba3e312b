import { setTimeout as delay } from 'node:timers/promises';
import { killProcess } from './kill.ts';
import { commandLine, isRunning, processIds, processStat, processUser, processVariable } from './procfs.ts';
import { isOwnerDead, SCOPE_VARIABLE, scopeParts } from './scope.ts';

/** A process that a killed loopgen had left, and that was ended. */
export interface Orphan {
  readonly pid: number;
  readonly command: string;
}

/**
 * Ends what a killed loopgen left: processes of this user whose cookie names an owner that is certainly dead.
 * What belongs to a living owner is never touched. Finds nothing where there is no `/proc`.
 */
export async function sweepOrphans(): Promise<Orphan[]> {
  const ended = new Map<string, Orphan>();
  for (let pass = 0; pass < 10; pass++) {
    const before = ended.size;
    endOnce(ended);
    if (ended.size === before) break;
    await delay(5);
  }
  return [...ended.values()];
}

function endOnce(ended: Map<string, Orphan>): void {
  // This process may itself be what a killed loopgen left; then it is still at work for somebody.
  const own = new Set(scopeParts(process.env[SCOPE_VARIABLE] ?? '').map((part) => part.text));
  for (const pid of processIds()) {
    const stat = processStat(pid);
    if (!stat || !isRunning(stat) || pid === process.pid || processUser(pid) !== process.getuid?.()) continue;
    const parts = scopeParts(processVariable(pid, SCOPE_VARIABLE) ?? '');
    if (!parts.some((part) => !own.has(part.text) && isOwnerDead(part))) continue;
    const command = commandLine(pid);
    if (killProcess(stat)) ended.set(`${pid}:${stat.start}`, { pid, command });
  }
}
