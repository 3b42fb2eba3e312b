import { mkdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { LoopgenError } from '../core/error.ts';
import type { WorkspaceMode } from '../core/spec.ts';
import type { Workspace } from '../core/workspace.ts';
import { newScopePart } from '../system/scope.ts';
import { artefacts } from './artefacts.ts';
import { CheckWindows } from './check-windows.ts';
import { copyTree } from './copy.ts';
import { gitOf } from './git.ts';
import { GitState } from './git-state.ts';
import { writeMarker } from './interrupted.ts';
import { takeLock } from './lock.ts';
import { ancestorsOf, type Key, keyInside } from './names.ts';
import { Patches } from './patches.ts';
import type { KeepLimits } from './read.ts';
import { Store } from './store.ts';
import { Tracker } from './tracker.ts';
import { removeStore, TreeWorkspace } from './tree-workspace.ts';

export interface OpenOptions {
  /** The user's folder: where the agent works (`in-place`; made when missing) or what is copied (`copy`). */
  readonly dir: string;
  readonly mode: WorkspaceMode;
  /** Where the copy goes: a folder that does not exist or is empty. Needed for `copy` only. */
  readonly copyTo?: string;
  /** Globs of what does not count as work, beside the built-in artefacts. */
  readonly ignore?: readonly string[];
  /** Files of the judge, absolute or relative to `dir`: always seen, always work, read at every look. */
  readonly watch?: readonly string[];
  /** Files that loopgen writes (report, trace, observers), absolute or relative to `dir`: they never count. */
  readonly ownFiles?: readonly string[];
  /** The state folder of this run; where it lies in the workspace it is not seen. */
  readonly stateDir?: string;
  /** The user's state folder: locks, and marks of runs that were killed. */
  readonly userState: string;
  /** Where the store of this run goes. Removed at the end, unless `keepStore`. */
  readonly storeDir: string;
  readonly keepStore?: boolean;
  readonly runId: string;
  /** Where PATH comes from, for `git` and `cp`. Default: this process's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly limits?: Partial<KeepLimits>;
  readonly signal?: AbortSignal;
}

/**
 * Opens a workspace: takes its lock, copies it (for `copy`), looks at the tree and keeps its bytes.
 * Throws `LoopgenError`: `bad-workspace`, `workspace-busy`, `copy-failed`.
 */
export async function openWorkspace(options: OpenOptions): Promise<Workspace> {
  const given = resolve(options.dir);
  const origin = realFolder(given, options.mode);
  const copy = options.mode === 'copy' ? await copied(origin, options) : undefined;
  const root = copy ?? origin;
  const lock = takeLock(options.userState, root, options.runId);
  try {
    return await track({ ...options, dir: given }, origin, root, () => lock.release());
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function track(
  options: OpenOptions,
  origin: string,
  root: string,
  release: () => void,
): Promise<Workspace> {
  const store = new Store(options.storeDir);
  const keysOf = (paths: readonly string[]) =>
    paths.flatMap((path) => keyOf(path, options.dir, origin, root) ?? []);
  const unseen = keysOf(
    [options.storeDir, options.stateDir ?? [], options.userState, options.ownFiles ?? []].flat(),
  );
  const watched = keysOf(options.watch ?? []);
  const rules = {
    root,
    artefacts: artefacts(options.ignore ?? []),
    git: new GitState(root),
    unseen: new Set(unseen),
    watched: new Set(watched),
  };
  const tracker = new Tracker(rules, store, options.limits ? { limits: options.limits } : {});
  const notices: string[] = [];
  let forget = () => {};
  const workspace = await TreeWorkspace.start({
    dir: root,
    mode: options.mode,
    ...(root !== origin && { origin }),
    store,
    patches: new Patches(store, gitOf(store.dir, options.env ?? process.env)),
    tracker,
    windows: new CheckWindows(join(store.dir, 'clock')),
    ownFolders: new Set(unseen.flatMap(ancestorsOf)),
    notices,
    onClose: async () => {
      forget();
      release();
      if (!options.keepStore) await removeStore(store);
    },
  });
  if (options.mode === 'in-place') {
    forget = await writeMarker(options.userState, {
      runId: options.runId,
      pid: process.pid,
      owner: newScopePart(),
      since: new Date().toISOString(),
      dir: root,
      store: store.dir,
      tree: workspace.start.tree,
      ignore: options.ignore ?? [],
      unseen,
      watched,
      leftOut: [...tracker.leftOut],
      lost: [...tracker.entries].filter(([, { state }]) => !state.kept).map(([key]) => key),
    });
  }
  return workspace;
}

async function copied(origin: string, { copyTo, env, signal }: OpenOptions): Promise<string> {
  if (copyTo === undefined) throw new Error('a copy needs `copyTo`');
  const to = resolve(copyTo);
  await copyTree(origin, to, { env: env ?? process.env, ...(signal && { signal }) });
  return realpathSync(to);
}

function realFolder(dir: string, mode: WorkspaceMode): string {
  if (mode === 'in-place') mkdirSync(dir, { recursive: true });
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) {
    throw new LoopgenError('bad-workspace', `the workspace is not a folder: ${dir}`);
  }
  return realpathSync(dir);
}

/** The key of a path that is given as the user spells it; a last component that is a link stays one. */
function keyOf(path: string, given: string, origin: string, root: string): Key | undefined {
  const absolute = resolve(given, path);
  const real = join(realAbove(dirname(absolute)), basename(absolute));
  return keyInside(origin, real) ?? keyInside(root, real) ?? keyInside(given, absolute);
}

/** Links resolved as far as the path exists. */
function realAbove(dir: string): string {
  if (statSync(dir, { throwIfNoEntry: false })) return realpathSync(dir);
  const above = dirname(dir);
  return above === dir ? dir : join(realAbove(above), basename(dir));
}
