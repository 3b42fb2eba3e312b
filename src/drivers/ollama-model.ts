import { count } from '../core/outcome.ts';
import type { HttpResult } from '../system/http.ts';
import { postJson } from '../system/http.ts';
import type { Generated, Model, ModelFailure, ModelRequest } from './model.ts';
import { baseUrl, headOf, silenceLimit } from './model-http.ts';
import * as say from './ollama-messages.ts';

export interface OllamaOptions {
  readonly model: string;
  /** Base address, with or without `http://`. */
  readonly host: string;
  readonly temperature: number;
  /** One generation, from the first byte sent to the last received. */
  readonly modelTimeoutMs: number;
  /** Window in tokens, for prompt and reply together. */
  readonly numCtx: number;
}

/** A model behind `POST /api/generate`, streamed, so that a long generation is never silent. */
export function ollamaModel(options: OllamaOptions): Model {
  return { name: options.model, generate: (request) => generate(options, request) };
}

/** What has arrived of a reply. */
interface Received {
  text: string;
  /** Pieces, which are tokens. */
  tokens: number;
  /** The last object of the stream. */
  done?: Readonly<Record<string, unknown>>;
  error?: string;
}

async function generate(options: OllamaOptions, request: ModelRequest): Promise<Generated> {
  const received: Received = { text: '', tokens: 0 };
  using silence = silenceLimit(request.idleTimeoutMs);
  const result = await postJson(`${baseUrl(options.host)}/api/generate`, bodyOf(options, request), {
    timeoutMs: options.modelTimeoutMs,
    signal: AbortSignal.any([request.signal, silence.signal]),
    onObject: (object) => {
      silence.heard();
      take(object, received, request);
    },
  });
  if (result.got === 'aborted' && silence.signal.aborted && !request.signal.aborted) {
    return { failed: 'stalled', message: say.stalledMessage(options.model, request.idleTimeoutMs ?? 0) };
  }
  return result.got === 'reply' ? answerOf(received, options) : failureOf(result, received, options);
}

function bodyOf(options: OllamaOptions, request: ModelRequest): Record<string, unknown> {
  return {
    model: options.model,
    prompt: request.prompt,
    ...(request.system !== '' && { system: request.system }),
    stream: true,
    format: request.schema,
    options: { temperature: options.temperature, num_ctx: options.numCtx },
  };
}

function take(object: Readonly<Record<string, unknown>>, received: Received, request: ModelRequest): void {
  const { response, done, error } = object;
  if (typeof error === 'string') received.error = error;
  if (typeof response === 'string' && response !== '') {
    received.text += response;
    received.tokens++;
    request.onText(response);
    request.onProgress(`generating, ${count(received.tokens, 'token')}`);
  }
  if (done === true) received.done = object;
}

function answerOf(received: Received, options: OllamaOptions): Generated {
  const { done, error, text, tokens } = received;
  if (error !== undefined) return errorFailure(error, options);
  if (done === undefined) return cutStream(received, options);
  const usage = {
    ...numberIn(done, 'prompt_eval_count', 'inputTokens'),
    outputTokens: tokens,
    ...numberIn(done, 'eval_count', 'outputTokens'),
    costUsd: 0,
  };
  return { text, doneReason: done['done_reason'] === 'length' ? 'length' : 'stop', usage };
}

function numberIn<Key extends string>(object: Readonly<Record<string, unknown>>, from: string, to: Key) {
  const value = object[from];
  return typeof value === 'number' ? ({ [to]: value } as Record<Key, number>) : {};
}

function failureOf(
  result: Exclude<HttpResult, { got: 'reply' }>,
  received: Received,
  options: OllamaOptions,
): ModelFailure {
  switch (result.got) {
    case 'status':
      return statusFailure(result, options);
    case 'refused':
      return refusedFailure(result.message, received, options);
    case 'timed-out':
      return { failed: 'timed-out', message: say.timedOutMessage(options.model, options.modelTimeoutMs) };
    case 'aborted':
      return { failed: 'aborted', message: 'stopped while the model was generating' };
    case 'bad-reply':
      return { failed: 'bad-reply', message: say.badReplyMessage(options.host, headOf(result.text)) };
  }
}

function statusFailure(
  { status, text, retryAfterMs }: Extract<HttpResult, { got: 'status' }>,
  { host, model }: OllamaOptions,
): ModelFailure {
  const error = errorIn(text);
  if (status === 429 || status === 503 || status === 529) {
    const message = say.busyMessage(host, status);
    return { failed: 'rate-limited', message, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  }
  if (status === 404 && error !== undefined) {
    return { failed: 'model-missing', message: say.notPulledMessage(model) };
  }
  if (status === 404) {
    return { failed: 'bad-reply', message: say.badReplyMessage(host, `404 for /api/generate`) };
  }
  return { failed: 'server-error', message: say.serverErrorMessage(host, status, error ?? headOf(text)) };
}

/** No server at all, or one that went away in the middle. */
function refusedFailure(message: string, received: Received, options: OllamaOptions): ModelFailure {
  if (received.error !== undefined) return errorFailure(received.error, options);
  const brokeOff = received.tokens > 0 || /ECONNRESET|EPIPE|socket hang up|aborted|terminated/i.test(message);
  if (brokeOff) return cutStream(received, options);
  return { failed: 'unreachable', message: `${say.refusedMessage(options.host)} (${message})` };
}

/** The server said in the stream what went wrong. */
function errorFailure(error: string, { host }: OllamaOptions): ModelFailure {
  return { failed: 'server-error', message: say.serverErrorMessage(host, undefined, error) };
}

function cutStream({ tokens }: Received, { model }: OllamaOptions): ModelFailure {
  return { failed: 'bad-reply', message: say.cutStreamMessage(model, tokens) };
}

function errorIn(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && 'error' in value) return String(value.error);
  } catch {
    // A proxy answers with HTML; the caller shows its head.
  }
  return undefined;
}
