import { duration, median, timed } from './numbers.ts';
import { type Row, ratioRow } from './row.ts';
import { scriptedRun } from './scripted-run.ts';
import { gitStatus } from './tree.ts';

const LIMIT = 4;

/**
 * What the engine adds to one iteration: the time from the end of one turn to the beginning of the next. Each turn
 * asks `git status` in the same tree for comparison, so that both meet the machine in the same state. The start of
 * the run, from the call to the first turn, is told besides.
 */
export async function* measureIterations(files: number, iterations: number): AsyncGenerator<Row> {
  const gaps: number[] = [];
  const status: number[] = [];
  let since = Number.NaN;
  let opening = Number.NaN;
  await scriptedRun({
    files,
    iterations: iterations + 1,
    ready: () => {
      since = performance.now();
    },
    began: (iteration) => {
      const waited = performance.now() - since;
      if (iteration === 0) opening = waited;
      else gaps.push(waited);
    },
    changed: async (workdir) => {
      status.push(await timed(() => gitStatus(workdir)));
    },
    ended: () => {
      since = performance.now();
    },
  });
  const size = files.toLocaleString('en');
  const against = `git status ${duration(median(status))}`;
  const ratio = median(gaps.map((gap, at) => gap / (status[at] ?? Number.NaN)));
  yield ratioRow(`iteration, ${size} files`, { measured: duration(median(gaps)), against, ratio }, LIMIT);
  yield { what: `start of a run, ${size} files`, measured: duration(opening), against };
}
