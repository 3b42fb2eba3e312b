/** What to run: a line for the shell, or a program with its arguments (no shell between). */
export type Command =
  | { readonly shell: string }
  | { readonly file: string; readonly args: readonly string[] };

export interface ExecOptions {
  readonly cwd: string;
  /** The whole environment; nothing of `process.env` is merged in. The scope's cookie is added. */
  readonly env: Readonly<Record<string, string>>;
  /** Limit of the whole call, in milliseconds. Default: none. */
  readonly timeoutMs?: number;
  /** Limit of silence on both streams, in milliseconds. Default: none. */
  readonly idleTimeoutMs?: number;
  /** Ends the call as `aborted`. */
  readonly signal?: AbortSignal;
  /** Text for stdin, which is closed after it. Default: no stdin (`/dev/null`). */
  readonly input?: string;
  /** Milliseconds between TERM and KILL. Default: 300. */
  readonly graceMs?: number;
  /** Bytes kept in memory per stream: a quarter from the head, the rest from the tail. Default: 256 KiB. */
  readonly keepBytes?: number;
  /** Takes the whole output of both streams, written only once `keepBytes` is exceeded. */
  readonly logFile?: string;
  /** Cap of `logFile`, in bytes. Default: 64 MiB. */
  readonly logBytes?: number;
  /** Output as it arrives, decoded; a character split over two reads arrives whole. What it throws is ignored. */
  readonly onOutput?: (text: string, stream: 'stdout' | 'stderr') => void;
}

export interface Output {
  /** The head, a line that says how much was left out (if anything was), and the tail. Colours are kept. */
  readonly text: string;
  /** Bytes of the middle that are not in `text`. */
  readonly droppedBytes: number;
}

/** How a process ended, and what it wrote. */
export type ExecResult = {
  readonly stdout: Output;
  readonly stderr: Output;
  /** Both streams, in the order of arrival. */
  readonly output: Output;
  readonly durationMs: number;
  /** How many processes were found alive afterwards, and ended. */
  readonly swept: number;
  /** Set when the log file was written. */
  readonly logFile?: string;
} & Ending;

/** The first cause wins: a process that is stopped by its time-out has `timed-out`, whatever it does with TERM. */
export type Ending =
  | { readonly ended: 'exited'; readonly code: number }
  | { readonly ended: 'signalled'; readonly signal: string }
  | { readonly ended: 'timed-out' }
  | { readonly ended: 'idle' }
  | { readonly ended: 'aborted' }
  | {
      readonly ended: 'not-started';
      readonly code: 'not-found' | 'not-executable' | 'bad-cwd' | 'other';
      readonly message: string;
    };

/** Runs a command in a session of its own and resolves when it and all that it left behind is gone. Never rejects. */
export declare function exec(command: Command, options: ExecOptions): Promise<ExecResult>;
