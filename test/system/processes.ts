import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { isRunning, processStat } from '../../src/system/procfs.ts';

/** The environment of test commands: enough to find programs. */
export const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: '/nonexistent' };

/** True while the process runs; false for one that only waits to be collected. */
export function isAlive(pid: number): boolean {
  const stat = processStat(pid);
  return stat !== undefined && isRunning(stat);
}

/** Polls until `probe` gives something, for at most a minute. Not a limit to test against. */
export async function until<T>(probe: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const value = await probe();
    if (value !== undefined) return value;
    if (Date.now() > deadline) throw new Error('the condition did not come true in time');
    await delay(5);
  }
}

/** The process ids that children wrote to a file, one a line. */
export async function pidsIn(file: string): Promise<number[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').filter(Boolean).map(Number);
}

export function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Gone already.
    }
  }
}
