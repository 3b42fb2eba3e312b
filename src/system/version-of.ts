import { type Command, type ExecOptions, type ExecResult, exec } from './exec.ts';
import { stripAnsi } from './text.ts';

/** What a program answers that is asked for its version. */
export interface VersionAnswer {
  /** Absent where it says nothing that looks like one. */
  readonly version?: string;
  readonly ending: ExecResult;
}

const KEPT_BYTES = 8192;

/** Starts a program that prints its version, on either stream, and ends. */
export async function versionOf(
  command: Command,
  options: Pick<ExecOptions, 'cwd' | 'env' | 'signal' | 'timeoutMs'>,
): Promise<VersionAnswer> {
  const ending = await exec(command, { ...options, keepBytes: KEPT_BYTES });
  const version = versionIn(ending.stdout.text) ?? versionIn(ending.stderr.text);
  return { ending, ...(version !== undefined && { version }) };
}

/** The first thing that looks like a version: numbers with dots, and what hangs on them. */
export function versionIn(text: string): string | undefined {
  return /(?<![\w.])(?:v|go)?(\d{1,9}(?:\.\d{1,9}){1,3}(?:[-+][\w.+-]{0,40}\w)?)/i.exec(stripAnsi(text))?.[1];
}
