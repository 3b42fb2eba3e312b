import { existsSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDefaultRegistries } from '../../src/compose/registries.ts';
import type { Report } from '../../src/core/report.ts';
import { LoopEngine } from '../../src/loopgen.ts';
import { parseSpec } from '../../src/spec/parse.ts';
import { exec } from '../../src/system/exec.ts';
import { which } from '../../src/system/which.ts';
import { tempDir } from '../support/temp-dir.ts';
import { hasMaven, TOOLS } from '../support/tools.ts';
import type { Recipe } from './recipe.ts';

const NODE_MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
/** Where runners of JavaScript are installed: in the folder that the environment names, with the project, for its tests only. */
const INSTALLED: readonly string[] = [
  ...(process.env['NODE_MODULES'] === undefined ? [] : [process.env['NODE_MODULES']]),
  NODE_MODULES,
  TOOLS,
];

export interface PlayOptions {
  /** Set in the spec beside what the recipe says: limits, allow, guard. */
  readonly spec?: Readonly<Record<string, unknown>>;
}

/** A recipe through the whole engine: rooms, guards and all, with a scripted agent that does nothing else. */
export async function play(recipe: Recipe, options: PlayOptions = {}): Promise<Report> {
  await using dir = await tempDir('loopgen-cheat-');
  const env = await lay(dir.path, recipe);
  const spec = parseSpec({
    version: 1,
    name: recipe.id,
    requirements: 'Make the check green.',
    workspace: { dir: 'w' },
    driver: { uses: 'mock', options: { steps: [stepOf(recipe)] } },
    evaluators: [{ uses: 'command', as: 'check', options: { command: checkOf(recipe) } }],
    ...options.spec,
  });
  return await new LoopEngine(createDefaultRegistries()).run(spec, {
    baseDir: dir.path,
    stateDir: join(dir.path, 'state'),
    env,
  });
}

export interface Alone {
  /** Exit codes of the check before and after; -1 where it did not end by itself. */
  readonly before: number;
  readonly after: number;
  /** True where the behaviour that was asked for is there. */
  readonly done: boolean;
}

/** The same recipe judged by nothing but the exit code of its check, in the tree that the agent left. */
export async function judgedByExitCode(recipe: Recipe): Promise<Alone> {
  await using dir = await tempDir('loopgen-cheat-');
  const around = await lay(dir.path, recipe);
  const cwd = join(dir.path, 'w');
  const code = async (shell: string, env = around) => {
    const result = await exec({ shell }, { cwd, env, timeoutMs: 120_000 });
    return result.ended === 'exited' ? result.code : -1;
  };
  const clean = environment(dir.path, { NODE_MODULES: packagesFor(recipe) });
  const check = checkOf(recipe);
  const before = await code(check, clean);
  for (const [path, text] of Object.entries(recipe.edits ?? {})) await edit(cwd, path, text);
  if (recipe.run !== undefined) await code(recipe.run);
  const after = await code(check);
  const done = recipe.probe !== undefined && (await code(recipe.probe, clean)) === 0;
  return { before, after, done };
}

/** Checks of a run get no variables but those that are allowed. */
function checkOf({ check }: Recipe): string {
  return check.replaceAll('$MAVEN_REPOSITORY', join(homedir(), '.m2/repository'));
}

/** The program that a check needs and that is not installed. */
export function missingTool({ check }: Recipe): string | undefined {
  const local = localProgram(check);
  if (local !== undefined) return folderWith(local) === undefined ? local : undefined;
  if (/^mvn\b/.test(check)) return hasMaven() ? undefined : 'mvn';
  const tool = /^(?:go|cargo)\b/.exec(check)?.[0];
  return tool === undefined || which(tool, process.env) ? undefined : tool;
}

function localProgram(check: string): string | undefined {
  return /node_modules\/\.bin\/(\S+)/.exec(check)?.[1];
}

function folderWith(program: string): string | undefined {
  return INSTALLED.find((folder) => existsSync(join(folder, '.bin', program)));
}

/** The packages that a recipe is laid beside. */
function packagesFor({ check }: Recipe): string {
  const program = localProgram(check);
  return (program === undefined ? INSTALLED[0] : folderWith(program)) ?? NODE_MODULES;
}

async function lay(dir: string, recipe: Recipe): Promise<Record<string, string>> {
  const cwd = join(dir, 'w');
  for (const folder of [cwd, join(dir, 'home'), join(dir, 'lab')]) await mkdir(folder);
  for (const [path, text] of Object.entries(recipe.files)) await edit(cwd, path, text);
  if (!('.gitignore' in recipe.files)) await edit(cwd, '.gitignore', 'node_modules\n__pycache__/\n');
  if ('package.json' in recipe.files) await symlink(packagesFor(recipe), join(cwd, 'node_modules'));
  const env = environment(dir, { NODE_MODULES: packagesFor(recipe), ...recipe.env });
  const commit = 'git init -q && git add -A && git -c user.name=u -c user.email=u@localhost commit -qm start';
  const lines = recipe.before === undefined ? [commit] : [commit, recipe.before];
  for (const shell of lines) {
    const result = await exec({ shell }, { cwd, env, timeoutMs: 120_000 });
    if (result.ended !== 'exited' || result.code !== 0)
      throw new Error(`${recipe.id} cannot be laid out: ${result.output.text}`);
  }
  return env;
}

export function environment(dir: string, env: Recipe['env']): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: join(dir, 'home'),
    XDG_STATE_HOME: join(dir, 'user-state'),
    LANG: 'C.UTF-8',
    // A cold cache would compile the standard library for every recipe.
    GOCACHE: process.env['GOCACHE'] ?? join(homedir(), '.cache', 'go-build'),
    RUSTUP_HOME: process.env['RUSTUP_HOME'] ?? join(homedir(), '.rustup'),
    CARGO_HOME: process.env['CARGO_HOME'] ?? join(homedir(), '.cargo'),
    NODE_MODULES,
    LAB: join(dir, 'lab'),
    ...env,
  };
}

async function edit(cwd: string, path: string, text: string | null): Promise<void> {
  const file = join(cwd, path);
  await rm(file, { force: true });
  if (text === null) return;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text, { mode: path.endsWith('.sh') ? 0o755 : 0o644 });
}

function stepOf({ edits = {}, run }: Recipe) {
  const written = Object.entries(edits).filter((edit): edit is [string, string] => edit[1] !== null);
  return {
    files: Object.fromEntries(written),
    deleteFiles: Object.keys(edits).filter((path) => edits[path] === null),
    ...(run !== undefined && { run }),
  };
}
