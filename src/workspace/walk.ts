import { accessSync, constants, lstatSync, readdirSync, type Stats } from 'node:fs';
import type { Artefacts } from './artefacts.ts';
import { isCacheOrPackages, isDependencyFolder } from './dependencies.ts';
import type { GitState } from './git-state.ts';
import type { Entry } from './manifest.ts';
import { ancestorsOf, type Key, nameOf, parentOf, placeIn, placeOf } from './names.ts';
import { lookAt } from './read.ts';

/** What is walked, and how it is classed. */
export interface WalkRules {
  /** Absolute, real path of the workspace. */
  readonly root: string;
  readonly artefacts: Artefacts;
  readonly git: GitState;
  /** Files and folders of loopgen itself. */
  readonly unseen: ReadonlySet<Key>;
  /** Always seen, always work, wherever they lie. */
  readonly watched: ReadonlySet<Key>;
}

/** A path that is new, or whose stamp differs from the last walk's. */
export interface Suspect {
  readonly key: Key;
  readonly place: string | Buffer;
  readonly work: boolean;
}

export interface WalkResult {
  readonly suspects: readonly Suspect[];
  /** Paths that were there at the last walk. */
  readonly gone: readonly Key[];
}

interface Folder {
  readonly key: Key;
  readonly place: string | Buffer;
  readonly work: boolean;
  readonly names?: readonly string[];
}

/**
 * Walks the tree by `lstat`, never through a link, and compares it with the entries of the last walk. What was once
 * left out stays out, and what was once seen stays seen, whatever marker files come and go.
 */
export class Walker {
  readonly #rules: WalkRules;
  readonly #entries: ReadonlyMap<Key, Entry>;
  /** The files among them by folder and name: finding one by its whole path takes half as long as looking at it. */
  readonly #files = new Map<Key, Map<string, Entry>>();
  /** Folders that are not walked, for good. */
  readonly leftOut: Set<Key>;
  /** Folders that could not be read when they were first seen. */
  readonly unreadable = new Set<Key>();
  #walk = 0;
  #seen = 0;
  #suspects: Suspect[] = [];
  #folders: Folder[] = [];

  constructor(rules: WalkRules, entries: ReadonlyMap<Key, Entry>, leftOut: Iterable<Key> = []) {
    this.#rules = rules;
    this.#entries = entries;
    this.leftOut = new Set(leftOut);
  }

  get number(): number {
    return this.#walk;
  }

  walk(): WalkResult {
    this.#walk++;
    this.#seen = 0;
    this.#suspects = [];
    this.#folders = [];
    const { root } = this.#rules;
    this.#meet('', root, lstatSync(root), () => true);
    this.#folders.push({ key: '', place: root, work: true });
    for (let folder = this.#folders.pop(); folder; folder = this.#folders.pop()) this.#readFolder(folder);
    this.#walkGit();
    for (const key of this.#rules.watched) this.#lookAt(key);
    return { suspects: this.#suspects, gone: this.#gone() };
  }

  #readFolder(folder: Folder): void {
    const names = folder.names ?? namesIn(folder.place);
    if (names === undefined) return;
    const files = this.#filesOf(folder.key);
    for (const name of names) {
      const file = files.get(name);
      if (!file || !this.#isStill(file, placeIn(folder.place, name)))
        this.#meetName(folder, name, names, files);
    }
    if (folder.key !== '' && names.includes('.git')) this.#meetNestedGit(folder);
  }

  /** True for a file that was seen before and is as it was: that is what most are, so it is quick. */
  #isStill(file: Entry, place: string | Buffer): boolean {
    const stats = lookAt(place);
    return stats !== undefined && !stats.isDirectory() && this.#isAsBefore(file, stats);
  }

  #meetName(folder: Folder, name: string, names: readonly string[], files: Map<string, Entry>): void {
    const key = folder.key === '' ? name : `${folder.key}/${name}`;
    if (name === '.git' || this.#rules.unseen.has(key) || this.leftOut.has(key)) return;
    const place = placeIn(folder.place, name);
    const stats = lookAt(place);
    if (!stats) return;
    if (stats.isDirectory()) {
      this.#meetFolder(key, name, place, stats, folder.work, names);
      return;
    }
    const entry = this.#meet(key, place, stats, () => this.#isWork(key, false, folder.work, names));
    if (entry) files.set(name, entry);
  }

  #filesOf(folder: Key): Map<string, Entry> {
    let files = this.#files.get(folder);
    if (!files) {
      files = new Map();
      this.#files.set(folder, files);
    }
    return files;
  }

  /** Lets go of a path that has no entry any more. */
  forget(key: Key): void {
    this.#files.get(parentOf(key))?.delete(nameOf(key));
    this.#files.delete(key);
  }

  #meetFolder(
    key: Key,
    name: string,
    place: string | Buffer,
    stats: Stats,
    parentIsWork: boolean,
    siblings: readonly string[],
  ): void {
    if (isCacheOrPackages(name)) return;
    const known = this.#entries.get(key);
    if (known?.state.type === 'dir') {
      this.#meet(key, place, stats, () => known.state.work);
      this.#folders.push({ key, place, work: known.state.work });
      return;
    }
    const names = isSearchable(place) ? namesIn(place) : undefined;
    if (names === undefined) this.unreadable.add(key);
    if (names === undefined || isDependencyFolder(name, siblings, names)) {
      this.leftOut.add(key);
      return;
    }
    const work = this.#isWork(key, true, parentIsWork, siblings);
    this.#meet(key, place, stats, () => work);
    this.#folders.push({ key, place, work, names });
  }

  /** A nested repository is its owner's affair, but the file that makes a submodule is one like others. */
  #meetNestedGit(folder: Folder): void {
    const key = `${folder.key}/.git`;
    const place = placeOf(this.#rules.root, key);
    const stats = lookAt(place);
    if (stats && !stats.isDirectory()) this.#meet(key, place, stats, () => false);
  }

  #isWork(key: Key, isFolder: boolean, parentIsWork: boolean, siblings: readonly string[]): boolean {
    const known = this.#entries.get(key);
    if (known) return known.state.work;
    if (this.#rules.watched.has(key)) return true;
    if (!parentIsWork || isCacheOrPackages(nameOf(key))) return false;
    return !this.#rules.artefacts.isArtefact(key, isFolder, siblings);
  }

  /** `work`: asked only where it is needed, since most paths are as they were. Returns the entry there was. */
  #meet(key: Key, place: string | Buffer, stats: Stats, work: () => boolean): Entry | undefined {
    const entry = this.#entries.get(key);
    if (entry && this.#isAsBefore(entry, stats)) return entry;
    this.#suspects.push({ key, place, work: entry?.state.work ?? work() });
    return entry;
  }

  /** Marks the entry as seen. True where its bytes need not be read again. */
  #isAsBefore(entry: Entry, stats: Stats): boolean {
    if (entry.walk !== this.#walk) this.#seen++;
    entry.walk = this.#walk;
    const { stamp } = entry;
    return (
      !entry.racy &&
      stamp.ctimeMs === stats.ctimeMs &&
      stamp.size === stats.size &&
      stamp.inode === stats.ino &&
      stamp.rawMode === stats.mode &&
      stamp.mtimeMs === stats.mtimeMs
    );
  }

  /** A watched file is read at every walk, and found where the walk does not go. */
  #lookAt(key: Key): void {
    const { root } = this.#rules;
    const place = placeOf(root, key);
    for (const above of ancestorsOf(key)) {
      if (!lookAt(placeOf(root, above))?.isDirectory()) return;
    }
    const stats = lookAt(place);
    if (!stats || stats.isDirectory()) return;
    const entry = this.#entries.get(key);
    if (entry && entry.walk !== this.#walk) {
      entry.walk = this.#walk;
      this.#seen++;
    }
    this.#suspects.push({ key, place, work: true });
  }

  #walkGit(): void {
    const parts = [...this.#rules.git.parts()];
    for (let part = parts.pop(); part; part = parts.pop()) {
      const { key, place } = part;
      const stats = lookAt(place);
      if (!stats) continue;
      this.#meet(key, place, stats, () => false);
      if (!stats.isDirectory()) continue;
      for (const name of namesIn(place) ?? []) {
        const inner = `${key}/${name}`;
        parts.push({ key: inner, place: this.#rules.git.placeOf(inner) });
      }
    }
  }

  #gone(): Key[] {
    if (this.#seen === this.#entries.size) return [];
    const gone: Key[] = [];
    for (const [key, entry] of this.#entries) if (entry.walk !== this.#walk) gone.push(key);
    return gone;
  }
}

/** Names as keys hold them; undefined where the folder cannot be read. */
function namesIn(place: string | Buffer): string[] | undefined {
  try {
    return readdirSync(place, { encoding: 'latin1' });
  } catch {
    return undefined;
  }
}

/** False where names could be listed, but nothing could be said about them. */
function isSearchable(place: string | Buffer): boolean {
  try {
    accessSync(place, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
