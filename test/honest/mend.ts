import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createDefaultRegistries } from '../../src/compose/registries.ts';
import type { Report } from '../../src/core/report.ts';
import { LoopEngine } from '../../src/loopgen.ts';
import { parseSpec } from '../../src/spec/parse.ts';
import { exec } from '../../src/system/exec.ts';
import { environment } from '../cheats/play.ts';
import { tempDir } from '../support/temp-dir.ts';
import type { Honest } from './projects.ts';

const COMMIT = 'git init -q && git add -A && git -c user.name=u -c user.email=u@localhost commit -qm start';

export interface MendOptions {
  /** Set in the spec beside the defaults. */
  readonly spec?: Readonly<Record<string, unknown>>;
  /** Makes variables of the environment, given a folder of the run's own. */
  readonly env?: (dir: string) => Readonly<Record<string, string>>;
}

/** The project through the whole engine, with default settings unless the options say otherwise. */
export async function mend(project: Honest, options: MendOptions = {}): Promise<Report> {
  await using dir = await tempDir('loopgen-honest-');
  const env = environment(dir.path, options.env?.(dir.path));
  const workspace = await lay(dir.path, project, env);
  const spec = parseSpec({
    version: 1,
    name: 'honest',
    requirements: 'Mend it.',
    workspace: { dir: workspace },
    driver: { uses: 'mock', options: { steps: [project.step, ...(project.later ?? [])] } },
    evaluators: [{ uses: 'command', as: 'check', options: { command: project.check } }],
    ...options.spec,
  });
  return await new LoopEngine(createDefaultRegistries()).run(spec, {
    baseDir: dir.path,
    stateDir: join(dir.path, 'state'),
    env,
  });
}

async function lay(dir: string, project: Honest, env: Record<string, string>): Promise<string> {
  const root = join(dir, 'project');
  for (const folder of ['home', 'lab']) await mkdir(join(dir, folder));
  for (const [path, text] of Object.entries(project.files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const lines = [
    ...(project.make === undefined ? [] : [project.make]),
    ...(project.kept === 'no-git' ? [] : [COMMIT]),
    ...(project.kept === 'worktree' ? ['git worktree add -q -b work ../tree'] : []),
  ];
  for (const shell of lines) {
    const result = await exec({ shell }, { cwd: root, env, timeoutMs: 120_000 });
    if (result.ended !== 'exited' || result.code !== 0)
      throw new Error(`${project.title} cannot be laid out: ${result.output.text}`);
  }
  return project.kept === 'worktree' ? join(dir, 'tree') : join(root, project.at ?? '.');
}
