import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { LoopgenError } from '../../core/error.ts';
import { EXIT_CODES } from '../../core/exit-codes.ts';
import { FACE_WORDS } from '../../core/outcome.ts';
import type { Report } from '../../core/report.ts';
import { artefactsDirName } from '../../observers/artefacts.ts';
import type { Context, Flags } from '../context.ts';
import { type Challenge, readChallenge } from '../faces/tdd-spec.ts';
import { requireWritable } from '../launch.ts';
import {
  type BenchmarkRow,
  renderBenchmarkHead,
  renderBenchmarkMarkdown,
  renderBenchmarkReason,
  renderBenchmarkRow,
} from '../render-benchmark.ts';
import { styleFor } from '../style.ts';
import { solve } from './tdd-run.ts';

/** `loopgen tdd benchmark [DIR…]`: exit code 0 where every challenge is solved, else 1. */
export async function tddBenchmark(context: Context, dirs: readonly string[], flags: Flags): Promise<number> {
  const challenges = await challengesOf(context.cwd, dirs, flags['all'] === true);
  requireWritable(context, flags);
  const json = flags['json'] === true;
  const style = styleFor(context.stderr, context.env);
  const tell = (line: string) => context.stderr.write(`${line}\n`);
  tell(renderBenchmarkHead(style));
  const rows: BenchmarkRow[] = [];
  // What goes wrong in every challenge is told once.
  const told = new Set<string | undefined>();
  for (const challenge of challenges) {
    const name = artefactsDirName(new Date(), challenge.dir);
    const outDir = resolve(context.cwd, String(flags['runsDir']), name);
    const report = await solve(context, challenge, flags, outDir, { quiet: flags['verbose'] !== true });
    const row = rowOf(challenge, report, Number(flags['maxAttempts']));
    rows.push(row);
    tell(renderBenchmarkRow(row, style));
    if (row.reason !== undefined && !told.has(row.reason)) tell(renderBenchmarkReason(row.reason, style));
    told.add(row.reason);
    if (context.signal.aborted) return EXIT_CODES.aborted;
  }
  tell('');
  context.stdout.write(json ? `${JSON.stringify(rows, null, 2)}\n` : `${renderBenchmarkMarkdown(rows)}\n`);
  return rows.every((row) => row.status === 'solved') ? 0 : 1;
}

async function challengesOf(
  cwd: string,
  dirs: readonly string[],
  all: boolean,
): Promise<readonly Challenge[]> {
  if (!all && dirs.length === 0)
    throw new LoopgenError('no-challenges', 'no challenge is named', { hint: 'name folders, or --all' });
  const names = all ? [...dirs, ...(await inFolder(cwd))] : dirs;
  return await Promise.all([...new Set(names)].map((name) => readChallenge(cwd, name)));
}

async function inFolder(cwd: string): Promise<readonly string[]> {
  const entries = await readdir(join(cwd, 'challenges'), { withFileTypes: true }).catch(() => {
    throw new LoopgenError('no-challenges', '--all takes the folders of challenges/, and there is none here');
  });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => join('challenges', entry.name))
    .sort();
}

function rowOf(challenge: Challenge, report: Report, maxAttempts: number): BenchmarkRow {
  const word = FACE_WORDS[report.outcome].tdd;
  const status = word === 'solved' || word === 'exhausted' ? word : 'error';
  return {
    challenge: basename(challenge.dir),
    status,
    attempts: report.iterations.length,
    maxAttempts,
    durationMs: report.durationMs,
    ...(status === 'error' && { reason: report.reason }),
  };
}
