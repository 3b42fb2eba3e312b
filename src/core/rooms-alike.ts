import type { Check } from './check.ts';

/**
 * Whether a baseline in a room shows so little that the room itself may be what
 * it shows: a check could not run, has no ids, or all of its tests are red.
 */
export function tellsLittle(checks: readonly Check[]): boolean {
  return checks.some((check) => {
    if (check.status === 'unusable') return true;
    if (check.status === 'pass') return false;
    return check.judgedBy !== 'test-ids' || (check.tests?.passed ?? 0) === 0;
  });
}

/** How the checks in a room differ from those in the workspace, as a phrase; undefined where they are alike. */
export function differenceOf(workspace: readonly Check[], room: readonly Check[]): string | undefined {
  for (const there of workspace) {
    const here = room.find((check) => check.name === there.name);
    if (!here) continue;
    const [a, b] = [kindOf(there), kindOf(here)];
    if (a !== b) return `"${there.name}" is ${b} instead of ${a}`;
    if (failingOf(there) !== failingOf(here)) return `other tests of "${there.name}" fail`;
  }
  return undefined;
}

function kindOf({ status, cause, exitCode }: Check): string {
  if (status === 'unusable') return `unusable (${cause ?? 'crash'})`;
  return status === 'pass' ? 'green' : `red (exit code ${exitCode ?? '-'})`;
}

function failingOf({ tests }: Check): string {
  return (tests?.failing ?? [])
    .map(({ id }) => id)
    .sort()
    .join('\n');
}
