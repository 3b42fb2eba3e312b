import { rmSync } from 'node:fs';
import type { Snapshot, TreeChange } from '../core/workspace.ts';
import { chosen } from './chosen.ts';
import { type Difference, isContent, type State, sameState } from './manifest.ts';
import { copyUnkept, materialise } from './materialise.ts';
import { displayOf, type Key, placeOf } from './names.ts';
import { putBack } from './restore.ts';
import type { Steps } from './steps.ts';
import type { Store } from './store.ts';
import type { Tracker } from './tracker.ts';

type Accepts = (change: TreeChange) => boolean;

/** Writes trees of a run elsewhere: the start, and of what differs from it only what is accepted. */
export class RoomTrees {
  readonly #store: Store;
  readonly #tracker: Tracker;
  readonly #steps: Steps;
  readonly #start: Snapshot;
  readonly #changeOf: (at: Snapshot, key: Key, difference: Difference) => TreeChange | undefined;

  constructor(
    store: Store,
    tracker: Tracker,
    steps: Steps,
    start: Snapshot,
    changeOf: (at: Snapshot, key: Key, difference: Difference) => TreeChange | undefined,
  ) {
    this.#store = store;
    this.#tracker = tracker;
    this.#steps = steps;
    this.#start = start;
    this.#changeOf = changeOf;
  }

  async materialise(dir: string, at: Snapshot, accepts: Accepts): Promise<void> {
    const states = new Map<Key, State>();
    const put = (key: Key, state: State | undefined) => {
      if (state === undefined) states.delete(key);
      else if (!isOfGit(key)) states.set(key, state);
    };
    for (const [key, { state }] of this.#tracker.entries) put(key, state);
    for (const [key, { after }] of this.#steps.between(this.#steps.latest, this.#start)) put(key, after);
    for (const [key, state] of this.#accepted(at, accepts)) put(key, state);
    await materialise(this.#store, dir, states, this.#unkept());
  }

  /** Files and links of the start, by their paths. */
  startStates(): ReadonlyMap<string, State> {
    const states = new Map<string, State>();
    const put = (key: Key, state: State | undefined) => {
      if (isContent(state) && !isOfGit(key)) states.set(displayOf(key), state);
      else states.delete(displayOf(key));
    };
    for (const [key, { state }] of this.#tracker.entries) put(key, state);
    for (const [key, { after }] of this.#steps.between(this.#steps.latest, this.#start)) put(key, after);
    return states;
  }

  carry(dir: string, from: Snapshot, to: Snapshot, accepts: Accepts): void {
    const was = this.#accepted(from, accepts);
    const is = this.#accepted(to, accepts);
    const toStart = this.#steps.between(this.#steps.latest, this.#start);
    const startOf = (key: Key) =>
      toStart.has(key) ? toStart.get(key)?.after : this.#tracker.entries.get(key)?.state;
    const stateIn = (tree: ReadonlyMap<Key, State | undefined>, key: Key) =>
      tree.has(key) ? tree.get(key) : startOf(key);
    const differences = new Map<Key, Difference>();
    for (const key of new Set([...was.keys(), ...is.keys()])) {
      const [before, after] = [stateIn(was, key), stateIn(is, key)];
      if (!sameState(before, after)) differences.set(key, { before, after });
    }
    const unkept = [...differences].filter(([, { after }]) => isContent(after) && !after.kept);
    for (const [key] of unkept) differences.delete(key);
    this.#check(differences.values());
    putBack(this.#store, (key) => placeOf(dir, key), differences);
    for (const [key, { after }] of unkept) {
      const place = placeOf(dir, key);
      rmSync(place, { recursive: true, force: true });
      if (after) copyUnkept(key, place, after, this.#unkept());
    }
  }

  /** What of the agent's goes in: how the tree differs from the start. */
  #accepted(at: Snapshot, accepts: Accepts): Map<Key, State | undefined> {
    const all = this.#steps.between(this.#start, at);
    for (const key of [...all.keys()]) if (isOfGit(key)) all.delete(key);
    return chosen(all, (key, difference) => {
      const change = this.#changeOf(at, key, difference);
      return change === undefined || accepts(change);
    });
  }

  /** Throws where the store was tampered with, before anything is written. */
  #check(differences: Iterable<Difference>): void {
    using reader = this.#store.reader();
    for (const { after } of differences) if (isContent(after) && after.kept) reader.read(after.oid);
  }

  #unkept() {
    const tracker = this.#tracker;
    return {
      entryOf: (key: Key) => tracker.entries.get(key),
      placeOf: (key: Key) => tracker.placeOf(key),
    };
  }
}

/** The workspace's git directory is no part of the tree. */
function isOfGit(key: Key): boolean {
  return key === '.git' || key.startsWith('.git/');
}
