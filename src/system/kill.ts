import { isRunning, type ProcessStat, processIds, processStat, processVariable } from './procfs.ts';
import { SCOPE_VARIABLE } from './scope.ts';

/** What one call started: a session of its own, and whoever carries its part of the cookie. */
export interface Scope {
  /** This call's part of the cookie's value. */
  readonly part: string;
  /** The first process: its pid is the id of the group and of the session. */
  readonly leader: number;
  /** Its start, in clock ticks; 0 where unknown. */
  readonly since: number;
}

const live = new Map<number, Scope>();

export function enterScope(scope: Scope): void {
  // A process that exits in the middle of a call takes with it what it started.
  if (!process.listeners('exit').includes(killAllNow)) process.on('exit', killAllNow);
  live.set(scope.leader, scope);
}

export function leaveScope(scope: Scope): void {
  live.delete(scope.leader);
  if (live.size === 0) process.off('exit', killAllNow);
}

/** Kills what every running call started, at once and without waiting. The calls then resolve by themselves. */
export function killAllNow(): void {
  for (const scope of live.values()) {
    signalGroup(scope, 'SIGKILL');
    for (let pass = 0; pass < 3; pass++) {
      for (const member of membersOf(scope)) killProcess(member);
    }
  }
}

/** Signals the group of a scope. False when it is empty. Never this process's own group. */
export function signalGroup(scope: Scope, signal: NodeJS.Signals | 0): boolean {
  if (scope.leader <= 1 || scope.leader === process.pid || isReused(scope)) return false;
  try {
    process.kill(-scope.leader, signal);
    return true;
  } catch {
    return false;
  }
}

/** Kills one process, if the pid still names the same. */
export function killProcess(target: ProcessStat): boolean {
  if (target.pid <= 1 || target.pid === process.pid) return false;
  if (processStat(target.pid)?.start !== target.start) return false;
  try {
    process.kill(target.pid, 'SIGKILL');
    return true;
  } catch {
    return false;
  }
}

/** Processes of a scope that are alive: by session, by cookie, and the children of those. Empty without `/proc`. */
export function membersOf(scope: Scope): ProcessStat[] {
  const candidates = processIds().flatMap((pid) => {
    const stat = processStat(pid);
    return stat && stat.start >= scope.since && isRunning(stat) && pid !== process.pid ? [stat] : [];
  });
  const session = isReused(scope) ? undefined : scope.leader;
  const found = new Set<number>();
  const members: ProcessStat[] = [];
  for (const stat of candidates.sort((a, b) => a.start - b.start || a.pid - b.pid)) {
    if (stat.session === session || found.has(stat.parent) || carries(stat.pid, scope.part)) {
      found.add(stat.pid);
      members.push(stat);
    }
  }
  return members;
}

function carries(pid: number, part: string): boolean {
  return processVariable(pid, SCOPE_VARIABLE)?.split('/').includes(part) ?? false;
}

/** True when the leader is gone and its pid names another process now. */
function isReused(scope: Scope): boolean {
  const now = processStat(scope.leader);
  return now !== undefined && scope.since !== 0 && now.start !== scope.since;
}
