import { mkdirSync, rmdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { Room, RoomKind } from '../core/room.ts';
import { makeOwnFolder } from '../system/own-folder.ts';
import { findSandbox, type Sandbox } from '../system/sandbox.ts';
import { bound } from './bound.ts';
import { copyFolder, isSmall, makeAbove, removeTree } from './copy.ts';
import { takeDependencies } from './dependencies.ts';
import { DependencyManifest } from './dependency-manifest.ts';
import { folder } from './folder.ts';
import { GitAtStart } from './git-state.ts';
import { homesOf, makeHome, toolVariables } from './homes.ts';
import { type Install, installIn } from './install.ts';
import { linkedPlaces } from './linked.ts';
import { namedOutside } from './named-outside.ts';
import { repositoryOf } from './outside.ts';
import { isFolder, lookAt } from './paths.ts';
import type { Common, Places, RoomsOptions } from './places.ts';
import { placeFor } from './temporary.ts';
import { Witnesses } from './witnesses.ts';

export type { Install } from './install.ts';
export type { RoomsOptions } from './places.ts';
export type { WatchedPackages } from './python-watch.ts';

/** Makes the rooms of one run. */
export interface Rooms {
  /** Every kind, best first; `because` says why one cannot be had. */
  available(): readonly { readonly kind: RoomKind; readonly because?: string }[];
  /** What a reader should know, for example a folder too large to be copied. */
  readonly notices: readonly string[];
  /**
   * Makes a room. `fill` writes the tree into the empty folder that it is given (`Workspace.materialise`); it is not
   * called for the workspace itself. Throws what `fill` throws, and `LoopgenError` `copy-failed`.
   */
  make(kind: RoomKind, fill: (dir: string) => Promise<void>): Promise<Room>;
  /**
   * Makes a room whose dependencies are its own, in place of those that changed: `install` runs in another room of the
   * same tree, and what it leaves in the dependency folders, and nothing else, is taken over. Where `install` says what
   * went wrong, that is the answer.
   */
  makeInstalled(
    kind: RoomKind,
    fill: (dir: string) => Promise<void>,
    install: Install,
  ): Promise<InstalledRoom | string>;
  /** Keeps the caches of a room as they are now: every later room begins with a copy. */
  snapshotCaches(room: Room): Promise<void>;
  /** Why the workspace's dependency folders, which rooms see as they are now, cannot be trusted any more. */
  dependenciesChanged(): string | undefined;
  /** Why what lies around the workspace, which rooms see as it is now, cannot be trusted any more. */
  aroundChanged(): string | undefined;
  /** Removes what is left. */
  close(): Promise<void>;
}

export interface InstalledRoom {
  readonly room: Room;
  /** True when something was installed in the workspace since. */
  readonly isStale: () => boolean;
}

const WARM_LIMITS = { bytes: 1_000_000_000, files: 50_000 };

/** To be called at the start of the run: what rooms take from the system is taken as it is now. */
export async function openRooms(options: RoomsOptions): Promise<Rooms> {
  const sandbox = await findSandbox(options.env, { network: options.network });
  const base = makeOwnFolder(placeFor(options), 'rooms-');
  try {
    const homes = homesOf(options.env);
    const repository = repositoryOf(options.workspaceDir, homes);
    const top = repository ?? options.workspaceDir;
    const tools = toolVariables(options.env);
    const git = await GitAtStart.take(top, join(base, 'git'));
    const { workspaceDir, dependenciesIn = workspaceDir } = options;
    const deps = await takeDependencies(dependenciesIn, options.dependencies, join(base, 'caches/built'));
    await takeGoCache(options, join(base, 'caches/home'));
    const common = {
      ...options,
      dependenciesIn,
      base,
      top,
      homes,
      tools,
      deps,
      git,
      namedPlaces: namedOutside(workspaceDir, options.named ?? []),
      linked: linkedPlaces(dependenciesIn, options.links ?? []),
      made: new Set<string>(),
    };
    return new RoomMaker(common, sandbox);
  } catch (error) {
    removeTree(base);
    throw error;
  }
}

class RoomMaker implements Rooms {
  readonly notices: readonly string[];
  readonly #common: Common;
  readonly #sandbox: Sandbox;
  readonly #witnesses: Witnesses;
  readonly #places = new Map<Room, Places>();
  #count = 0;

  constructor(common: Common, sandbox: Sandbox) {
    this.#common = common;
    this.#sandbox = sandbox;
    this.#witnesses = new Witnesses(common);
    this.notices = common.deps.notCopied.map(
      (path) => `${path} is too large to be copied: checks begin without it`,
    );
  }

  available() {
    const { leadsBack } = this.#common;
    return [
      { kind: 'bound' as const, ...(!this.#sandbox.ok && { because: this.#sandbox.because }) },
      { kind: 'folder' as const, ...(leadsBack !== undefined && { because: leadsBack }) },
      { kind: 'workspace' as const },
    ];
  }

  async make(kind: RoomKind, fill: (dir: string) => Promise<void>): Promise<Room> {
    if (kind === 'workspace') return theWorkspace(this.#common.workspaceDir);
    return await this.#makeAt(kind, this.#newPlaces(kind), fill);
  }

  async makeInstalled(
    kind: RoomKind,
    fill: (dir: string) => Promise<void>,
    install: Install,
  ): Promise<InstalledRoom | string> {
    const { workspaceDir, dependenciesIn, deps } = this.#common;
    const { dependencies } = this.#witnesses;
    const seen = new DependencyManifest(dependenciesIn, deps.installed, { seenAt: workspaceDir });
    const to = join(this.#common.base, `${this.#count++}-installed`);
    mkdirSync(to, { recursive: true });
    try {
      const apart = await this.#makeAt(kind, { ...this.#newPlaces(kind), dependenciesIn: to }, fill);
      const changed = dependencies.changedFolders();
      const failed = await installIn(apart, { paths: deps.installed, changed, dependenciesIn, install, to });
      await apart.close();
      if (failed !== undefined) {
        removeTree(to);
        return failed;
      }
      const made = await this.#makeAt(kind, { ...this.#newPlaces(kind), dependenciesIn: to }, fill);
      const close = async () => {
        await made.close();
        removeTree(to);
      };
      return { room: { ...made, close }, isStale: () => !seen.isSame() };
    } catch (error) {
      removeTree(to);
      throw error;
    }
  }

  async #makeAt(kind: RoomKind, places: Places, fill: (dir: string) => Promise<void>): Promise<Room> {
    try {
      await fill(places.tree);
      await this.#furnish(places);
      const close = async () => {
        this.#places.delete(room);
        removeTree(places.dir);
      };
      const room = { ...(await this.#maker(kind, places)), close };
      this.#places.set(room, places);
      return room;
    } catch (error) {
      removeTree(places.dir);
      throw error;
    }
  }

  async snapshotCaches(room: Room): Promise<void> {
    this.#witnesses.named.settle();
    const places = this.#places.get(room);
    if (!places) return;
    const { base, deps } = this.#common;
    const caches = join(base, 'caches');
    removeTree(caches);
    await copyFolder(places.home, join(caches, 'home'));
    if (isFolder(places.caches)) await copyFolder(places.caches, join(caches, 'node'));
    for (const path of deps.built) {
      if (isFolder(join(places.tree, path)))
        await copyFolder(join(places.tree, path), join(caches, 'built', path));
    }
  }

  dependenciesChanged(): string | undefined {
    return this.#witnesses.dependencies.changed();
  }

  aroundChanged(): string | undefined {
    return this.#witnesses.aroundChanged();
  }

  async close(): Promise<void> {
    for (const place of this.#common.made) {
      try {
        rmdirSync(place);
      } catch {
        // Something is in it by now.
      }
    }
    this.#places.clear();
    removeTree(this.#common.base);
  }

  #maker(kind: RoomKind, places: Places): Promise<Omit<Room, 'close'>> {
    if (kind !== 'bound') return folder(this.#common, places);
    if (!this.#sandbox.ok) throw new Error(`no room can be bound: ${this.#sandbox.because}`);
    return bound(this.#common, places, this.#sandbox.program);
  }

  #newPlaces(kind: RoomKind): Places {
    const { base, top, workspaceDir } = this.#common;
    const dir = join(base, String(this.#count++));
    // A bound room is seen at the workspace's own path; a folder has the enclosing repository's shape.
    const root = kind === 'bound' ? workspaceDir : top;
    const tree = join(dir, 'tree', basename(root), relative(root, workspaceDir));
    for (const folder of [tree, join(dir, 'home')]) mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { dependenciesIn } = this.#common;
    return { dir, tree, home: join(dir, 'home'), caches: join(dir, 'node'), dependenciesIn };
  }

  /** What every room holds beside its tree: HOME, caches, built dependencies. */
  async #furnish({ tree, home, caches }: Places): Promise<void> {
    const from = join(this.#common.base, 'caches');
    if (isFolder(join(from, 'home'))) await copyFolder(join(from, 'home'), home);
    if (isFolder(join(from, 'node'))) await copyFolder(join(from, 'node'), caches);
    makeHome(home);
    for (const path of this.#common.deps.built) {
      const kept = join(from, 'built', path);
      if (!isFolder(kept)) continue;
      makeAbove(join(tree, path));
      await copyFolder(kept, join(tree, path));
    }
  }
}

/** No room at all. */
function theWorkspace(workspaceDir: string): Room {
  return {
    kind: 'workspace',
    workdir: workspaceDir,
    seenAt: workspaceDir,
    enter: (call) => call,
    close: async () => {},
  };
}

/** Go compiles its standard library into its cache: a room does not begin without one. */
async function takeGoCache({ workspaceDir, env }: RoomsOptions, home: string): Promise<void> {
  const cache = env['GOCACHE'] ?? join(env['HOME'] ?? '/', '.cache/go-build');
  if (!lookAt(join(workspaceDir, 'go.mod')) || !isFolder(cache) || !isSmall(cache, WARM_LIMITS)) return;
  await copyFolder(cache, join(home, '.cache/go-build'));
}
