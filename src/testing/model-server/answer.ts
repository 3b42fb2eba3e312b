import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Fault, ModelStep } from './script.ts';
import type { Reply, Wire } from './wire.ts';

/** What an answer is made of. */
export interface Answer {
  readonly wire: Wire;
  readonly stream: boolean;
  readonly step: ModelStep;
  readonly reply: Reply;
  readonly fault: Fault | undefined;
}

/** Plays one answer, or what goes wrong in its place. Resolves early where the client leaves. */
export async function play(response: ServerResponse, answer: Answer): Promise<void> {
  const { step, fault, wire } = answer;
  const left = new AbortController();
  response.on('close', () => left.abort());
  await pause(step.delayMs, left.signal);
  switch (fault?.kind) {
    case 'hang':
      break;
    case 'status':
      sendStatus(response, fault, wire);
      break;
    case 'malformed':
      sendHead(response, answer).end(malformed(answer));
      break;
    case 'cut':
      await sendFrames(response, answer, left.signal);
      response.write('', () => response.destroy());
      break;
    default:
      await sendFrames(response, answer, left.signal);
      response.end();
  }
}

async function sendFrames(response: ServerResponse, answer: Answer, signal: AbortSignal): Promise<void> {
  const { stream, wire, reply, step, fault } = answer;
  const frames = stream ? wire.frames(reply) : halves(JSON.stringify(wire.whole(reply)));
  const last = fault?.kind === 'cut' ? Math.max(1, Math.floor(frames.length / 2)) : frames.length;
  sendHead(response, answer);
  for (const frame of frames.slice(0, last)) {
    response.write(frame);
    await pause(step.dripMs, signal);
  }
}

export function sendJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

function sendHead(response: ServerResponse, { stream, wire }: Answer): ServerResponse {
  const streamed = wire.name.startsWith('ollama') ? 'application/x-ndjson' : 'text/event-stream';
  return response.writeHead(200, {
    'content-type': stream ? streamed : 'application/json',
    'cache-control': 'no-cache',
  });
}

function sendStatus(response: ServerResponse, fault: Fault & { kind: 'status' }, wire: Wire): void {
  const { status, retryAfter, message = MESSAGES[fault.status] ?? 'a scripted error' } = fault;
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  sendJson(response, status, wire.error(status, message), headers);
}

const MESSAGES: Readonly<Record<number, string>> = {
  401: 'invalid API key (scripted)',
  429: 'rate limit exceeded (scripted)',
  500: 'internal server error (scripted)',
  529: 'overloaded (scripted)',
};

function malformed({ stream, wire }: Answer): string {
  const broken = '{"scripted": "no JSON';
  return stream && !wire.name.startsWith('ollama') ? `data: ${broken}\n\n` : `${broken}\n`;
}

function halves(text: string): readonly string[] {
  const half = Math.floor(text.length / 2);
  return [text.slice(0, half), text.slice(half)];
}

async function pause(ms: number | undefined, signal: AbortSignal): Promise<void> {
  if (ms === undefined) return;
  // A client that leaves ends the pause; what is then written goes nowhere.
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
