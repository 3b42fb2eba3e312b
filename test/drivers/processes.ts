import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The path of a fake agent. */
export const fake = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/bin/${name}`, import.meta.url));

/** Asks again until there is an answer; throws after ten seconds. */
export async function until<T>(ask: () => Promise<T | undefined> | T | undefined): Promise<T> {
  const deadline = performance.now() + 10_000;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > deadline) throw new Error('the condition did not come true within ten seconds');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The process id that a fake agent wrote into a file, once it is there. */
export const pidIn = (file: string): Promise<number> =>
  until(async () => Number(await readFile(file, 'utf8').catch(() => '')) || undefined);

/** A zombie, which only waits to be collected by its parent, is not alive. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return !existsSync('/proc/self');
  }
}
