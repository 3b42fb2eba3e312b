import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { isWithin, lookAt } from './paths.ts';

/** Not looked into: packages, caches and what git writes. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['node_modules', '.venv', 'venv', '__pycache__', '.git', '.cache', '.tox', '.nox', '.gradle', 'target'],
  ...['.pytest_cache', '.mypy_cache', '.ruff_cache', '.turbo', '.next', '.nx', 'vendor', 'Pods', '.loopgen'],
]);
/** Written by an installation for all packages of a repository: tools of others read them, no test does. */
const LOCKS: ReadonlySet<string> = new Set([
  ...['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock', 'bun.lockb'],
  ...['uv.lock', 'poetry.lock', 'pdm.lock', 'Pipfile.lock'],
]);
/** Beyond so many files nothing is said of the rest. */
const MOST_FILES = 200_000;

/** The nearest folder, from the workspace upwards, that is a repository. A home that is one does not count. */
export function repositoryOf(workspaceDir: string, homes: readonly string[]): string | undefined {
  for (let at = workspaceDir; ; at = dirname(at)) {
    if (lookAt(join(at, '.git'))) return at === workspaceDir || !homes.includes(at) ? at : undefined;
    if (dirname(at) === at) return undefined;
  }
}

export interface OutsideOptions {
  readonly workspaceDir: string;
  /** The enclosing repository; the workspace itself where there is none. */
  readonly top: string;
  /** Folders of loopgen's own. */
  readonly stateDirs: readonly string[];
  /** Folders elsewhere whose files every program loads, such as a user's own packages for Python. Default: none. */
  readonly also?: readonly string[];
}

/** What lies around the workspace, as it was at the start. Bound rooms see it as it is now. */
export class Outside {
  readonly #options: OutsideOptions;
  readonly #atStart: ReadonlyMap<string, string>;
  /** True where there are more files than are looked at. */
  readonly isPartial: boolean;

  constructor(options: OutsideOptions) {
    this.#options = options;
    this.#atStart = look(options);
    this.isPartial = this.#atStart.size >= MOST_FILES;
  }

  /** Files that differ now, sorted: relative to the enclosing repository, absolute elsewhere. */
  changed(): string[] {
    const now = look(this.#options);
    const { top } = this.#options;
    const paths = new Set([...this.#atStart.keys(), ...now.keys()]);
    return [...paths]
      .filter((path) => this.#atStart.get(path) !== now.get(path))
      .map((path) => (isWithin(path, top) ? relative(top, path) : path))
      .sort();
  }
}

function look(options: OutsideOptions): Map<string, string> {
  const { workspaceDir, top, stateDirs, also = [] } = options;
  const found = new Map<string, string>();
  const leftOut = new Set([workspaceDir, ...stateDirs]);
  const folders = [...(top === workspaceDir ? [] : [top]), ...also];
  for (let at = folders.pop(); at !== undefined && found.size < MOST_FILES; at = folders.pop()) {
    for (const entry of entriesOf(at)) {
      const place = join(at, entry.name);
      if (!entry.isDirectory()) put(found, place);
      else if (!LEFT_OUT.has(entry.name) && !leftOut.has(place)) folders.push(place);
    }
  }
  return found;
}

function put(found: Map<string, string>, place: string): void {
  const stats = LOCKS.has(basename(place)) ? undefined : lookAt(place);
  if (stats) found.set(place, stampOf(stats));
}

function stampOf(stats: Stats): string {
  return `${stats.mode} ${stats.size} ${stats.ino} ${stats.ctimeMs} ${stats.mtimeMs}`;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder, { withFileTypes: true }) : [];
  } catch {
    // Gone, or not readable for us.
    return [];
  }
}
