import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { play, sendJson } from './answer.ts';
import { anthropic } from './anthropic.ts';
import type { Asked, AskedTurn, WireName } from './asked.ts';
import { type Fields, fieldsIn } from './fields.ts';
import { gemini } from './gemini.ts';
import { ollamaChat, ollamaGenerate } from './ollama.ts';
import { openAiChat } from './openai-chat.ts';
import { openAiResponses } from './openai-responses.ts';
import { type Fault, type ModelStep, type Script, stepFor, usageOf } from './script.ts';
import { toolCall } from './tools.ts';
import { countAnswers, type Reply, type Wire } from './wire.ts';

export interface ModelServerOptions {
  /** What the model says. Default: one greeting. */
  readonly script?: Script;
  /** Default: any that is free. */
  readonly port?: number;
  /** Names that its list of models holds. It answers for every name. Default: `scripted-model`. */
  readonly models?: readonly string[];
}

/** A request that the server has had. */
export interface ModelRequestLog {
  readonly method: string;
  readonly path: string;
  /** Absent where it asked no model: a list of models, a count of tokens, an unknown route. */
  readonly wire?: WireName;
  readonly model?: string;
  readonly stream?: boolean;
  /** Answers of the model that the request holds: where in the script it stands. Absent for a helper's. */
  readonly step?: number;
  /** Names of the tools that it offers. */
  readonly tools?: readonly string[];
  readonly turns?: readonly AskedTurn[];
  /** Names of the tools that the answer calls. */
  readonly calls?: readonly string[];
  /** Calls of the script that no offered tool can do. */
  readonly notOffered?: number;
  readonly fault?: Fault['kind'];
  /** Header names in small letters, as the client sent them; what holds a key is left out. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A server that plays a model. */
export interface ModelServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`; OpenAI clients want `/v1` after it. */
  readonly url: string;
  /** All requests since the start, or since the last `play`. */
  readonly log: readonly ModelRequestLog[];
  /** Takes another script, and empties the log. */
  play(script: Script): void;
  /** Breaks what is open, and ends. */
  close(): Promise<void>;
}

const WIRES: readonly Wire[] = [openAiChat, openAiResponses, anthropic, gemini, ollamaChat, ollamaGenerate];

/**
 * Starts a model on 127.0.0.1 that says what a script says: for tests of drivers, without an account and without a
 * network. It speaks OpenAI's chat completions and responses, Anthropic's messages, Gemini, and Ollama, at their usual
 * routes below any prefix, streamed or not as it is asked.
 *
 * ```ts
 * await using model = await startModelServer({
 *   script: [{ calls: [{ op: 'write', path: 'hello.txt', content: 'hello\n' }] }, { text: 'I wrote hello.txt.' }],
 * });
 * ```
 */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const { script = [{ text: 'Hello.' }], port = 0, models = ['scripted-model'] } = options;
  const model = new ScriptedModel(script, models);
  const server = createServer((request, response) => {
    // A client that breaks off in the middle of its request is answered by nothing.
    model.answer(request, response).catch(() => response.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get log() {
      return model.log;
    },
    play: (next) => model.play(next),
    close,
    [Symbol.asyncDispose]: close,
  };
}

class ScriptedModel {
  log: ModelRequestLog[] = [];
  #script: Script;
  readonly #models: readonly string[];
  /** How often the fault of a step was played. */
  readonly #faults = new WeakMap<ModelStep, number>();

  constructor(script: Script, models: readonly string[]) {
    this.#script = script;
    this.#models = models;
  }

  play(script: Script): void {
    this.#script = script;
    this.log = [];
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await textOf(request);
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const common = { method: request.method ?? '', path: request.url ?? '', headers: headersOf(request) };
    const wire = request.method === 'POST' ? WIRES.find(({ isMine }) => isMine(pathname)) : undefined;
    if (!wire) {
      this.log.push(common);
      const body = aside(pathname, this.#models);
      sendJson(response, body === undefined ? 404 : 200, body ?? NO_ROUTE);
      return;
    }
    const asked = read(wire, fieldsIn(text), pathname);
    const step = isSummary(request) ? undefined : stepFor(this.#script, asked);
    const reply = replyOf(asked, step ?? HELPER);
    const fault = step && this.#dueFault(step);
    this.log.push({ ...common, ...told(asked, step, reply), ...(fault && { fault: fault.kind }) });
    await play(response, { wire, stream: asked.stream, step: step ?? HELPER, reply, fault });
  }

  #dueFault(step: ModelStep): Fault | undefined {
    const { fault } = step;
    if (!fault) return undefined;
    const played = this.#faults.get(step) ?? 0;
    this.#faults.set(step, played + 1);
    return played < (fault.times ?? Number.POSITIVE_INFINITY) ? fault : undefined;
  }
}

/** To titles and summaries: short, and JSON for those that want it. */
const HELPER: ModelStep = { text: '{"title":"Scripted"}', usage: { input: 1, output: 1 } };

/** Grok asks for a summary of the turn with all its tools. */
function isSummary({ headers }: IncomingMessage): boolean {
  return String(headers['x-grok-req-id'] ?? '').startsWith('xai-turn-summary');
}

function read(wire: Wire, body: Fields, path: string): Asked {
  const asked = wire.read(body, path);
  return { ...asked, wire: wire.name, answers: countAnswers(asked.turns) };
}

function told(asked: Asked, step: ModelStep | undefined, reply: Reply): Partial<ModelRequestLog> {
  return {
    wire: asked.wire,
    model: asked.model,
    stream: asked.stream,
    ...(step && { step: asked.answers }),
    tools: asked.tools.map(({ name }) => name),
    turns: asked.turns,
    calls: reply.calls.map(({ tool }) => tool.name),
    notOffered: (step?.calls?.length ?? 0) - reply.calls.length,
  };
}

function replyOf(asked: Asked, step: ModelStep): Reply {
  return {
    model: asked.model,
    text: step.text ?? '',
    calls: (step.calls ?? []).flatMap((call) => toolCall(call, asked.tools) ?? []),
    usage: usageOf(step),
    stop: step.stop ?? 'end',
  };
}

/** What clients ask beside the model itself; `undefined` for a route that nobody has. */
function aside(path: string, models: readonly string[]): unknown {
  if (path.endsWith('/count_tokens')) return { input_tokens: 1000 };
  if (path.endsWith(':countTokens')) return { totalTokens: 1000 };
  if (path.endsWith('/api/version')) return { version: '0.0.0' };
  if (path.endsWith('/api/tags')) return { models: models.map((name) => ({ name, model: name })) };
  if (!path.endsWith('/models')) return undefined;
  const data = models.map((id) => ({ id, object: 'model', created: 0, owned_by: 'scripted' }));
  return { object: 'list', data };
}

const NO_ROUTE = { error: { message: 'no such route', type: 'not_found_error' } };

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  request.setEncoding('utf8');
  for await (const piece of request) text += piece;
  return text;
}

const SECRET = /auth|key|cookie|token/i;

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const open = Object.entries(headers).filter(([name]) => !SECRET.test(name));
  return Object.fromEntries(open.map(([name, value]) => [name, String(value)]));
}
