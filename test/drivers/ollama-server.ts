import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Plays one request to `/api/generate`. */
export type Play = (response: ServerResponse, body: Record<string, unknown>) => void | Promise<void>;

export interface OllamaServer extends AsyncDisposable {
  readonly host: string;
  /** Bodies of the generate requests, in order. */
  readonly asked: readonly Record<string, unknown>[];
}

/** A scripted Ollama server on 127.0.0.1: one play a request, the last one again and again. */
export async function ollamaServer(
  plays: readonly Play[],
  models: readonly string[] = ['mistral:7b-instruct'],
  onTags: Play = (response) => {
    response.end(JSON.stringify({ models: models.map((name) => ({ name })) }));
  },
): Promise<OllamaServer> {
  const asked: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    void answer(request, response);
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/api/tags') {
      await onTags(response, {});
      return;
    }
    let text = '';
    for await (const chunk of request) text += chunk;
    const body = JSON.parse(text);
    const play = plays[Math.min(asked.length, plays.length - 1)];
    asked.push(body);
    await play?.(response, body);
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const line = (value: unknown) => `${JSON.stringify(value)}\n`;

/** A whole reply, streamed in pieces of a few characters. */
export function replies(text: string, doneReason = 'stop'): Play {
  return (response) => {
    for (const piece of text.match(/[\s\S]{1,7}/g) ?? [])
      response.write(line({ response: piece, done: false }));
    response.end(
      line({ response: '', done: true, done_reason: doneReason, prompt_eval_count: 120, eval_count: 40 }),
    );
  };
}

/** `{reasoning, code}` as a whole reply. */
export const repliesCode = (code: string, reasoning = 'because'): Play =>
  replies(JSON.stringify({ reasoning, code }));

export const answers =
  (status: number, body: string, headers: Record<string, string> = {}): Play =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

/** Sends this and then nothing any more. */
export const hangsAfter =
  (text: string): Play =>
  (response) => {
    if (text === '') return;
    response.write(text);
  };

/** Sends this and breaks the connection. */
export const breaksAfter =
  (text: string): Play =>
  (response) => {
    response.write(text, () => response.destroy());
  };

/** One token now and then, without an end. */
export const drips: Play = (response) => {
  const timer = setInterval(() => response.write(line({ response: 'x', done: false })), 20);
  response.on('close', () => clearInterval(timer));
};

export const token = (text: string): string => line({ response: text, done: false });
