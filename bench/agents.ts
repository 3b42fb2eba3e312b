import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { exec } from '../src/system/exec.ts';
import { formatConformanceReport } from '../src/testing/conformance/format.ts';
import { cacheFolder, environment, install } from './agent-install.ts';
import { agentsNamed, type Pinned } from './agent-pins.ts';
import type { Tried } from './agent-run.ts';

const RUN = fileURLToPath(new URL('./agent-run.ts', import.meta.url));
const LIMIT_MS = 2_400_000;

interface Row {
  readonly agent: Pinned;
  readonly seconds: number;
  readonly tried?: Tried;
  readonly problem?: string;
}

/** How a process is kept off the network, with 127.0.0.1 alone; empty where this machine does not let us. */
async function offline(): Promise<readonly string[]> {
  for (const flags of ['-n', '-rn']) {
    const args = [flags, '--', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
    const env = environment();
    const result = await exec(
      { file: 'unshare', args: [...args, 'true'] },
      { cwd: '/', env, timeoutMs: 10_000 },
    );
    if (result.ended === 'exited' && result.code === 0) return ['unshare', ...args];
  }
  return [];
}

async function tryAgent(agent: Pinned, before: readonly string[]): Promise<Row> {
  const began = performance.now();
  const row = (more: Partial<Row>): Row => ({ agent, seconds: (performance.now() - began) / 1000, ...more });
  let dir: string;
  try {
    dir = await install(agent);
  } catch (error) {
    return row({ problem: error instanceof Error ? error.message : String(error) });
  }
  // Not below /tmp: Codex puts its sandbox there.
  await mkdir(join(cacheFolder(), 'homes'), { recursive: true });
  const home = await mkdtemp(join(cacheFolder(), 'homes', `${agent.folder}-`));
  try {
    const tried = await inProcess(agent, dir, home, before);
    return row(typeof tried === 'string' ? { problem: tried } : { tried });
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The process works in the folder of the agent, where the SDK of Claude is found. */
async function inProcess(
  agent: Pinned,
  dir: string,
  home: string,
  before: readonly string[],
): Promise<Tried | string> {
  const path = [join(dir, 'node_modules/.bin'), dirname(process.execPath), process.env['PATH']].join(':');
  const node = [process.execPath, '--import', import.meta.resolve('tsx'), RUN, agent.name];
  const [file = '', ...args] = [...before, ...node];
  const result = await exec(
    { file, args },
    {
      cwd: dir,
      env: { PATH: path, HOME: home, LANG: 'C.UTF-8', TERM: 'dumb' },
      timeoutMs: LIMIT_MS,
      onOutput: (text, stream) => {
        if (stream === 'stderr') process.stderr.write(text);
      },
    },
  );
  const line = result.stdout.text.trim().split('\n').at(-1) ?? '';
  if (result.ended === 'exited' && result.code === 0) return JSON.parse(line) as Tried;
  return `its process ended badly (${result.ended}): ${result.output.text.trim().slice(-800)}`;
}

function isGood({ tried }: Row): boolean {
  return tried?.conformance.passed === true && tried.loop.outcome === 'success';
}

const HEAD = [
  'agent',
  'version',
  'via',
  'passed',
  'skipped',
  'failed',
  'loop',
  'iterations',
  'session',
  'tokens',
  'seconds',
];

function cells({ agent, tried, seconds }: Row): readonly string[] {
  const name = [agent.name, agent.version, agent.via];
  if (!tried) return [...name, '-', '-', '-', 'not tried', '-', '-', '-', seconds.toFixed(0)];
  const { conformance, loop } = tried;
  const counted = (['passed', 'skipped', 'failed'] as const).map(
    (status) => `${conformance.scenarios.filter((one) => one.status === status).length}`,
  );
  const session = loop.resumed ? 'goes on' : 'fresh';
  const rest = [
    loop.outcome,
    `${loop.iterations}`,
    session,
    `${loop.tokens ?? 'unknown'}`,
    seconds.toFixed(0),
  ];
  return [...name, ...counted, ...rest];
}

function table(rows: readonly Row[]): string {
  const all = [HEAD, HEAD.map(() => '---'), ...rows.map(cells)];
  return all.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function details(row: Row): string {
  const { agent, tried, problem } = row;
  if (!tried) return `${agent.name}: ${problem}`;
  const loop = tried.loop.outcome === 'success' ? '' : `\n  the loop: ${tried.loop.reason}`;
  return `${agent.name}\n${formatConformanceReport(tried.conformance)}${loop}`;
}

/** What was tried, by status: each scenario, and the loop; an agent that could not be tried is one failure. */
function countsOf(rows: readonly Row[]): { passed: number; failed: number; skipped: number } {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { tried } of rows) {
    for (const { status } of tried?.conformance.scenarios ?? []) counts[status]++;
    counts[tried?.loop.outcome === 'success' ? 'passed' : 'failed']++;
  }
  return counts;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** A file for the counts, as JSON: `{passed, failed, skipped}`. */
    report: { type: 'string' },
  },
});
const agents = agentsNamed(positionals);
const before = await offline();
if (before.length === 0) console.error('this machine has no "unshare -n": the agents can reach the network');
const rows: Row[] = [];
for (const agent of agents) {
  console.error(`${agent.name} ${agent.version}`);
  rows.push(await tryAgent(agent, before));
}
for (const row of rows) console.log(`${details(row)}\n`);
console.log(table(rows));
if (values.report !== undefined) await writeFile(values.report, JSON.stringify(countsOf(rows)));
process.exitCode = rows.every(isGood) ? 0 : 1;
