import { PassThrough, Writable } from 'node:stream';
import { type Connection, type ConnectOptions, connect } from './connect.ts';
import type { Command, ExecResult } from './exec.ts';

type Listener = (...args: unknown[]) => void;

/**
 * A connected process in the shape of Node's `ChildProcess`, for libraries that let their processes be started for
 * them: so these too are found, ended and swept by the rules of `exec`. Tells of `exit`, or of `error` where it does
 * not start; each comes once.
 */
export class ConnectedChild {
  readonly stdin: Writable;
  readonly stdout = new PassThrough();
  /** Resolves when it, and all that it left behind, is gone. */
  readonly ended: Promise<ExecResult>;
  killed = false;
  exitCode: number | null = null;
  signalCode: string | null = null;
  readonly #listeners = new Map<Listener, string>();
  readonly #connection: Promise<Connection | { readonly failed: ExecResult }>;

  constructor(command: Command, options: ConnectOptions) {
    this.#connection = connect(command, {
      ...options,
      onOutput: (text, stream) => {
        options.onOutput?.(text, stream);
        if (stream === 'stdout') this.stdout.write(text);
      },
    });
    this.stdin = new Writable({
      decodeStrings: false,
      write: (chunk: string | Buffer, _encoding, done) => {
        void this.#with(({ send }) => send(chunk.toString())).then(() => done());
      },
      final: (done) => void this.#with(({ hangUp }) => hangUp()).then(() => done()),
    });
    this.ended = this.#follow();
  }

  on(event: string, listener: Listener): this {
    this.#listeners.set(listener, event);
    return this;
  }

  once(event: string, listener: Listener): this {
    return this.on(event, listener);
  }

  off(_event: string, listener: Listener): this {
    this.#listeners.delete(listener);
    return this;
  }

  /** Whatever the signal: it is asked to end, killed after the grace, and swept. */
  kill(_signal?: string): boolean {
    this.killed = true;
    void this.#with(({ end }) => end());
    return true;
  }

  async #with(use: (connection: Connection) => unknown): Promise<void> {
    const connection = await this.#connection;
    if (!('failed' in connection)) use(connection);
  }

  async #follow(): Promise<ExecResult> {
    const connection = await this.#connection;
    const result = 'failed' in connection ? connection.failed : await connection.ended;
    if (result.ended === 'exited') this.exitCode = result.code;
    else this.signalCode = result.ended === 'signalled' ? result.signal : 'SIGTERM';
    this.stdout.end();
    if (result.ended === 'not-started') this.#tell('error', new Error(result.message));
    else this.#tell('exit', this.exitCode, this.signalCode);
    return result;
  }
  #tell(event: string, ...args: unknown[]): void {
    for (const [listener, wanted] of this.#listeners) if (wanted === event) listener(...args);
  }
}
