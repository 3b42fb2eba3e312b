import { mkdirSync, mkdtempSync, realpathSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import type { Room, RoomKind } from '../core/room.ts';
import { findSandbox, type Sandbox } from '../system/sandbox.ts';
import { bound } from './bound.ts';
import { copyFolder, isSmall, makeAbove, removeTree } from './copy.ts';
import { takeDependencies } from './dependencies.ts';
import { DependencyManifest } from './dependency-manifest.ts';
import { folder } from './folder.ts';
import { GitAtStart } from './git-state.ts';
import { homesOf, makeHome, toolVariables, userSites } from './homes.ts';
import { Outside, repositoryOf } from './outside.ts';
import { isFolder, isWithin, lookAt } from './paths.ts';
import type { Common, Places, RoomsOptions } from './places.ts';

export type { RoomsOptions } from './places.ts';

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
  /** Keeps the caches of a room as they are now: every later room begins with a copy. */
  snapshotCaches(room: Room): Promise<void>;
  /** Why the dependency folders, which rooms see as they are now, cannot be trusted any more. */
  dependenciesChanged(): string | undefined;
  /** Files around the workspace that rooms see, and that are not what they were at the start. */
  outsideChanged(): readonly string[];
  /** Removes what is left. */
  close(): Promise<void>;
}

const WARM_LIMITS = { bytes: 1_000_000_000, files: 50_000 };

/** To be called at the start of the run: what rooms take from the system is taken as it is now. */
export async function openRooms(options: RoomsOptions): Promise<Rooms> {
  const sandbox = await findSandbox(options.env, options.network);
  const base = realpathSync(mkdtempSync(join(placeFor(options), 'loopgen-rooms-')));
  try {
    const homes = homesOf(options.env);
    const repository = repositoryOf(options.workspaceDir, homes);
    const top = repository ?? options.workspaceDir;
    const tools = toolVariables(options.env);
    const git = await GitAtStart.take(top, join(base, 'git'));
    const deps = await takeDependencies(
      options.workspaceDir,
      options.dependencies,
      join(base, 'caches/built'),
    );
    await takeGoCache(options, join(base, 'caches/home'));
    return new RoomMaker(
      {
        ...options,
        base,
        top,
        homes,
        tools,
        deps,
        git,
        made: new Set(),
      },
      sandbox,
      {
        dependencies: new DependencyManifest(options.workspaceDir, deps.installed),
        outside: new Outside({
          ...options,
          top,
          also: userSites(tools['PYTHONUSERBASE'] ?? options.env['PYTHONUSERBASE']),
        }),
      },
    );
  } catch (error) {
    removeTree(base);
    throw error;
  }
}

/** What rooms see as it is now, and how it was at the start. */
interface Witnesses {
  readonly dependencies: DependencyManifest;
  readonly outside: Outside;
}

class RoomMaker implements Rooms {
  readonly notices: readonly string[];
  readonly #common: Common;
  readonly #sandbox: Sandbox;
  readonly #witnesses: Witnesses;
  readonly #places = new Map<Room, Places>();
  #count = 0;

  constructor(common: Common, sandbox: Sandbox, witnesses: Witnesses) {
    this.#common = common;
    this.#sandbox = sandbox;
    this.#witnesses = witnesses;
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
    const places = this.#newPlaces(kind);
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

  outsideChanged(): readonly string[] {
    return this.#witnesses.outside.changed();
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

  #maker(kind: 'bound' | 'folder', places: Places): Promise<Omit<Room, 'close'>> {
    if (kind === 'folder') return folder(this.#common, places);
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
    return { dir, tree, home: join(dir, 'home'), caches: join(dir, 'node') };
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

/** A folder for rooms that lies in nobody's tree. */
function placeFor({ workspaceDir, stateDirs }: RoomsOptions): string {
  const candidates = [tmpdir(), '/tmp', '/var/tmp', dirname(workspaceDir)].filter(isFolder);
  const outside = candidates.find((place) =>
    [workspaceDir, ...stateDirs].every((tree) => !isWithin(realpathSync(place), tree)),
  );
  return outside ?? dirname(workspaceDir);
}

/** Go compiles its standard library into its cache: a room does not begin without one. */
async function takeGoCache({ workspaceDir, env }: RoomsOptions, home: string): Promise<void> {
  const cache = env['GOCACHE'] ?? join(env['HOME'] ?? '/', '.cache/go-build');
  if (!lookAt(join(workspaceDir, 'go.mod')) || !isFolder(cache) || !isSmall(cache, WARM_LIMITS)) return;
  await copyFolder(cache, join(home, '.cache/go-build'));
}
