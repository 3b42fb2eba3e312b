import { type Dirent, readdirSync, readlinkSync, realpathSync, symlinkSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import type { Mount } from '../system/sandbox.ts';
import { copyFolder, isSmall } from './copy.ts';
import type { Linked } from './linked.ts';
import { ensureFolder, isFolder, isWithin, lookAt, moved } from './paths.ts';

/** Dependency folders that their tool writes to whenever it runs: a room has a copy of its own. */
const BUILT: ReadonlySet<string> = new Set(['target', '_build', 'elm-stuff', '.tox', '.nox', '.gradle']);
/** A larger one is not copied: its tool makes it again. */
const BUILT_LIMITS = { bytes: 2_000_000_000, files: 100_000 };

/** Folders in `node_modules` that tools write to as they run. */
const NODE_CACHES = ['.cache', '.vite', '.vite-temp', '.vitest', '.tmp'];

/** The dependency folders of a workspace, by how a room gets them. Paths are relative to the workspace. */
export interface Dependencies {
  readonly installed: readonly string[];
  readonly built: readonly string[];
  /** Built ones that are too large for a copy. */
  readonly notCopied: readonly string[];
}

/** Copies what tools write to, as it is at the start. `root`: the tree they lie in; `to`: a folder for that. */
export async function takeDependencies(
  root: string,
  paths: readonly string[],
  to: string,
): Promise<Dependencies> {
  const usable = (place: string) => isFolder(place) || lookAt(place) === undefined;
  const existing = paths.filter((path) => usable(join(root, path)));
  const built = existing.filter((path) => BUILT.has(basename(path)));
  const small = built.filter((path) => isSmall(join(root, path), BUILT_LIMITS));
  for (const path of small) await copyFolder(join(root, path), join(to, path));
  return {
    installed: existing.filter((path) => !built.includes(path)),
    built: small,
    notCopied: built.filter((path) => !small.includes(path)),
  };
}

export interface BoundPlaces {
  readonly workspaceDir: string;
  /** The tree in which the folders lie. */
  readonly dependenciesIn: string;
  /** The room's tree. */
  readonly tree: string;
  /** A folder for private caches. */
  readonly caches: string;
  /** Takes the folders that were made where the dependencies lie. */
  readonly made: Set<string>;
}

/**
 * Read-only at their places. A tool that keeps its cache in `node_modules` gets a private folder there: where there
 * is none yet, an empty one is made to stand under it, as that tool would.
 */
export function boundDependencies(installed: readonly string[], places: BoundPlaces): Mount[] {
  const { workspaceDir, dependenciesIn, tree, caches, made } = places;
  return installed.flatMap((path, index): Mount[] => {
    const from = join(dependenciesIn, path);
    const at = join(workspaceDir, path);
    // The places to bind to have to be in the room.
    if (!isFolder(from) || !ensureFolder(join(tree, path))) return [];
    const mount: Mount = { at, kind: 'read-only', from };
    if (basename(path) !== 'node_modules') return [mount];
    return [mount, ...ownCaches(from, at, join(caches, `${index}`), made)];
  });
}

/** The same for packages elsewhere, to which a link of the workspace leads. */
export function linkedCaches(
  linked: readonly Linked[],
  { caches, made }: Pick<BoundPlaces, 'caches' | 'made'>,
): Mount[] {
  return linked.flatMap(({ target, holdsPackages }, index) =>
    holdsPackages ? ownCaches(target, target, join(caches, `linked-${index}`), made) : [],
  );
}

function ownCaches(from: string, at: string, caches: string, made: Set<string>): Mount[] {
  const names = NODE_CACHES.filter((name) => isFolder(join(from, name)) || make(from, name, made));
  return names.flatMap((name): Mount[] => {
    const own = join(caches, name);
    return ensureFolder(own) ? [{ at: join(at, name), kind: 'writable', from: own }] : [];
  });
}

function make(nodeModules: string, name: string, made: Set<string>): boolean {
  const isUsed = name === '.cache' || ['vite', 'vitest'].some((tool) => lookAt(join(nodeModules, tool)));
  const place = join(nodeModules, name);
  if (!isUsed || lookAt(place) !== undefined || !ensureFolder(place)) return false;
  made.add(place);
  return true;
}

/** How links are made into a room that is a folder of its own. */
export interface LinkPlaces {
  readonly workspaceDir: string;
  /** The room's tree. */
  readonly tree: string;
}

/**
 * Links to them. `node_modules` is a folder of links, so that caches in it are the room's own; what was installed
 * since is linked too. `root`: the tree they lie in.
 */
export function linkDependencies(installed: readonly string[], root: string, places: LinkPlaces): void {
  for (const path of installed) {
    const from = join(root, path);
    const to = join(places.tree, path);
    if (basename(path) !== 'node_modules') linkOnce(from, to);
    else if (isFolder(from)) linkPackages(from, to, places);
  }
}

/** The packages of a `node_modules`, each as a link; those that are sources of the workspace are the room's own. */
export function linkPackages(from: string, to: string, places: LinkPlaces): void {
  if (!ensureFolder(to)) return;
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const { name } = entry;
    if (NODE_CACHES.includes(name)) continue;
    const [source, target] = [join(from, name), join(to, name)];
    if (name.startsWith('@') && entry.isDirectory()) linkPackages(source, target, places);
    else linkOnce(source, target, sourceOf(source, entry, places));
  }
}

/** Where a link leads that names sources of the workspace, as it has to be in the room. */
function sourceOf(place: string, entry: Dirent, { workspaceDir, tree }: LinkPlaces): string | undefined {
  if (!entry.isSymbolicLink()) return undefined;
  const target = real(place);
  if (target === undefined || !isWithin(target, workspaceDir) || /\/node_modules(?:\/|$)/.test(target))
    return undefined;
  const named = readlinkSync(place);
  return isAbsolute(named) ? moved(target, workspaceDir, tree) : named;
}

function real(place: string): string | undefined {
  try {
    return realpathSync(place);
  } catch {
    // It leads nowhere.
    return undefined;
  }
}

function linkOnce(from: string, to: string, target = from): void {
  if (lookAt(from) && !lookAt(to) && ensureFolder(join(to, '..'))) symlinkSync(target, to);
}
