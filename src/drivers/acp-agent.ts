import type { Environment } from '../core/plugin.ts';
import { type Connection, connect } from '../system/connect.ts';
import { firstCause } from '../system/deadline.ts';
import type { ExecResult } from '../system/exec.ts';
import { jsonRpc, METHOD_NOT_FOUND, RpcError, type RpcPeer } from '../system/json-rpc.ts';
import { type Hello, hello, PROTOCOL_VERSION, permissionRequest, update } from './acp-messages.ts';
import type { AcpTurn, PermissionAnswer } from './acp-turn.ts';
import { describeEnding, reasonIn } from './ending.ts';

/** The process has ended, or did not even start. */
export class AgentEnded extends Error {
  override readonly name = 'AgentEnded';
  readonly ending: ExecResult;
  /** The end of what it wrote to stderr. */
  readonly lastWords: string;

  constructor(ending: ExecResult) {
    super(`the agent ${describeEnding(ending)}`);
    this.ending = ending;
    this.lastWords = reasonIn(ending.stderr.text);
  }
}

/** Between asking a process to end and killing it. */
const STOP_GRACE_MS = 1500;
/** For a first answer: the slowest agents take a quarter of it on a slow machine. */
const HELLO_MS = 60_000;
const ANSWER_MS = 120_000;
const LATE = Symbol('late');
/** Bytes of each stream that are kept for its last words. */
const KEPT_BYTES = 16_384;

export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  /** Complete. */
  readonly env: Environment;
  readonly cwd: string;
}

/** Who hears what the agent says in one session. */
interface Listener {
  readonly sessionId: string;
  readonly turn: AcpTurn;
}

/** An agent's process, talked with by the Agent Client Protocol. */
export class AcpAgent {
  /** Rejects with `AgentEnded` where it does not start. It has not said hello yet. */
  static async launch({ file, args, env, cwd }: Launch): Promise<AcpAgent> {
    const agent = new AcpAgent();
    const connection = await connect(
      { file, args },
      {
        cwd,
        env,
        graceMs: STOP_GRACE_MS,
        keepBytes: KEPT_BYTES,
        onOutput: (text, stream) => {
          agent.#activity();
          if (stream === 'stdout') agent.#peer.receive(text);
        },
      },
    );
    if ('failed' in connection) throw new AgentEnded(connection.failed);
    agent.#begin(connection);
    return agent;
  }

  #connection: Connection | undefined;
  #activity: () => void = () => {};
  #listener: Listener | undefined;
  #hello: Promise<Hello> | undefined;
  readonly #peer: RpcPeer = jsonRpc({
    send: (text) => this.#connection?.send(text),
    onRequest: (method, params) => this.#asked(method, params),
    onNotification: (method, params) => this.#told(method, params),
  });
  /** False once it has ended. */
  isAlive = true;

  /** Says hello once, and gives what it answered. Rejects with `AgentEnded`, or an `RpcError`. */
  greet(): Promise<Hello> {
    this.#hello ??= this.#greet();
    return this.#hello;
  }

  /** Anything but a prompt, which may take as long as it wants. */
  async request(method: string, params: unknown, limitMs = ANSWER_MS): Promise<unknown> {
    const answer = this.#peer.request(method, params);
    const limit = firstCause({ timeoutMs: limitMs });
    try {
      const first = await Promise.race([answer, limit.cause.then(() => LATE)]);
      if (first !== LATE) return first;
      throw new Error(`the agent did not answer ${method} within ${limitMs / 1000} s`);
    } finally {
      limit.release();
    }
  }

  /** One prompt; what the agent says and asks meanwhile goes to the turn. */
  async prompt(sessionId: string, text: string, turn: AcpTurn): Promise<unknown> {
    this.#listener = { sessionId, turn };
    try {
      return await this.#peer.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
    } finally {
      this.#listener = undefined;
    }
  }

  /** Asks the agent to give up its prompt, which it then answers. */
  cancel(): void {
    if (this.#listener) this.#peer.notify('session/cancel', { sessionId: this.#listener.sessionId });
  }

  /** Called whenever the agent gives a sign of life. */
  onActivity(activity: () => void): void {
    this.#activity = activity;
  }

  async endStrays(): Promise<void> {
    await this.#connection?.endStrays();
  }

  async end(): Promise<void> {
    this.isAlive = false;
    await this.#connection?.end();
  }

  #begin(connection: Connection): void {
    this.#connection = connection;
    void connection.ended.then((result) => {
      this.isAlive = false;
      this.#peer.close(new AgentEnded(result));
    });
  }

  async #greet(): Promise<Hello> {
    const hi = {
      protocolVersion: PROTOCOL_VERSION,
      // It reads, writes and runs with tools of its own: none of ours stands between it and the workspace.
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: 'loopgen', version: '1' },
    };
    const read = hello.safeParse(await this.request('initialize', hi, HELLO_MS));
    if (read.data?.protocolVersion === PROTOCOL_VERSION) return read.data;
    const spoken = read.success ? `version ${read.data.protocolVersion} of it` : 'something else';
    throw new Error(
      `the agent does not speak version ${PROTOCOL_VERSION} of the Agent Client Protocol, but ${spoken}`,
    );
  }

  #told(method: string, params: unknown): void {
    if (method !== 'session/update') return;
    const read = update.safeParse(params);
    // What it tells of an old session that is being loaded is no news.
    if (read.success && this.#listener?.sessionId === read.data.sessionId)
      this.#listener.turn.update(read.data.update);
  }

  #asked(method: string, params: unknown): PermissionAnswer {
    if (method !== 'session/request_permission') throw new RpcError(METHOD_NOT_FOUND, `no ${method} here`);
    const read = permissionRequest.safeParse(params);
    if (!read.success || !this.#listener) return { outcome: { outcome: 'cancelled' } };
    return this.#listener.turn.permit(read.data);
  }
}
