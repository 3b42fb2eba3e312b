import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Row } from './row.ts';
import { scriptedRun } from './scripted-run.ts';

const SCRIPT = fileURLToPath(new URL('memory.ts', import.meta.url));
const ITERATIONS = 500;
const SETTLED = 50;
const LIMIT_MB = 10;

/** How the heap grows from iteration 50 to 500: of the engine by itself, and with a real tree on disk. */
export async function* measureMemory(onDisk: boolean): AsyncGenerator<Row> {
  yield row('memory of 500 iterations', inMemory());
  if (onDisk) yield row('  the same on disk', await onRealTree());
}

function row(what: string, growth: number): Row {
  return {
    what,
    measured: `${growth.toFixed(1)} MB`,
    against: 'growth of the heap',
    toReach: '<= 10 MB',
    met: growth <= LIMIT_MB,
  };
}

/** Large outputs and many test results, no disk: a process of its own, so that nothing else is counted. */
function inMemory(): number {
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', SCRIPT], { encoding: 'utf8' });
  const growth = /grows by (-?[\d.]+) MB/.exec(stdout)?.[1];
  if (growth === undefined) throw new Error(`the memory benchmark failed: ${stderr}`);
  return Number(growth);
}

async function onRealTree(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed / 1e6;
  };
  let settled = Number.NaN;
  let last = Number.NaN;
  await scriptedRun({
    files: 500,
    iterations: ITERATIONS,
    began: (iteration) => {
      if (iteration === SETTLED) settled = heap();
      if (iteration === ITERATIONS - 1) last = heap();
    },
  });
  return last - settled;
}
