import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { duration, megabytes, timed } from './numbers.ts';
import type { Row } from './row.ts';

const MAIN = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const LIMIT = 100e6;
const EXIT = 7;

/** Loaded beside loopgen: writes down its peak memory when it ends. The kernel's own figure, where there is one. */
const WITNESS = `
import { readFileSync, writeFileSync } from 'node:fs';
process.on('exit', () => {
  let bytes = process.resourceUsage().maxRSS * 1024;
  try { bytes = Number(/VmHWM:\\s+(\\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) * 1024; } catch {}
  writeFileSync(process.env.BENCH_PEAK, String(bytes));
});`;

/** Peak memory of \`loopgen check\` while a check prints three gigabytes, and whether its verdict is right. */
export async function* measureFlood(): AsyncGenerator<Row> {
  const dir = await mkdtemp(join(tmpdir(), 'loopgen-bench-'));
  try {
    const spec = join(dir, 'flood.loop.yaml');
    const peakFile = join(dir, 'peak');
    await writeFile(spec, SPEC);
    const args = ['--import', `data:text/javascript,${encodeURIComponent(WITNESS)}`, MAIN, 'check', spec];
    const env = { ...process.env, BENCH_PEAK: peakFile };
    let result: ReturnType<typeof check> | undefined;
    const took = await timed(() => {
      result = check(args, env);
    });
    const peak = Number(await readFile(peakFile, 'utf8'));
    yield {
      what: 'check that prints 3 GB',
      measured: megabytes(peak),
      against: `in ${duration(took)}`,
      toReach: '<= 100MB',
      met: peak <= LIMIT,
    };
    const verdict = result?.checks[0];
    const right = verdict?.status === 'pass' && verdict.exitCode === EXIT;
    yield { what: '  its verdict', measured: right ? 'right' : 'WRONG', toReach: 'right', met: right };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

const SPEC = `version: 1
name: flood
requirements: None.
driver: { uses: none }
evaluators:
  - uses: command
    options: { command: 'head -c 3000000000 /dev/zero; exit ${EXIT}', expectExitCode: ${EXIT} }
`;

function check(args: readonly string[], env: NodeJS.ProcessEnv) {
  const { stdout, stderr } = spawnSync(process.execPath, [...args, '--json'], { env, encoding: 'utf8' });
  try {
    return JSON.parse(stdout) as { checks: { status: string; exitCode?: number }[] };
  } catch {
    throw new Error(`loopgen check printed no result: ${stderr}`);
  }
}
