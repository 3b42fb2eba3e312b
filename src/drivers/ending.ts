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
  const lines = stripAnsi(text)
    .split(/\r?\n/)
    // A line that was redrawn by carriage returns shows its last state only.
    .map((line) => line.slice(line.lastIndexOf('\r') + 1).trimEnd())
    .filter((line) => line.trim() !== '');
  return lines.slice(-MAX_LINES).join('\n').slice(-MAX_CHARS);
}
