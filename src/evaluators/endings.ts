import type { EvaluationOutcome, UnusableCause } from '../core/check.ts';
import type { ExecResult } from '../system/exec.ts';
import { withOutput } from './suite-feedback.ts';

/** Signals that end a program which went wrong, by number. */
const SIGNALS: Readonly<Record<number, string>> = {
  4: 'SIGILL',
  5: 'SIGTRAP',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  15: 'SIGTERM',
  24: 'SIGXCPU',
  25: 'SIGXFSZ',
  31: 'SIGSYS',
};

/** The signal that ended the command: its own, or the one that a shell tells as exit code 128 + n. */
export function signalOf(run: ExecResult): string | undefined {
  if (run.ended === 'signalled') return run.signal;
  return run.ended === 'exited' && run.code > 128 ? SIGNALS[run.code - 128] : undefined;
}

/** The exit code as it was, where there is one. */
export function exitCodeOf(run: ExecResult): { readonly exitCode?: number } {
  return run.ended === 'exited' ? { exitCode: run.code } : {};
}

/** A check that could not run: no verdict on the code. */
export function unusable(
  cause: UnusableCause,
  feedback: string,
  more: Partial<EvaluationOutcome> = {},
): EvaluationOutcome {
  return { passed: false, ok: false, cause, feedback, ...more };
}

export interface EndingContext {
  readonly command: string;
  readonly timeoutMs: number;
  readonly feedbackChars: number;
  readonly path: string;
}

/** The outcome of a command that was stopped or did not start; undefined where it ended by itself. */
export function outcomeOfEnding(run: ExecResult, context: EndingContext): EvaluationOutcome | undefined {
  const more = run.logFile === undefined ? {} : { logFile: run.logFile };
  switch (run.ended) {
    case 'aborted':
      return unusable('aborted', 'stopped by the user before it ended', more);
    case 'timed-out':
    case 'idle':
      return unusable('timeout', timeoutText(run, context), more);
    case 'not-started':
      return unusable('not-found', notStartedText(run.code, run.message, context), more);
    default:
      return undefined;
  }
}

function timeoutText(run: ExecResult, { command, timeoutMs, feedbackChars }: EndingContext): string {
  const hint = servesForEver(command, run.output.text)
    ? '\nit looks like a server or a watch mode, which never ends by itself: a check needs a command that does'
    : '';
  const text = `timed out after ${timeoutMs / 1000} s, so it says nothing about the code${hint}`;
  const output = run.output.text.trim();
  return output === ''
    ? `${text}\n\nit printed nothing`
    : withOutput(`${text}\n\npartial output, up to the time-out:`, output, feedbackChars);
}

/** Only words a hint: nothing is decided by it. */
function servesForEver(command: string, output: string): boolean {
  return (
    /\b(?:http\.server|serve|runserver|watch|nodemon|dev|start)\b|--watch\b/.test(command) ||
    /\b(?:listening|serving|server running|watching for|waiting for file changes)\b|https?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0)/i.test(
      output,
    )
  );
}

function notStartedText(code: string, message: string, { command, path }: EndingContext): string {
  return `could not be started (${code}): ${message}\ncommand: ${command}\nPATH: ${path}`;
}

/** For a program that is nowhere on the PATH. */
export function notFoundText(program: string, path: string): string {
  return `${program} was not found, so the check cannot run: install it, or name the program by its path\nPATH: ${path}`;
}
