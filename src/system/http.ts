import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { firstCause } from './deadline.ts';
import { jsonLines } from './json-lines.ts';

export interface HttpOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Limit from the first byte sent to the last received, in milliseconds. Default: none. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /**
   * Takes the JSON objects of a reply that has one per line, or of one that is server-sent events, as they arrive; the
   * reply's `body` is then undefined.
   */
  readonly onObject?: (value: Readonly<Record<string, unknown>>) => void;
  /** A longer reply is a `bad-reply`. Default: 64 MiB. */
  readonly maxBytes?: number;
}

export type HttpResult =
  | { readonly got: 'reply'; readonly status: number; readonly body: unknown }
  /** The server answered with another status than 2xx. Redirects are not followed. */
  | { readonly got: 'status'; readonly status: number; readonly text: string; readonly retryAfterMs?: number }
  /** No connection, or one that broke. */
  | { readonly got: 'refused'; readonly message: string }
  | { readonly got: 'timed-out' }
  | { readonly got: 'aborted' }
  /** 2xx, but no JSON, or too much of it. */
  | { readonly got: 'bad-reply'; readonly status: number; readonly text: string };

const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Posts `body` as JSON. There is no limit but `timeoutMs`: a model may think for an hour before its first byte.
 * Never rejects.
 */
export function postJson(url: string, body: unknown, options: HttpOptions = {}): Promise<HttpResult> {
  return send('POST', url, options, JSON.stringify(body));
}

/** Gets JSON. Never rejects. */
export function getJson(url: string, options: HttpOptions = {}): Promise<HttpResult> {
  return send('GET', url, options);
}

async function send(
  method: string,
  url: string,
  options: HttpOptions,
  payload?: string,
): Promise<HttpResult> {
  let request: ClientRequest;
  try {
    request = open(method, url, options, payload);
  } catch (error) {
    return refused(error);
  }
  const limits = firstCause(options);
  const stopped = limits.cause.then(
    (cause): HttpResult => ({ got: cause === 'aborted' ? 'aborted' : 'timed-out' }),
  );
  const answered = new Promise<HttpResult>((resolve) => {
    request.once('response', (response) => {
      read(response, options).then(resolve, (error: unknown) => resolve(refused(error)));
    });
    request.on('error', (error) => resolve(refused(error)));
  });
  request.end(payload);
  const result = await Promise.race([stopped, answered]);
  limits.release();
  request.destroy();
  return result;
}

function open(
  method: string,
  url: string,
  { headers }: HttpOptions,
  payload: string | undefined,
): ClientRequest {
  const start = new URL(url).protocol === 'https:' ? httpsRequest : httpRequest;
  const ofBody =
    payload === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(payload)) };
  // A connection of its own: one that was kept may have been closed by the server meanwhile.
  return start(url, { method, agent: false, headers: { accept: 'application/json', ...ofBody, ...headers } });
}

async function read(response: IncomingMessage, options: HttpOptions): Promise<HttpResult> {
  const status = response.statusCode ?? 0;
  const isGood = status >= 200 && status < 300;
  response.setEncoding('utf8');
  if (isGood && options.onObject) return readLines(response, status, options.onObject);
  const text = await textOf(response, options.maxBytes ?? MAX_BYTES);
  if (!isGood) return { got: 'status', status, text: text ?? '', ...retryAfter(response) };
  if (text === undefined) return { got: 'bad-reply', status, text: 'the reply is too long' };
  try {
    return { got: 'reply', status, body: JSON.parse(text) };
  } catch {
    return { got: 'bad-reply', status, text };
  }
}

async function readLines(
  response: IncomingMessage,
  status: number,
  onObject: NonNullable<HttpOptions['onObject']>,
): Promise<HttpResult> {
  let noise = '';
  const isEvents = (response.headers['content-type'] ?? '').startsWith('text/event-stream');
  const onNoise = (line: string) => {
    const event = isEvents ? eventIn(line) : undefined;
    if (typeof event === 'object') onObject(event);
    else if (event === undefined) noise ||= line;
  };
  const lines = jsonLines({ onObject, onNoise });
  for await (const chunk of response) lines.push(String(chunk));
  lines.end();
  return noise === '' ? { got: 'reply', status, body: undefined } : { got: 'bad-reply', status, text: noise };
}

/** The object of a line of server-sent events, `'none'` for a line without one; `undefined` where it is broken. */
function eventIn(line: string): Readonly<Record<string, unknown>> | 'none' | undefined {
  if (/^(?::|event:|id:|retry:)/.test(line)) return 'none';
  const data = /^data:\s*(.*)$/.exec(line)?.[1]?.trim();
  if (data === '[DONE]' || data === '') return 'none';
  try {
    const value: unknown = JSON.parse(data ?? '');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

async function textOf(response: IncomingMessage, max: number): Promise<string | undefined> {
  const pieces: string[] = [];
  let length = 0;
  for await (const chunk of response) {
    const piece = String(chunk);
    length += piece.length;
    if (length > max) return undefined;
    pieces.push(piece);
  }
  return pieces.join('');
}

/** `Retry-After`, in seconds or as a date. */
function retryAfter(response: IncomingMessage): { retryAfterMs?: number } {
  const value = response.headers['retry-after'];
  if (value === undefined || value.trim() === '') return {};
  const ms = /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? {} : { retryAfterMs: Math.max(0, ms) };
}

function refused(error: unknown): HttpResult {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const text = error instanceof Error ? error.message : String(error);
  return { got: 'refused', message: text === '' ? code : text };
}
