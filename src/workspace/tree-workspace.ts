import { lstat, rm, unlink } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { LoopgenError, messageOf } from '../core/error.ts';
import type { WorkspaceMode } from '../core/spec.ts';
import type { Snapshot, TreeChange, Workspace } from '../core/workspace.ts';
import { resolveInside, writeAtomically } from '../system/files.ts';
import { applyDifferences } from './apply.ts';
import type { CheckWindows } from './check-windows.ts';
import { GIT_INDEX } from './git-state.ts';
import { type Difference, type Differences, isContent, type State } from './manifest.ts';
import { displayOf, type Key, parentOf } from './names.ts';
import type { Patches } from './patches.ts';
import { closureOf, putBack, removeEmptied } from './restore.ts';
import { RoomTrees } from './room-trees.ts';
import { requireRoot } from './root.ts';
import { type Author, Steps } from './steps.ts';
import type { Store } from './store.ts';
import type { Tracker } from './tracker.ts';

export interface WorkspaceParts {
  readonly dir: string;
  readonly mode: WorkspaceMode;
  readonly origin?: string;
  readonly store: Store;
  readonly patches: Patches;
  readonly tracker: Tracker;
  readonly windows: CheckWindows;
  /** Folders that hold files of loopgen's own: they are never removed. */
  readonly ownFolders: ReadonlySet<Key>;
  readonly notices: readonly string[];
  readonly onClose: () => Promise<void>;
}

/** A workspace on disk: the tracker sees, the store keeps, the steps remember. */
export class TreeWorkspace implements Workspace {
  /** Looks at the tree for the first time, and keeps all of its bytes. */
  static async start(parts: WorkspaceParts): Promise<TreeWorkspace> {
    await parts.tracker.look();
    return new TreeWorkspace(parts, new Steps(parts.tracker.tree()));
  }

  readonly dir: string;
  readonly mode: WorkspaceMode;
  readonly origin?: string;
  readonly start: Snapshot;
  readonly #parts: WorkspaceParts;
  #atStart: ReadonlyMap<string, State> | undefined;
  readonly #steps: Steps;

  private constructor(parts: WorkspaceParts, steps: Steps) {
    this.#parts = parts;
    this.#steps = steps;
    this.dir = parts.dir;
    this.mode = parts.mode;
    if (parts.origin !== undefined) this.origin = parts.origin;
    this.start = steps.latest;
  }

  get notices(): readonly string[] {
    return [...this.#parts.notices, ...this.#parts.tracker.notices];
  }

  async snapshot(): Promise<Snapshot> {
    const { tracker, windows } = this.#parts;
    await requireRoot(this.dir);
    const byChecks = windows.take();
    const differences = await tracker.look();
    const authors = new Map<Key, Author>();
    for (const key of differences.keys()) authors.set(key, byChecks(this.#stampOf(key)) ? 'checks' : 'agent');
    return this.#steps.add(differences, this.#treeAfter(differences), (key) => authors.get(key) ?? 'agent');
  }

  changes(from: Snapshot, to: Snapshot): readonly TreeChange[] {
    const found: TreeChange[] = [];
    for (const [key, difference] of this.#steps.between(from, to)) {
      const change = key === GIT_INDEX ? undefined : this.#changeOf(from, to, key, difference);
      if (change) found.push(change);
    }
    return found.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  async diff(from: Snapshot, to: Snapshot, maxChars: number) {
    const work = filter(this.#steps.between(from, to), (_, one) => isWork(one));
    return await this.#parts.patches.describe({ differences: work, trees: [from.tree, to.tree] }, maxChars);
  }

  async savePatch(from: Snapshot, to: Snapshot, file: string, paths?: readonly string[]): Promise<string> {
    const named = paths && new Set(paths);
    const differences = filter(this.#steps.between(from, to), (key, one) =>
      named ? named.has(displayOf(key)) : isWork(one),
    );
    const target = resolve(file);
    const trees = named ? undefined : ([from.tree, to.tree] as const);
    await this.#parts.patches.save({ differences, ...(trees && { trees }) }, target);
    return target;
  }

  async restore(current: Snapshot, to: Snapshot, paths?: readonly string[]): Promise<Snapshot> {
    const { store, tracker, ownFolders } = this.#parts;
    const all = filter(
      this.#steps.between(current, to),
      (key, { after }) => after !== undefined || !ownFolders.has(key),
    );
    const named = paths && new Set(paths);
    const differences = named ? closureOf(all, (key) => named.has(displayOf(key))) : all;
    if (differences.size === 0) return this.#steps.latest;
    const placeOf = (key: Key) => tracker.placeOf(key);
    putBack(store, placeOf, differences);
    const emptied = removeEmptied(placeOf, all, differences);
    const touched = [...differences.keys(), ...emptied];
    const again = new Map<Key, State | undefined>();
    for (const key of touched.map(parentOf)) {
      const folder = tracker.entries.get(key);
      if (folder) again.set(key, folder.state);
    }
    for (const key of touched) again.set(key, all.get(key)?.after);
    const found = tracker.lookAgain(again);
    return this.#steps.add(found, this.#treeAfter(found), () => 'restore');
  }

  async write(path: string, content: string): Promise<void> {
    const target = await this.#inside(path);
    try {
      await writeAtomically(target, content);
    } catch (error) {
      throw new LoopgenError(
        'cannot-write',
        `${JSON.stringify(path)} cannot be written: ${messageOf(error)}`,
      );
    }
  }

  async remove(path: string): Promise<void> {
    const above = await this.#inside(path).then(() => this.#inside(dirname(path)));
    const target = join(above, basename(path));
    try {
      // A link is removed, not what it leads to.
      await unlink(target);
    } catch (error) {
      if ((await lstat(target).catch(() => undefined)) === undefined) return;
      throw new LoopgenError(
        'cannot-write',
        `${JSON.stringify(path)} cannot be removed: ${messageOf(error)}`,
      );
    }
  }

  async applyToOrigin(to: Snapshot) {
    const { store } = this.#parts;
    if (this.origin === undefined) return { applied: [] };
    const all = this.#steps.between(this.start, to);
    const work = filter(all, (key, one) => isWork(one) && !this.#steps.byChecksOnly(this.start, to, key));
    return applyDifferences(
      store,
      this.origin,
      closureOf(all, (key) => work.has(key)),
    );
  }

  startPaths(): readonly string[] {
    return [...this.#startStates().keys()];
  }

  startLinks(): readonly string[] {
    return [...this.#startStates()].filter(([, { type }]) => type === 'link').map(([path]) => path);
  }

  startText(path: string): string | undefined {
    const state = this.#startStates().get(path);
    if (state?.type !== 'file' || !state.kept) return undefined;
    const bytes = this.#parts.store.read(state.oid);
    return bytes.length > MAX_TEXT_BYTES || bytes.includes(0) ? undefined : bytes.toString('utf8');
  }

  /** The start never changes, so it is looked up once. */
  #startStates(): ReadonlyMap<string, State> {
    this.#atStart ??= this.#trees().startStates();
    return this.#atStart;
  }

  async materialise(dir: string, at: Snapshot, accepts: (change: TreeChange) => boolean): Promise<void> {
    await this.#trees().materialise(dir, at, accepts);
  }

  async carry(
    dir: string,
    from: Snapshot,
    to: Snapshot,
    accepts: (change: TreeChange) => boolean,
  ): Promise<void> {
    this.#trees().carry(dir, from, to, accepts);
  }

  async whileChecking<T>(run: () => Promise<T>): Promise<T> {
    return await this.#parts.windows.during(run);
  }

  async close(): Promise<void> {
    await this.#parts.patches.close();
    await this.#parts.onClose();
  }

  #trees(): RoomTrees {
    const { store, tracker } = this.#parts;
    return new RoomTrees(store, tracker, this.#steps, this.start, (at, key, difference) =>
      this.#changeOf(this.start, at, key, difference),
    );
  }

  #changeOf(from: Snapshot, to: Snapshot, key: Key, difference: Difference): TreeChange | undefined {
    const change = kindOf(difference);
    if (!change) return undefined;
    const byChecks = this.#steps.byChecksOnly(from, to, key);
    return { path: displayOf(key), change, work: isWork(difference), byChecks };
  }

  async #inside(path: string): Promise<string> {
    const found = await resolveInside(this.dir, path);
    if (!found.ok) {
      throw new LoopgenError(
        'outside-workspace',
        `${JSON.stringify(path)} may not be written: ${found.because}`,
      );
    }
    const [first = ''] = relative(this.dir, found.path).split(sep);
    if (first.toLowerCase() === '.git') {
      throw new LoopgenError(
        'outside-workspace',
        `${JSON.stringify(path)} may not be written: it belongs to git`,
      );
    }
    return found.path;
  }

  /** The tree's id is made only where something differs: an idle turn costs a walk and nothing else. */
  #treeAfter(differences: Differences): string {
    return differences.size === 0 ? this.#steps.latest.tree : this.#parts.tracker.tree();
  }

  /** When a path changed last; for a deleted one, when the folder it was in did. */
  #stampOf(key: Key): number | undefined {
    const { entries } = this.#parts.tracker;
    for (let at = key; ; at = parentOf(at)) {
      const entry = entries.get(at);
      if (entry) return entry.stamp.ctimeMs;
      if (at === '') return undefined;
    }
  }
}

/** Larger files are no text that anybody reads here. */
const MAX_TEXT_BYTES = 1_000_000;

/** Removes a run's store. */
export async function removeStore(store: Store): Promise<void> {
  await rm(store.dir, { recursive: true, force: true });
}

function filter(all: Differences, keep: (key: Key, one: Difference) => boolean): Map<Key, Difference> {
  return new Map([...all].filter(([key, one]) => keep(key, one)));
}

/** In terms of files: folders and sockets are no changes by themselves. */
function kindOf({ before, after }: Difference): TreeChange['change'] | undefined {
  const was = isFileLike(before);
  const is = isFileLike(after);
  if (was && is) return 'modified';
  if (is) return 'added';
  return was ? 'deleted' : undefined;
}

function isFileLike(state: State | undefined): boolean {
  return state !== undefined && state.type !== 'dir';
}

function isWork({ before, after }: Difference): boolean {
  return (isContent(before) && before.work) || (isContent(after) && after.work);
}
