import { type Command, type ExecOptions, type ExecResult, exec, type Running } from './exec.ts';
import { endStrays } from './strays.ts';

export type ConnectOptions = Pick<ExecOptions, 'cwd' | 'env' | 'graceMs' | 'keepBytes' | 'onOutput'>;

/** A process that lives on and is talked with, by the rules of `exec`: a session of its own, a cookie, a sweep. */
export interface Connection {
  /** Writes to its stdin. Once it has ended, nothing happens. */
  readonly send: (text: string) => void;
  /** Ends its stdin, by which many programs know that they are no longer needed. */
  readonly hangUp: () => void;
  /** Resolves when it, and all that it left behind, is gone. Never rejects. */
  readonly ended: Promise<ExecResult>;
  /** Hangs up and asks it to end, kills it after `graceMs`, and sweeps. */
  readonly end: () => Promise<ExecResult>;
  /** Ends what it started and let go of. Returns how many processes that were. */
  readonly endStrays: () => Promise<number>;
}

/** Starts a process to talk with; what it writes goes to `onOutput`. Where it does not start, that is the result. */
export async function connect(
  command: Command,
  options: ConnectOptions,
): Promise<Connection | { readonly failed: ExecResult }> {
  const stop = new AbortController();
  let attach: (running: Running) => void = () => {};
  const attached = new Promise<Running>((resolve) => {
    attach = resolve;
  });
  const ended = exec(command, { ...options, signal: stop.signal, attach });
  const running = await Promise.race([attached, ended]);
  if ('ended' in running) return { failed: running };
  const { stdin, scope } = running;
  return {
    send: (text) => {
      if (stdin.writable) stdin.write(text);
    },
    hangUp: () => stdin.end(),
    ended,
    end: () => {
      stdin.end();
      stop.abort();
      return ended;
    },
    endStrays: () => endStrays(scope),
  };
}
