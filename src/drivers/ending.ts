import type { Ending } from '../system/exec.ts';
import { stripAnsi } from '../system/text.ts';

/** How a process ended, as the rest of a sentence. */
export function describeEnding(result: Ending): string {
  switch (result.ended) {
    case 'exited':
      return `ended with exit code ${result.code}`;
    case 'signalled':
      return `was ended by ${result.signal}`;
    case 'timed-out':
      return 'did not end in time and was stopped';
    case 'idle':
      return 'was silent for too long and was stopped';
    case 'aborted':
      return 'was stopped';
    case 'not-started':
      return `could not be started (${result.message})`;
  }
}

const MAX_LINES = 8;
const MAX_CHARS = 2000;

/** The last lines that hold anything, without colours. */
export function tailOf(text: string): string {
  return lastOf(linesOf(text));
}

const FRAME =
  /^\s+at \S|^Traceback \(most recent call last\)|^\s+File ".*", line \d+|^goroutine \d+ \[|^\s+\S+\.go:\d+/;
/** `SyntaxError: …`, `json.JSONDecodeError: …`, `Uncaught Error [CODE]: …`, `panic: …`. */
const ERROR =
  /^(?:uncaught |exception in thread "[^"]*" )?(?:[\w.$]*(?:error|exception)(?: ?[([][\w ]+[)\]])?|panic|fatal(?: error)?): \S/i;

/** Why a program broke down, from its last words: of a stack, the error that it is the stack of. */
export function reasonIn(text: string): string {
  const lines = linesOf(text);
  if (!lines.some((line) => FRAME.test(line))) return lastOf(lines);
  const error = lines.findLast((line) => ERROR.test(line.trim())) ?? raisedIn(lines);
  return error === undefined ? lastOf(lines) : lastOf([error.trim()]);
}

/** The first line after Python's stack that is not indented: an exception may have any name. */
function raisedIn(lines: readonly string[]): string | undefined {
  const stack = lines.findLastIndex((line) => line.startsWith('Traceback '));
  return stack === -1 ? undefined : lines.slice(stack + 1).find((line) => /^\S/.test(line));
}

const lastOf = (lines: readonly string[]) => lines.slice(-MAX_LINES).join('\n').slice(-MAX_CHARS);

function linesOf(text: string): readonly string[] {
  return (
    stripAnsi(text)
      .split(/\r?\n/)
      // A line that was redrawn by carriage returns shows its last state only.
      .map((line) => line.slice(line.lastIndexOf('\r') + 1).trimEnd())
      .filter((line) => line.trim() !== '')
  );
}
