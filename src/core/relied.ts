/** One installed package of Python, as its own records tell. */
export interface Distribution {
  /** Normalised: lower case, `-` for runs of `-`, `_` and `.`. */
  readonly name: string;
  /** Top-level names that can be imported. */
  readonly modules: readonly string[];
  /** Normalised names of the packages that it needs. */
  readonly requires: readonly string[];
  /** True for what a test runner loads by itself. */
  readonly isPlugin: boolean;
}

/** What judges by itself, whoever imports it. */
const RUNNERS: ReadonlySet<string> = new Set(['pytest', 'nose2', 'testtools']);

/**
 * The packages that the verdict of tests rests on: what they import (dotted names), what a runner loads by itself, and
 * all that these need in turn. Pure.
 */
export function reliedOn(imports: Iterable<string>, all: readonly Distribution[]): readonly Distribution[] {
  const named = new Set([...imports].map((name) => name.split('.')[0] ?? ''));
  const byName = new Map(all.map((one) => [one.name, one]));
  const isRoot = (one: Distribution) =>
    one.isPlugin || RUNNERS.has(one.name) || one.modules.some((module) => named.has(module));
  const found = new Set(all.filter(isRoot));
  // What is added while it is walked is walked too.
  for (const one of found)
    for (const name of one.requires) {
      const needed = byName.get(name);
      if (needed) found.add(needed);
    }
  return [...found];
}

/** As package indexes compare names. */
export function normalisedName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}
