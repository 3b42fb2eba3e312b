/** A place in a file that the user wrote. Lines and columns are 1-based. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The line as it stands in the file, for the caret under it. */
  readonly source?: string;
}

export interface LoopgenErrorOptions {
  /** What to do about it, as a phrase. */
  readonly hint?: string;
  readonly at?: Place;
  readonly cause?: unknown;
}

/**
 * The user got something wrong: a spec, a flag, a plug-in's name. Thrown at the
 * edges, shown by `cli/main.ts` without a stack, exit code 2. How a run went is
 * never an error but an `Outcome`.
 */
export class LoopgenError extends Error {
  override readonly name = 'LoopgenError';
  /** Stable, kebab-case: programs and tests compare it. */
  readonly code: string;
  readonly hint: string | undefined;
  readonly at: Place | undefined;

  constructor(code: string, message: string, options: LoopgenErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.at = options.at;
  }
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The message of whatever was thrown, with what to do about it where that is known. */
export function adviceOf(error: unknown): string {
  const hint = error instanceof LoopgenError ? error.hint : undefined;
  return hint === undefined ? messageOf(error) : `${messageOf(error)}: ${hint}`;
}
