import { count } from './outcome.ts';
import type { TreeChange } from './workspace.ts';

/** Paths that are named before the others are only counted. */
const NAMED = 4;

/** HEAD, branches and tags: work that was committed. The rest governs what git runs for the user. */
const COMMITTED = /^\.git\/(?:HEAD$|refs\/|packed-refs$)/;

/**
 * What a turn did to the git directory of the workspace and what stands, one sentence each. An agent may commit, so
 * nothing is put back for it; but a hook that it leaves would run at the user's next commit. `inRoom`: the checks run
 * in a room, where git is as it was at the start. Pure.
 */
export function gitWarnings(changes: readonly TreeChange[], inRoom = false): string[] {
  const paths = changes
    .filter((change) => !change.byChecks && /^\.git(?:\/|$)/.test(change.path))
    .map((change) => change.path);
  const committed = paths.filter((path) => COMMITTED.test(path));
  const settings = paths.filter((path) => !COMMITTED.test(path));
  return [
    ...(committed.length > 0
      ? [`the agent moved HEAD, branches or tags${inRoom ? UNSEEN : ''}: ${listed(committed)}`]
      : []),
    ...(settings.length > 0
      ? [`the agent changed how git works here, look before you use it: ${listed(settings)}`]
      : []),
  ];
}

const UNSEEN = ' (checks in a room do not see that)';

function listed(paths: readonly string[]): string {
  const rest = paths.length - NAMED;
  const names = paths.slice(0, NAMED).join(', ');
  return rest > 0 ? `${names} and ${count(rest, 'other')}` : names;
}
