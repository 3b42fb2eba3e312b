import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { duration, median, timed } from './numbers.ts';
import { type Row, ratioRow } from './row.ts';

const MAIN = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const LIMIT = 1.5;

/** How long the short commands take, each beside a Node that does nothing. */
export async function* measureStart(pairs: number): AsyncGenerator<Row> {
  for (const command of ['--version', '--help', 'list']) {
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let pair = 0; pair < pairs; pair++) {
      theirs.push(await timed(() => node('-e', '0')));
      ours.push(await timed(() => node(MAIN, command)));
    }
    const ratio = median(ours.map((ms, at) => ms / (theirs[at] ?? Number.NaN)));
    yield ratioRow(
      `start: loopgen ${command}`,
      { measured: duration(median(ours)), against: `node -e 0 ${duration(median(theirs))}`, ratio },
      LIMIT,
    );
  }
}

function node(...args: string[]): void {
  const { status, stderr } = spawnSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  if (status !== 0) throw new Error(`node ${args.join(' ')} exits with ${status}: ${stderr}`);
}
