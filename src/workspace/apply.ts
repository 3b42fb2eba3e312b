import { type Differences, isContent, sameState } from './manifest.ts';
import { displayOf, type Key, placeOf } from './names.ts';
import { KEEP_LIMITS, type KeepLimits, readInto } from './read.ts';
import { putBack } from './restore.ts';
import type { Store } from './store.ts';

/** Every file of the change is read again in the original, however many. */
const NO_LIMITS: KeepLimits = {
  ...KEEP_LIMITS,
  totalBytes: Number.POSITIVE_INFINITY,
  files: Number.POSITIVE_INFINITY,
};

/**
 * Writes `differences` of a copy into the folder `origin` that it was made from.
 * All or nothing: where a file is not any more as it was copied, it is named and nothing is written.
 */
export function applyDifferences(
  store: Store,
  origin: string,
  differences: Differences,
): { readonly applied: readonly string[] } | { readonly conflicts: readonly string[] } {
  const place = (key: Key) => placeOf(origin, key);
  const conflicts = [...differences]
    .filter(([key, { before }]) => {
      const now = readInto(store, place(key), true, NO_LIMITS, { bytes: 0, files: 0 })?.state;
      return before?.type === 'dir' && now?.type === 'dir' ? false : !sameState(now, before);
    })
    .map(([key]) => displayOf(key));
  if (conflicts.length > 0) return { conflicts };
  putBack(store, place, differences);
  const files = [...differences].filter(([, { before, after }]) => isContent(before) || isContent(after));
  return { applied: files.map(([key]) => displayOf(key)) };
}
