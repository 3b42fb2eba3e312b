import type { Check } from './check.ts';

/**
 * Whether a baseline in a room shows so little that the room itself may be what
 * it shows: a check could not run, has no ids, or all of its tests are red.
 */
export function tellsLittle(checks: readonly Check[]): boolean {
  return checks.some((check) => {
    if (check.status === 'unusable') return true;
    // What is red only in the room would be taken for a failure that was there before.
    if (check.known?.by === 'baseline' && (check.tests?.excepted ?? 0) > 0) return true;
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
    if (redOnlyHere(there, here)) return `other tests of "${there.name}" fail`;
    const lack = lackOf(there, here);
    if (lack !== undefined) return `"${there.name}" is red for another reason (${lack})`;
  }
  return undefined;
}

/** What a program says that does not find, or may not touch, what it needs. */
const LACKS =
  /\bENOENT\b|\bEROFS\b|\bEACCES\b|\bEPERM\b|no such file or directory|read-only file system|permission denied|could not find|cannot find|command not found|No module named|ERR_MODULE_NOT_FOUND|connection refused|unable to resolve/i;
const LACK_CHARS = 160;

/** Where only an exit code judges, two reds look alike: a line of the room's that tells what it lacks. */
function lackOf(there: Check, here: Check): string | undefined {
  if (here.status === 'pass' || here.judgedBy === 'test-ids') return undefined;
  const known = new Set(there.feedback.split('\n').map(plain));
  const line = here.feedback.split('\n').find((each) => LACKS.test(each) && !known.has(plain(each)));
  return line === undefined ? undefined : shortOf(line.trim());
}

/** Without what differs between two runs: numbers, and where temporary files lie. */
function plain(line: string): string {
  return line
    .replace(/(?:\/[\w.@+-]+)+/g, (path) => path.replace(/^.*\//, ''))
    .replace(/[\da-f]{4,}|\d+/g, '#')
    .trim();
}

function shortOf(text: string): string {
  return text.length > LACK_CHARS ? `${text.slice(0, LACK_CHARS)}…` : text;
}

function kindOf({ status, cause, exitCode }: Check): string {
  if (status === 'unusable') return `unusable (${cause ?? 'crash'})`;
  return status === 'pass' ? 'green' : `red (exit code ${exitCode ?? '-'})`;
}

/** Known failures of the room that are none in the workspace. */
function redOnlyHere(there: Check, here: Check): boolean {
  const red = new Set([...(there.tests?.failing ?? []), ...(there.tests?.known ?? [])].map(({ id }) => id));
  return here.known?.by === 'baseline' && (here.tests?.known ?? []).some(({ id }) => !red.has(id));
}

function failingOf({ tests }: Check): string {
  return (tests?.failing ?? [])
    .map(({ id }) => id)
    .sort()
    .join('\n');
}
