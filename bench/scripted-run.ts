import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDefaultRegistries, LoopEngine, parseSpec } from '../src/index.ts';
import { fileAt, makeTree, textOf } from './tree.ts';

export interface ScriptedRun {
  /** Size of the tree. */
  readonly files: number;
  readonly iterations: number;
  /** Called when a turn begins, before anything is changed. */
  readonly began: (iteration: number) => void;
  /** Called when the turn has changed its one file; what it does is not the engine's time. */
  readonly changed?: (workdir: string) => Promise<void>;
  /** Called last in a turn. */
  readonly ended?: () => void;
  /** Called when the tree is made and the engine is about to start. */
  readonly ready?: () => void;
}

/** A run of the engine on a git repository, with a driver that changes one file a turn and a check that is red at once. */
export async function scriptedRun(run: ScriptedRun): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'loopgen-bench-'));
  try {
    const root = join(dir, 'tree');
    makeTree(root, run.files);
    const registries = createDefaultRegistries();
    registries.drivers.register({
      name: 'scripted',
      run: async ({ iteration, workdir }) => {
        run.began(iteration);
        const number = (iteration * 7) % run.files;
        await writeFile(join(workdir, fileAt(number)), textOf(number, iteration + 1));
        await run.changed?.(workdir);
        run.ended?.();
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
      limits: { maxIterations: run.iterations, patience: run.iterations },
    });
    const env = { ...process.env, XDG_STATE_HOME: join(dir, 'state') };
    run.ready?.();
    const report = await new LoopEngine(registries).run(spec, {
      baseDir: root,
      stateDir: join(dir, 'runs'),
      env,
    });
    if (report.outcome !== 'max-iterations') throw new Error(`the run ended early: ${report.reason}`);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
