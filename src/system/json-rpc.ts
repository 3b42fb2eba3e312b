import { jsonLines } from './json-lines.ts';

/** The other side of a connection that speaks JSON-RPC 2.0, one message a line. */
export interface RpcPeer {
  /** Text as it arrives, in whatever pieces. Lines that are no messages go to `onNoise`. */
  readonly receive: (text: string) => void;
  /** Rejects with an `RpcError` that the other side answers with, or with the error that `close` is given. */
  readonly request: (method: string, params: unknown) => Promise<unknown>;
  readonly notify: (method: string, params: unknown) => void;
  /** No answer will come any more: all that still waits, and whatever is asked later, rejects with this. */
  readonly close: (because: Error) => void;
}

export interface RpcOptions {
  readonly send: (text: string) => void;
  /** Answers a request. What it throws is the answer's error; an `RpcError` as it is. */
  readonly onRequest: (method: string, params: unknown) => unknown;
  readonly onNotification: (method: string, params: unknown) => void;
  readonly onNoise?: (line: string) => void;
}

/** An error as the other side answered it. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  /** What it says besides, of any form. */
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;

type Message = Readonly<Record<string, unknown>>;

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export function jsonRpc(options: RpcOptions): RpcPeer {
  const waiting = new Map<unknown, Waiting>();
  let closed: Error | undefined;
  let next = 0;

  const send = (message: Message) => options.send(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const settle = (message: Message) => {
    const asked = waiting.get(message['id']);
    waiting.delete(message['id']);
    if ('error' in message) asked?.reject(errorOf(message['error']));
    else asked?.resolve(message['result']);
  };
  const answer = async (id: unknown, method: string, params: unknown) => {
    try {
      send({ id, result: (await options.onRequest(method, params)) ?? null });
    } catch (error) {
      const { code, message } =
        error instanceof RpcError ? error : { code: INTERNAL_ERROR, message: String(error) };
      send({ id, error: { code, message } });
    }
  };
  const lines = jsonLines({
    onObject: (message) => {
      const { id, method, params } = message;
      if (typeof method !== 'string') settle(message);
      else if (id === undefined) options.onNotification(method, params);
      else void answer(id, method, params);
    },
    ...(options.onNoise && { onNoise: options.onNoise }),
  });
  return {
    receive: lines.push,
    request: (method, params) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(closed);
        const id = next++;
        waiting.set(id, { resolve, reject });
        send({ id, method, params });
      }),
    notify: (method, params) => {
      if (!closed) send({ method, params });
    },
    close: (because) => {
      closed ??= because;
      for (const { reject } of waiting.values()) reject(closed);
      waiting.clear();
    },
  };
}

function errorOf(given: unknown): RpcError {
  const { code, message, data } = (typeof given === 'object' && given !== null ? given : {}) as Message;
  return new RpcError(
    typeof code === 'number' ? code : INTERNAL_ERROR,
    typeof message === 'string' ? message : 'an error without a message',
    data,
  );
}
