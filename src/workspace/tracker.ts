import { setImmediate as breathe } from 'node:timers/promises';
import { type Difference, type Entry, type State, sameState } from './manifest.ts';
import { displayOf, type Key } from './names.ts';
import { KEEP_LIMITS, type KeepLimits, type Reading, readInto, type Taken } from './read.ts';
import type { Store } from './store.ts';
import { Walker, type WalkRules } from './walk.ts';
import { WorkTree } from './work-tree.ts';

/** The event loop gets a turn this often while many files are read. */
const BREATHE_MS = 40;
/** A walk that takes longer is told. */
const SLOW_MS = 20_000;

export interface TrackerOptions {
  readonly limits?: Partial<KeepLimits>;
  /** Folders that were left out when the tree was first looked at. */
  readonly leftOut?: Iterable<Key>;
}

/** Knows the tree as it was last seen: finds what changed since, and brings its bytes into the store. */
export class Tracker {
  readonly entries = new Map<Key, Entry>();
  readonly notices: string[] = [];
  readonly #rules: WalkRules;
  readonly #store: Store;
  readonly #walker: Walker;
  readonly #work: WorkTree;
  readonly #limits: KeepLimits;
  readonly #taken: Taken = { bytes: 0, files: 0 };
  readonly #said = new Set<string>();

  constructor(rules: WalkRules, store: Store, options: TrackerOptions = {}) {
    this.#rules = rules;
    this.#store = store;
    this.#limits = { ...KEEP_LIMITS, ...options.limits };
    this.#walker = new Walker(rules, this.entries, options.leftOut);
    this.#work = new WorkTree(store);
  }

  get leftOut(): ReadonlySet<Key> {
    return this.#walker.leftOut;
  }

  /** Git id of the work as it was last seen. Its objects are on disk. */
  tree(): string {
    const id = this.#work.id();
    this.#store.flush();
    return id;
  }

  /** One walk, and the bytes of what changed. Returns what differs from the last look. */
  async look(): Promise<Map<Key, Difference>> {
    const found = new Map<Key, Difference>();
    const began = performance.now();
    const { suspects, gone } = this.#walker.walk();
    if (performance.now() - began > SLOW_MS)
      this.#say(
        'slow',
        'looking through the workspace takes long: name folders that are no work, or use a smaller one',
      );
    for (const key of gone) this.#note(found, key, undefined);
    let rested = performance.now();
    for (const { key, place, work } of suspects) {
      this.#note(found, key, readInto(this.#store, place, work, this.#limits, this.#taken));
      if (performance.now() - rested < BREATHE_MS) continue;
      await breathe();
      rested = performance.now();
    }
    for (const folder of this.#walker.unreadable) {
      this.#say(
        folder,
        `the folder ${JSON.stringify(displayOf(folder))} cannot be read: what happens in it is not seen`,
      );
    }
    return found;
  }

  /** Reads paths again, after they were put back to these states. */
  lookAgain(paths: ReadonlyMap<Key, State | undefined>): Map<Key, Difference> {
    const found = new Map<Key, Difference>();
    for (const [key, state] of paths) {
      if (state === undefined) {
        this.#note(found, key, undefined);
        continue;
      }
      const { work } = state;
      this.#note(found, key, readInto(this.#store, this.placeOf(key), work, this.#limits, this.#taken));
    }
    return found;
  }

  placeOf(key: Key): string | Buffer {
    return this.#rules.git.placeOf(key);
  }

  #note(found: Map<Key, Difference>, key: Key, reading: Reading | undefined): void {
    const entry = this.entries.get(key);
    const before = entry?.state;
    if (!reading) {
      if (!entry) return;
      this.entries.delete(key);
      this.#walker.forget(key);
      this.#work.set(key, undefined);
      found.set(key, { before, after: undefined });
      return;
    }
    this.#count(key, reading);
    const { stamp, racy } = reading;
    if (before && sameState(before, reading.state)) {
      Object.assign(entry, { stamp, racy });
      return;
    }
    const now: Entry = { state: reading.state, stamp, racy, walk: this.#walker.number };
    // The walker holds on to entries, so that one stays the same object as long as its path is there.
    if (entry) Object.assign(entry, now);
    else this.entries.set(key, now);
    if (reading.state.work) this.#work.set(key, reading.state);
    const earlier = found.get(key);
    found.set(key, { before: earlier ? earlier.before : before, after: reading.state });
  }

  #count(key: Key, { state, bytes }: Reading): void {
    if (state.type !== 'file') return;
    this.#taken.files++;
    this.#taken.bytes += bytes;
    if (state.kept) return;
    const { fileBytes, files, totalBytes } = this.#limits;
    if (this.#taken.files > files || this.#taken.bytes > totalBytes) {
      this.#say(
        'many',
        `the workspace is too large to be kept whole (more than ${files} files or ${megabytes(totalBytes)}): files beyond that are known by size and time, and cannot be put back`,
      );
      return;
    }
    this.#say(
      key,
      `${JSON.stringify(displayOf(key))} is larger than ${megabytes(fileBytes)} or cannot be read: changes of it are seen, but it cannot be put back`,
    );
  }

  #say(what: string, notice: string): void {
    if (this.#said.has(what) || this.#said.size > 50) return;
    this.#said.add(what);
    this.notices.push(notice);
  }
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
