import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { lookAt } from './paths.ts';

/** Written by package managers whenever something is installed: they say what is there, and nobody runs them. */
const STATE_FILES: ReadonlySet<string> = new Set([
  ...[
    '.package-lock.json',
    '.yarn-integrity',
    '.yarn-state.yml',
    '.modules.yaml',
    '.pnpm-workspace-state.json',
  ],
  ...['.pnpm-workspace-state-v1.json', 'lock.yaml', '.bun-tag'],
]);

/** Caches in them: rooms have their own. Compiled Python beside its sources is not used in rooms. */
const CACHES: ReadonlySet<string> = new Set([
  ...['__pycache__', '.cache', '.vite', '.vite-temp', '.vitest', '.tmp', '.pytest_cache'],
]);

/** Folders whose entries are packages, or the programs of packages: one more is an installation. */
const CONTAINERS: ReadonlySet<string> = new Set([
  ...['node_modules', '.bin', '.pnpm', 'site-packages', 'dist-packages', 'bin', 'Scripts', 'Pods', 'deps'],
]);

/** Loaded by every Python start, whoever imports it. */
const LOADED_ALWAYS = /^(?:(?:site|user)customize(?:\.py|\.pyc|\.so)?|.*\.pth|.*\.egg-link)$/;

/** Says what runners load by themselves. */
const PLUGINS = /\.(?:dist|egg)-info\/entry_points\.txt$/;

/** Programs that one of a package must not stand before on the PATH. */
const SHADOWS =
  /^(?:node|npm|npx|pnpm|yarn|bun|corepack|python[\d.]*|pip[\d.]*|pytest|py\.test|sh|bash|dash|zsh|env|git|make|go|cargo|java|mvn|gradle|ruby|php)$/;

/** Rewritten, with the same bytes, when a package is installed once more: compared by what is in them. */
const BY_CONTENT = /(?:\.pth$|\.(?:dist|egg)-info\/[^/]+$)/;
const BY_CONTENT_BYTES = 1 << 20;

/** What `lstat` said; for links and small records of package managers, what is in them. */
interface Seen {
  readonly mode: number;
  readonly size: number;
  readonly inode: number;
  readonly ctimeMs: number;
  readonly mtimeMs: number;
  readonly content: string | undefined;
}

export interface ManifestOptions {
  /** Where checks see the tree. Default: at its own place. */
  readonly seenAt?: string;
  /** Whether a path in them, relative to the root, is looked at, with what is in it. Default: all are. */
  readonly looksAt?: (path: string) => boolean;
  /** Whether one that was there must stay what it was. Default: all must. */
  readonly mustStay?: (path: string) => boolean;
  /** Stands before every path that is named. Default: nothing. */
  readonly named?: string;
}

/**
 * What lies in the dependency folders of a workspace, as it was at the start. Rooms see these folders as they are now,
 * so they must not have changed but for what was installed besides.
 */
export class DependencyManifest {
  readonly #root: string;
  readonly #options: ManifestOptions;
  readonly #paths: readonly string[];
  readonly #atStart: ReadonlyMap<string, Seen>;
  #emptyOfFiles: ReadonlySet<string> | undefined;

  /** `paths`: folders relative to `root`. */
  constructor(root: string, paths: readonly string[], options: ManifestOptions = {}) {
    this.#root = root;
    this.#options = options;
    this.#paths = paths;
    this.#atStart = this.#look();
  }

  /** Why they cannot be trusted any more, as one phrase that names the first files; undefined where they can be. */
  changed(): string | undefined {
    const found = this.#findings().map(({ because }) => because);
    if (found.length === 0) return undefined;
    const more = found.length > NAMED ? `, and ${found.length - NAMED} more` : '';
    return `installed dependencies are not what they were: ${found.slice(0, NAMED).join(', ')}${more}`;
  }

  /** The dependency folders that cannot be trusted any more. */
  changedFolders(): readonly string[] {
    const found = this.#findings();
    return this.#paths.filter((folder) =>
      found.some(({ path }) => path === folder || path.startsWith(`${folder}/`)),
    );
  }

  /** True while nothing differs, not even by what was installed besides. */
  isSame(): boolean {
    const now = this.#look();
    return (
      now.size === this.#atStart.size &&
      [...now].every(([path, seen]) => sameAs(this.#atStart.get(path), seen))
    );
  }

  #findings(): { readonly path: string; readonly because: string }[] {
    const now = this.#look();
    const found: { path: string; because: string }[] = [];
    const { named = '', mustStay = () => true } = this.#options;
    const add = (path: string, because: string) =>
      found.push({ path, because: `${named}${path} ${because}` });
    for (const [path, then] of this.#atStart) {
      if (!mustStay(path)) continue;
      const seen = now.get(path);
      if (!seen) add(path, 'is gone');
      else if (!isSame(then, seen)) add(path, 'was changed');
    }
    for (const path of now.keys()) {
      const because = this.#atStart.has(path) ? undefined : this.#refusal(path);
      if (because !== undefined) add(path, because);
    }
    return found;
  }

  #look(): Map<string, Seen> {
    const { looksAt = () => true } = this.#options;
    const found = new Map<string, Seen>();
    const folders: string[] = [];
    for (const path of this.#paths) visit(found, folders, path, `${this.#root}/${path}`);
    for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
      const place = `${this.#root}/${at}`;
      for (const name of namesIn(place)) {
        const path = `${at}/${name}`;
        if (!CACHES.has(name) && !STATE_FILES.has(name) && looksAt(path))
          visit(found, folders, path, `${place}/${name}`);
      }
    }
    return found;
  }

  /** What is wrong with something that was added. */
  #refusal(path: string): string | undefined {
    const [above, name] = [dirname(path), basename(path)];
    if (isOfPython(above) && (LOADED_ALWAYS.test(name) || this.#atStart.has(`${path}.py`)))
      return 'was added, which Python loads in place of another or always';
    if (isOfPrograms(above) && SHADOWS.test(name))
      return 'was added, which stands before a program of the system';
    if (PLUGINS.test(path) && mentions(join(this.#root, path), '[pytest11]'))
      return 'was added, by which pytest loads a plug-in always';
    if (this.#shadows(path)) return 'was added, which stands before an installed package';
    // What lies in an added folder is judged by that folder.
    if (!this.#atStart.has(above) || this.#isContainer(above)) return undefined;
    return 'was added inside an installed package';
  }

  /** Whether a package of the same name is installed further up, so that this one takes its place. */
  #shadows(path: string): boolean {
    const match = /^(?:(.+)\/)?node_modules\/((?:@[^/]+\/)?[^/@.][^/]*)$/.exec(path);
    const [, owner = '', name = ''] = match ?? [];
    if (name === '' || owner.includes('/.pnpm')) return false;
    // A package that was added brings its own along: nothing else loads them.
    if (isOfPackages(owner) && !this.#atStart.has(owner)) return false;
    const above = owner
      .split('/')
      .map((_, depth, all) => [...all.slice(0, depth), 'node_modules', name].join('/'));
    return above.some((place) => this.#atStart.has(place)) || this.#isAround(name);
  }

  /** Whether it is installed around the workspace, as in a repository of many packages. */
  #isAround(name: string): boolean {
    let at = this.#options.seenAt ?? this.#root;
    while (dirname(at) !== at) {
      at = dirname(at);
      if (lookAt(`${at}/node_modules/${name}`)) return true;
    }
    return false;
  }

  #isContainer(folder: string): boolean {
    const name = basename(folder);
    return CONTAINERS.has(name) || name.startsWith('@') || this.#foldersOnly().has(folder);
  }

  /** Folders that held only folders: a host of Go modules, a part of a virtual environment. */
  #foldersOnly(): ReadonlySet<string> {
    this.#emptyOfFiles ??= foldersOnly(this.#atStart);
    return this.#emptyOfFiles;
  }
}

const NAMED = 3;

function foldersOnly(seen: ReadonlyMap<string, Seen>): ReadonlySet<string> {
  const found = new Set<string>();
  const holding = new Set<string>();
  for (const [path, { mode }] of seen) {
    if ((mode & TYPE) === FOLDER) found.add(path);
    else holding.add(dirname(path));
  }
  for (const folder of holding) found.delete(folder);
  return found;
}

function isOfPython(folder: string): boolean {
  return /^(?:site|dist)-packages$/.test(basename(folder));
}

function isOfPackages(folder: string): boolean {
  return /(?:^|\/)node_modules\//.test(folder);
}

function isOfPrograms(folder: string): boolean {
  return /(?:^|\/)(?:\.bin|bin|Scripts)$/.test(folder);
}

const FOLDER = 0o040000;
const LINK = 0o120000;
const TYPE = 0o170000;

const sameAs = (then: Seen | undefined, now: Seen) => then !== undefined && isSame(then, now);

function isSame(then: Seen, now: Seen): boolean {
  if ((then.mode & TYPE) !== (now.mode & TYPE)) return false;
  if (then.content !== undefined && now.content !== undefined) return then.content === now.content;
  // Times of folders change with what is installed, and nothing runs them.
  if ((then.mode & TYPE) === FOLDER) return true;
  const isSameFile = then.inode === now.inode && then.size === now.size && then.mode === now.mode;
  return isSameFile && then.ctimeMs === now.ctimeMs && then.mtimeMs === now.mtimeMs;
}

function visit(found: Map<string, Seen>, folders: string[], path: string, place: string): void {
  const stats = lookAt(place);
  if (!stats) return;
  const { mode, size, ino: inode, ctimeMs, mtimeMs } = stats;
  found.set(path, { mode, size, inode, ctimeMs, mtimeMs, content: contentOf(path, place, stats) });
  if ((mode & TYPE) === FOLDER) folders.push(path);
}

function contentOf(path: string, place: string, stats: Stats): string | undefined {
  try {
    if ((stats.mode & TYPE) === LINK) return readlinkSync(place);
    if ((stats.mode & TYPE) === FOLDER || !BY_CONTENT.test(path) || stats.size > BY_CONTENT_BYTES)
      return undefined;
    return createHash('sha1').update(readFileSync(place)).digest('hex');
  } catch {
    // Known by its stamp.
    return undefined;
  }
}

function mentions(file: string, words: string): boolean {
  try {
    return readFileSync(file, 'utf8').includes(words);
  } catch {
    // Not readable, so nobody loads it.
    return false;
  }
}

function namesIn(place: string): string[] {
  try {
    return readdirSync(place);
  } catch {
    // Not readable for us, so not for the checks either.
    return [];
  }
}
