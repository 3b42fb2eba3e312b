import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDefaultRegistries, LoopEngine, parseSpec } from '../src/index.ts';
import { median, timed } from './numbers.ts';
import { fileAt, gitStatus, makeTree, textOf } from './tree.ts';

export interface IterationFigures {
  /** One iteration without the agent's turn, milliseconds. */
  readonly engine: number;
  /** One `git status` in the same tree, right after the same kind of turn, milliseconds. */
  readonly status: number;
  readonly ratio: number;
  /** From the call to the first turn: opening, the first look at the tree, the baseline. */
  readonly opening: number;
}

/**
 * What the engine adds to one iteration. The turn changes one file and then asks `git status` for comparison; the
 * check answers at once. The time between the end of one turn and the beginning of the next is the engine's.
 */
export async function measureIterations(files: number, iterations: number): Promise<IterationFigures> {
  const dir = await mkdtemp(join(tmpdir(), 'loopgen-bench-'));
  try {
    const root = join(dir, 'tree');
    makeTree(root, files);
    const gaps: number[] = [];
    const status: number[] = [];
    const began = performance.now();
    let ended = Number.NaN;
    let opening = Number.NaN;
    const registries = createDefaultRegistries();
    registries.drivers.register({
      name: 'scripted',
      run: async ({ iteration, workdir }) => {
        if (iteration === 0) opening = performance.now() - began;
        else gaps.push(performance.now() - ended);
        await writeFile(join(workdir, fileAt(iteration * 7)), textOf(iteration * 7, iteration + 1));
        status.push(await timed(() => gitStatus(workdir)));
        ended = performance.now();
        return { stopReason: 'completed', summary: 'changed a file' };
      },
    });
    let round = 0;
    registries.evaluators.register({
      type: 'instant',
      evaluate: async () => ({ passed: false, feedback: `not yet: ${round++}` }),
    });
    const spec = parseSpec({
      version: 1,
      name: 'bench',
      requirements: 'None.',
      driver: { uses: 'scripted' },
      evaluators: [{ uses: 'instant' }],
      limits: { maxIterations: iterations + 1, patience: iterations + 1 },
    });
    const env = { ...process.env, XDG_STATE_HOME: join(dir, 'state') };
    await new LoopEngine(registries).run(spec, { baseDir: root, stateDir: join(dir, 'runs'), env });
    const ratios = gaps.map((gap, at) => gap / (status[at] ?? Number.NaN));
    return { engine: median(gaps), status: median(status), ratio: median(ratios), opening };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
