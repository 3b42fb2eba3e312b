import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../system/files.ts';
import { artefacts } from './artefacts.ts';
import { gitOf } from './git.ts';
import { GitState } from './git-state.ts';
import { isAlive } from './lock.ts';
import { displayOf, type Key } from './names.ts';
import { Store } from './store.ts';
import { Tracker } from './tracker.ts';

/** What a run in place leaves in the user's state folder until it ends in order. */
interface Marker {
  readonly runId: string;
  readonly pid: number;
  readonly owner: string;
  readonly since: string;
  readonly dir: string;
  readonly store: string;
  /** Git id of the work at the start, in the store. */
  readonly tree: string;
  readonly ignore: readonly string[];
  readonly unseen: readonly Key[];
  readonly watched: readonly Key[];
  readonly leftOut: readonly Key[];
  /** Files whose bytes were not kept. */
  readonly lost: readonly Key[];
}

/** A run in place that was killed. */
export interface Interrupted {
  readonly runId: string;
  /** ISO, UTC: when that run began. */
  readonly since: string;
  /** What differs from its start, as git would say it: `git diff --stat`, and the patch. */
  readonly stat: string;
  readonly patch: string;
  readonly patchFile: string;
  /** A line for the shell that brings the start back. */
  readonly restoreCommand: string;
  /** Forgets the run: it is not told again. The patch and its store stay, so that the command goes on working. */
  acknowledge(): void;
}

export async function writeMarker(userState: string, marker: Marker): Promise<() => void> {
  const file = join(userState, 'interrupted', `${marker.runId}.json`);
  mkdirSync(join(userState, 'interrupted'), { recursive: true, mode: 0o700 });
  await writeAtomically(file, JSON.stringify(marker));
  return () => rmSync(file, { force: true });
}

/**
 * The run in place in `dir` that was killed, if there is one that changed something. Looks at the tree as it is
 * now. A run whose process is alive is none. `env`: where PATH comes from, for git.
 */
export async function findInterrupted(
  userState: string,
  dir: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Interrupted | undefined> {
  const folder = join(userState, 'interrupted');
  if (!existsSync(folder) || !existsSync(dir)) return undefined;
  const real = realpathSync(dir);
  for (const name of readdirSync(folder).sort()) {
    const file = join(folder, name);
    const marker = name.endsWith('.json') ? readMarker(file) : undefined;
    if (!marker || !isSameFolder(marker.dir, real) || isAlive(marker)) continue;
    const found = existsSync(join(marker.store, 'objects')) ? await describe(marker, file, env) : undefined;
    if (found) return found;
    rmSync(file, { force: true });
  }
  return undefined;
}

function readMarker(file: string): Marker | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Marker;
  } catch {
    // Removed meanwhile, or torn: it tells nothing.
    return undefined;
  }
}

function isSameFolder(a: string, b: string): boolean {
  if (a === b) return true;
  const [one, other] = [a, b].map((path) => statSync(path, { throwIfNoEntry: false }));
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}

async function describe(
  marker: Marker,
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Interrupted | undefined> {
  const store = new Store(marker.store);
  const rules = {
    root: marker.dir,
    artefacts: artefacts(marker.ignore),
    git: new GitState(marker.dir),
    unseen: new Set(marker.unseen),
    watched: new Set(marker.watched),
  };
  const tracker = new Tracker(rules, store, { leftOut: marker.leftOut });
  await tracker.look();
  const now = tracker.tree();
  if (now === marker.tree) return undefined;
  const patchFile = file.replace(/\.json$/, '.patch');
  const lost = [...tracker.entries].filter(([, { state }]) => !state.kept).map(([key]) => key);
  const without = [...new Set([...lost, ...marker.lost])].map((key) => `:(exclude,literal)${displayOf(key)}`);
  const git = gitOf(marker.store, env);
  const common = ['diff-tree', '-r', '--no-renames', '--no-ext-diff', '--no-textconv'];
  const range = [marker.tree, now, '--', '.', ...without];
  await git.run([...common, '-p', '--binary', '--full-index', `--output=${patchFile}`, ...range]);
  const patch = readFileSync(patchFile, 'utf8');
  if (patch === '') return undefined;
  return {
    runId: marker.runId,
    since: marker.since,
    stat: (await git.run([...common, '--stat=100,70,60', ...range])).trimEnd(),
    patch,
    patchFile,
    restoreCommand: restoreCommand(marker, patchFile),
    acknowledge: () => rmSync(file, { force: true }),
  };
}

/** A repository above the workspace must not take part, nor the user's settings about line ends. */
function restoreCommand(marker: Marker, patchFile: string): string {
  const git = `git --git-dir=${quoted(marker.store)} --work-tree=. -c core.bare=false`;
  return `cd ${quoted(marker.dir)} && ${git} apply -R --whitespace=nowarn ${quoted(patchFile)}`;
}

function quoted(text: string): string {
  return /^[\w./@%+=:,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
