import { type Difference, type Differences, isContent, type State } from './manifest.ts';
import { ancestorsOf, type Key } from './names.ts';

/**
 * What differs from the start in a tree that takes the agent's version of some paths only: path to state, undefined
 * where nothing stands. `goesIn` is asked for every file that differs; folders follow what is in them.
 *
 * A path that does not go in is as at the start, with the folders above it, so what the agent put in the place of one
 * of these does not go in either.
 */
export function chosen(
  differences: Differences,
  goesIn: (key: Key, difference: Difference) => boolean,
): Map<Key, State | undefined> {
  const taken = new Map<Key, State | undefined>();
  const refused = new Map<Key, Difference>();
  for (const [key, difference] of differences) {
    if (isFolderOnly(difference) || goesIn(key, difference)) taken.set(key, difference.after);
    else refused.set(key, difference);
  }
  for (const [key, { before, after }] of refused) {
    if (before !== undefined) keepFoldersAbove(key, taken);
    if (isContent(before) && after?.type === 'dir') dropBelow(key, taken);
  }
  dropEmptied(differences, refused, taken);
  return taken;
}

function isFolderOnly({ before, after }: Difference): boolean {
  return (before === undefined || before.type === 'dir') && (after === undefined || after.type === 'dir');
}

/** The folders of the start stand where something of the start must lie in them. */
function keepFoldersAbove(key: Key, taken: Map<Key, State | undefined>): void {
  for (const above of ancestorsOf(key)) {
    if (taken.has(above) && taken.get(above)?.type !== 'dir') taken.delete(above);
  }
}

function dropBelow(key: Key, taken: Map<Key, State | undefined>): void {
  for (const other of [...taken.keys()]) if (other.startsWith(`${key}/`)) taken.delete(other);
}

/** New folders in which nothing is but what was refused: an empty one could mean something too. */
function dropEmptied(
  differences: Differences,
  refused: ReadonlyMap<Key, Difference>,
  taken: Map<Key, State | undefined>,
): void {
  const suspects = new Set([...refused.keys()].flatMap(ancestorsOf));
  if (suspects.size === 0) return;
  const used = new Set(
    [...taken].flatMap(([key, state]) => (state && state.type !== 'dir' ? ancestorsOf(key) : [])),
  );
  for (const folder of suspects) {
    const isNew = differences.get(folder)?.before === undefined && taken.get(folder)?.type === 'dir';
    if (isNew && !used.has(folder)) taken.delete(folder);
  }
}
