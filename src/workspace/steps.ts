import type { Snapshot } from '../core/workspace.ts';
import { type Difference, type Differences, sameState } from './manifest.ts';
import type { Key } from './names.ts';

/** Who made a change: the agent (or the user), the checks, or a restore. */
export type Author = 'agent' | 'checks' | 'restore';

interface Step {
  readonly differences: Differences;
  readonly author: (key: Key) => Author;
}

/**
 * The snapshots of a run as a list of differences, so that memory grows with what changed and not with the size
 * of the tree.
 */
export class Steps {
  readonly #steps: Step[] = [];
  readonly #index = new WeakMap<Snapshot, number>();
  #latest: Snapshot;

  constructor(tree: string) {
    this.#latest = { tree };
    this.#index.set(this.#latest, 0);
  }

  get latest(): Snapshot {
    return this.#latest;
  }

  /** Adds a step and returns its snapshot; the latest one where nothing differs. */
  add(differences: Differences, tree: string, author: (key: Key) => Author): Snapshot {
    if (differences.size === 0) return this.#latest;
    this.#steps.push({ differences, author });
    this.#latest = { tree };
    this.#index.set(this.#latest, this.#steps.length);
    return this.#latest;
  }

  /** What differs between two snapshots, in either direction. */
  between(from: Snapshot, to: Snapshot): Map<Key, Difference> {
    const [first, last] = this.#range(from, to);
    const forward = first <= last;
    const found = new Map<Key, Difference>();
    for (const { differences } of this.#steps.slice(Math.min(first, last), Math.max(first, last))) {
      for (const [key, { before, after }] of differences) {
        const earlier = found.get(key);
        found.set(key, { before: earlier ? earlier.before : before, after });
      }
    }
    for (const [key, { before, after }] of found) {
      if (sameState(before, after)) found.delete(key);
      else if (!forward) found.set(key, { before: after, after: before });
    }
    return found;
  }

  /** True when only checks changed the path between the two (since it was last put back). */
  byChecksOnly(from: Snapshot, to: Snapshot, key: Key): boolean {
    const [first, last] = this.#range(from, to);
    let byChecks = false;
    for (const step of this.#steps.slice(Math.min(first, last), Math.max(first, last)).reverse()) {
      if (!step.differences.has(key)) continue;
      const author = step.author(key);
      if (author === 'restore') return byChecks;
      if (author === 'agent') return false;
      byChecks = true;
    }
    return byChecks;
  }

  #range(from: Snapshot, to: Snapshot): readonly [number, number] {
    const first = this.#index.get(from);
    const last = this.#index.get(to);
    if (first === undefined || last === undefined) throw new Error('the snapshot is of another workspace');
    return [first, last];
  }
}
