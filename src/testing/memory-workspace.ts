import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LoopgenError } from '../core/error.ts';
import { headAndTail } from '../core/shorten.ts';
import { wholeFilePatch } from '../core/whole-file-patch.ts';
import type { Snapshot, TreeChange, Workspace } from '../core/workspace.ts';

export interface MemoryWorkspace extends Workspace {
  /** Path → content. An agent with tools edits it directly. */
  readonly files: Map<string, string>;
  /** What `savePatch` wrote: file → patch. */
  readonly patches: ReadonlyMap<string, string>;
}

export interface MemoryWorkspaceOptions {
  /** Default: `/memory`. Nothing is read or written there; only rooms are real folders. */
  readonly dir?: string;
  /** Paths that are seen but do not count as work. Default: none. */
  readonly ignore?: (path: string) => boolean;
  readonly notices?: readonly string[];
}

type Files = ReadonlyMap<string, string>;

/** What a snapshot stands for; kept beside it, so that it goes when the snapshot goes. */
interface State {
  readonly files: Files;
  /** Path → what the checks last made of it. */
  readonly byChecks: ReadonlyMap<string, string | undefined>;
}

/** A workspace that lives in a map: quick, and without a disk. Equal contents have equal tree ids. */
export function memoryWorkspace(
  files: Readonly<Record<string, string>> = {},
  options: MemoryWorkspaceOptions = {},
): MemoryWorkspace {
  const now = new Map(Object.entries(files));
  const ignore = options.ignore ?? (() => false);
  const states = new WeakMap<Snapshot, State>();
  const patches = new Map<string, string>();
  let byChecks: ReadonlyMap<string, string | undefined> = new Map();

  const take = (): Snapshot => {
    const snapshot = { tree: treeId(now, ignore) };
    states.set(snapshot, { files: new Map(now), byChecks });
    return snapshot;
  };
  const stateOf = (snapshot: Snapshot): State => {
    const state = states.get(snapshot);
    if (!state) throw new Error('this snapshot is of another workspace');
    return state;
  };
  const patch = (from: Snapshot, to: Snapshot, paths: readonly string[]): string => {
    const [a, b] = [stateOf(from).files, stateOf(to).files];
    return paths.map((path) => wholeFilePatch(path, a.get(path), b.get(path))).join('');
  };

  const chosen = (at: Snapshot, accepts: (change: TreeChange) => boolean): Files => {
    const files = new Map(stateOf(workspace.start).files);
    for (const change of workspace.changes(workspace.start, at))
      if (accepts(change)) put(files, change.path, stateOf(at).files.get(change.path));
    return files;
  };

  const workspace: MemoryWorkspace = {
    files: now,
    patches,
    dir: options.dir ?? '/memory',
    mode: 'in-place',
    start: take(),
    notices: options.notices ?? [],
    snapshot: async () => take(),
    changes(from, to) {
      const [a, b] = [stateOf(from).files, stateOf(to)];
      return differing(a, b.files).map((path) => ({
        path,
        change: kindOf(a.has(path), b.files.has(path)),
        work: !ignore(path),
        byChecks: b.byChecks.has(path) && b.byChecks.get(path) === b.files.get(path),
      }));
    },
    async diff(from, to, maxChars) {
      const work = workspace.changes(from, to).filter((change) => change.work);
      const text = patch(
        from,
        to,
        work.map((change) => change.path),
      );
      return { stat: headAndTail(statOf(work), maxChars), patch: headAndTail(text, maxChars) };
    },
    async savePatch(from, to, file, paths) {
      const all = differing(stateOf(from).files, stateOf(to).files);
      patches.set(file, patch(from, to, paths ?? all));
      return file;
    },
    async restore(current, to, paths) {
      const target = stateOf(to).files;
      for (const path of paths ?? differing(stateOf(current).files, target)) put(now, path, target.get(path));
      return take();
    },
    write: async (path, content) => put(now, contained(path), content),
    remove: async (path) => put(now, contained(path), undefined),
    applyToOrigin: async () => ({ applied: [] }),
    startLinks: () => [],
    startPaths: () => [...stateOf(workspace.start).files.keys()],
    startText: (path) => stateOf(workspace.start).files.get(path),
    async materialise(dir, at, accepts) {
      await writeAll(dir, new Map(), chosen(at, accepts));
    },
    async carry(dir, from, to, accepts) {
      await writeAll(dir, chosen(from, accepts), chosen(to, accepts));
    },
    async whileChecking(run) {
      const before = new Map(now);
      try {
        return await run();
      } finally {
        const made = differing(before, now).map((path) => [path, now.get(path)] as const);
        byChecks = new Map([...byChecks, ...made]);
      }
    },
    close: async () => {},
  };
  return workspace;
}

function treeId(files: Files, ignore: (path: string) => boolean): string {
  const hash = createHash('sha1');
  for (const path of [...files.keys()].sort()) {
    if (!ignore(path)) hash.update(JSON.stringify([path, files.get(path)]));
  }
  return hash.digest('hex');
}

function differing(a: Files, b: Files): string[] {
  const paths = new Set([...a.keys(), ...b.keys()]);
  return [...paths].filter((path) => a.get(path) !== b.get(path)).sort();
}

function kindOf(before: boolean, after: boolean): TreeChange['change'] {
  if (!before) return 'added';
  return after ? 'modified' : 'deleted';
}

function statOf(changes: readonly TreeChange[]): string {
  return changes.map(({ path, change }) => ` ${path} | ${change}\n`).join('');
}

function put(files: Map<string, string>, path: string, content: string | undefined): void {
  if (content === undefined) files.delete(path);
  else files.set(path, content);
}

/** Makes a folder that holds `from` hold `to`. */
async function writeAll(dir: string, from: Files, to: Files): Promise<void> {
  for (const path of differing(from, to)) {
    const content = to.get(path);
    const file = join(dir, path);
    if (content === undefined) await rm(file, { force: true });
    else await mkdir(dirname(file), { recursive: true }).then(() => writeFile(file, content));
  }
}

function contained(path: string): string {
  if (path === '' || path.startsWith('/') || path.split('/').includes('..'))
    throw new LoopgenError('outside-workspace', `${JSON.stringify(path)} lies outside of the workspace`);
  return path;
}
