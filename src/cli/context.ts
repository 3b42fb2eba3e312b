/** What a command gets: the streams, the environment, and the user's Ctrl-C. */
export interface Context {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** Options as a command line gives them; each command reads its own. */
export type Flags = Readonly<Record<string, unknown>>;
