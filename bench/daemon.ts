import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDefaultRegistries, LoopEngine, parseSpec } from '../src/index.ts';
import { duration, median } from './numbers.ts';
import type { Row } from './row.ts';

const LIMIT_MS = 1500;

/** Ignores what can be ignored, and writes now and then to the pipes that it holds. */
const DAEMON = `trap '' TERM HUP INT
while :; do echo alive; sleep 0.2; done
`;

/** How late a check comes back that times out at one second, with a daemon of its own in another session. */
export async function* measureDaemon(repeats: number): AsyncGenerator<Row> {
  if (process.platform !== 'linux') {
    yield { what: 'time-out with a daemon', measured: '-', against: 'measured on Linux only' };
    return;
  }
  const times: number[] = [];
  let left = 0;
  for (let repeat = 0; repeat < repeats; repeat++) {
    const dir = await mkdtemp(join(tmpdir(), 'loopgen-bench-'));
    try {
      times.push(await timeOut(dir));
      left += (await processesIn(dir)).length;
    } finally {
      for (const pid of await processesIn(dir)) process.kill(pid, 'SIGKILL');
      await rm(dir, { recursive: true, force: true });
    }
  }
  const measured = median(times);
  const worst = `slowest ${duration(Math.max(...times))}`;
  yield {
    what: 'check with daemon, limit 1 s',
    measured: duration(measured),
    against: worst,
    toReach: '<= 1.5 s',
    met: measured <= LIMIT_MS,
  };
  yield { what: '  processes left', measured: String(left), toReach: '0', met: left === 0 };
}

async function timeOut(dir: string): Promise<number> {
  await writeFile(join(dir, 'daemon.sh'), DAEMON);
  const spec = parseSpec({
    version: 1,
    name: 'bench',
    requirements: 'None.',
    driver: { uses: 'none' },
    // Forked twice, then a session of its own.
    evaluators: [
      { uses: 'command', options: { command: '(setsid sh daemon.sh &); sleep 600' }, timeoutMs: 1000 },
    ],
  });
  const began = performance.now();
  const { checks } = await new LoopEngine(createDefaultRegistries()).check(spec, { baseDir: dir });
  const took = performance.now() - began;
  const [check] = checks;
  if (check?.cause !== 'timeout' || !check.feedback.includes('alive'))
    throw new Error(`the check did not time out as it should: ${check?.feedback}`);
  return took;
}

/** Processes that run in this folder. */
async function processesIn(dir: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')));
  return pids.filter((_, at) => folders[at] === dir).map(Number);
}
