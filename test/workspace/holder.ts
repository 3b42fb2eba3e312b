import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Bench } from './support.ts';

export interface Holder extends AsyncDisposable {
  readonly pid: number;
  readonly store: string;
  readonly runId: string;
  /** As the machine would: no clean-up runs. */
  kill(): Promise<void>;
}

/** Another process that works in the tree. */
export async function holder(b: Bench, dir = b.dir): Promise<Holder> {
  const script = join(import.meta.dirname, 'fixtures', 'hold-workspace.ts');
  const runId = 'killed-run';
  const store = join(b.root, 'stores', runId);
  const child = spawn(process.execPath, ['--import', 'tsx', script, dir, b.userState, store, runId], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await Promise.race([once(child.stdout, 'data'), failed(child)]);
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { pid: child.pid ?? 0, store, runId, kill, [Symbol.asyncDispose]: kill };
}

async function failed(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit');
  throw new Error(`the other process ended with ${code}`);
}
