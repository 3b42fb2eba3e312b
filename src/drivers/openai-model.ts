import type { Environment } from '../core/plugin.ts';
import { type HttpResult, postJson } from '../system/http.ts';
import { at, known, numberAt, textAt } from './fields.ts';
import type { Generated, Model, ModelFailure, ModelRequest } from './model.ts';
import { headOf, silenceLimit } from './model-http.ts';
import * as say from './openai-messages.ts';

export interface OpenAiOptions {
  readonly model: string;
  /** Without a slash at its end. */
  readonly url: string;
  readonly apiKeyEnv?: string | undefined;
  readonly temperature: number;
  readonly maxTokens?: number | undefined;
  /** One generation, from the first byte sent to the last received. */
  readonly modelTimeoutMs: number;
}

/** How the server is asked for JSON, best first; what it refuses is left out. */
const FORMATS = ['json_schema', 'json_object', 'text'] as const;

interface Manner {
  readonly format: (typeof FORMATS)[number];
  /** Asks for usage at the end of the stream, which some older servers refuse. */
  readonly asksUsage: boolean;
}

/** What has arrived of a reply. */
interface Received {
  text: string;
  finish?: string | undefined;
  usage?: unknown;
  error?: string | undefined;
}

/** A model behind `POST …/chat/completions`, streamed, so that a long generation is never silent. */
export function openAiModel(options: OpenAiOptions, env: Environment): Model {
  let manner: Manner = { format: 'json_schema', asksUsage: true };
  const generate = async (request: ModelRequest): Promise<Generated> => {
    for (;;) {
      const { result, received, stalled } = await ask(options, env, request, manner);
      const plainer = plainerThan(manner, result);
      if (!plainer) return stalled ?? generatedOf(result, received, options);
      manner = plainer;
    }
  };
  return { name: options.model, generate };
}

export function headersOf(apiKeyEnv: string | undefined, env: Environment): Readonly<Record<string, string>> {
  const key = apiKeyEnv === undefined ? undefined : env[apiKeyEnv];
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}

async function ask(options: OpenAiOptions, env: Environment, request: ModelRequest, manner: Manner) {
  const received: Received = { text: '' };
  using silence = silenceLimit(request.idleTimeoutMs);
  const result = await postJson(`${options.url}/chat/completions`, bodyOf(options, request, manner), {
    headers: headersOf(options.apiKeyEnv, env),
    timeoutMs: options.modelTimeoutMs,
    signal: AbortSignal.any([request.signal, silence.signal]),
    onObject: (object) => {
      silence.heard();
      take(object, received, request);
    },
  });
  const isStalled = result.got === 'aborted' && silence.signal.aborted && !request.signal.aborted;
  const stalled: ModelFailure | undefined = isStalled
    ? { failed: 'stalled', message: say.stalledMessage(options.model, request.idleTimeoutMs ?? 0) }
    : undefined;
  return { result, received, stalled };
}

function bodyOf(
  options: OpenAiOptions,
  request: ModelRequest,
  { format, asksUsage }: Manner,
): Record<string, unknown> {
  const json_schema = { name: 'reply', strict: true, schema: request.schema };
  const formats = {
    json_schema: { response_format: { type: format, json_schema } },
    json_object: { response_format: { type: format } },
    text: {},
  };
  return {
    model: options.model,
    messages: [
      ...(request.system === '' ? [] : [{ role: 'system', content: request.system }]),
      { role: 'user', content: request.prompt },
    ],
    stream: true,
    ...(asksUsage && { stream_options: { include_usage: true } }),
    temperature: options.temperature,
    ...(options.maxTokens !== undefined && { max_tokens: options.maxTokens }),
    ...formats[format],
  };
}

const ABOUT_FORMAT = /response_format|json_?schema|json_?object|structured|grammar|guided/i;

/** How to ask next, where the server refused the way it was asked. */
function plainerThan({ format, asksUsage }: Manner, result: HttpResult): Manner | undefined {
  if (result.got !== 'status' || ![400, 404, 415, 422, 500, 501].includes(result.status)) return undefined;
  if (asksUsage && /stream_options|include_usage/i.test(result.text)) return { format, asksUsage: false };
  if (!ABOUT_FORMAT.test(result.text)) return undefined;
  const next = FORMATS[FORMATS.indexOf(format) + 1];
  return next && { format: next, asksUsage };
}

function take(object: unknown, received: Received, request: ModelRequest): void {
  const choices = at(object, 'choices');
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  // A server that does not stream sends the message whole.
  const piece = textAt(choice, 'delta', 'content') ?? textAt(choice, 'message', 'content');
  if (piece !== undefined) {
    received.text += piece;
    request.onText(piece);
    request.onProgress(`generating, ${received.text.length} characters`);
  } else if (textAt(choice, 'delta', 'reasoning_content') ?? textAt(choice, 'delta', 'reasoning')) {
    request.onProgress('thinking');
  }
  received.finish = textAt(choice, 'finish_reason') ?? received.finish;
  received.usage = at(object, 'usage') ?? received.usage;
  received.error = errorIn(object) ?? received.error;
}

/** The message of `{error: {message}}` or `{error: "…"}`. */
function errorIn(object: unknown): string | undefined {
  return textAt(object, 'error', 'message') ?? textAt(object, 'error') ?? textAt(object, 'message');
}

function generatedOf(result: HttpResult, received: Received, options: OpenAiOptions): Generated {
  const { url, model, modelTimeoutMs } = options;
  switch (result.got) {
    case 'reply':
      return answerOf(received, options);
    case 'status':
      return statusFailure(result, options);
    case 'refused':
      if (received.error !== undefined || received.text !== '' || isBreak(result.message))
        return cutOrFailed(received, options);
      return { failed: 'unreachable', message: `${say.refusedMessage(url)} (${result.message})` };
    case 'timed-out':
      return { failed: 'timed-out', message: say.timedOutMessage(model, modelTimeoutMs) };
    case 'aborted':
      return { failed: 'aborted', message: 'stopped while the model was generating' };
    case 'bad-reply':
      return { failed: 'bad-reply', message: say.badReplyMessage(url, headOf(result.text)) };
  }
}

const isBreak = (message: string) => /ECONNRESET|EPIPE|socket hang up|aborted|terminated/i.test(message);

function answerOf(received: Received, options: OpenAiOptions): Generated {
  const { text, finish, usage: counted, error } = received;
  if (finish === undefined || error !== undefined) return cutOrFailed(received, options);
  const numbers = known({
    inputTokens: numberAt(counted, 'prompt_tokens'),
    outputTokens: numberAt(counted, 'completion_tokens'),
  });
  const usage = Object.keys(numbers).length > 0 ? { usage: numbers } : {};
  if (finish === 'content_filter')
    return { failed: 'refused', message: say.filteredMessage(options.model), ...usage };
  return { text, doneReason: finish === 'length' ? 'length' : 'stop', ...usage };
}

function cutOrFailed({ error, text }: Received, { url, model }: OpenAiOptions): ModelFailure {
  if (error !== undefined)
    return { failed: 'server-error', message: say.serverErrorMessage(url, undefined, error) };
  return { failed: 'bad-reply', message: say.cutStreamMessage(model, text.length) };
}

function statusFailure(
  { status, text, retryAfterMs }: Extract<HttpResult, { got: 'status' }>,
  { url, model, apiKeyEnv }: OpenAiOptions,
): ModelFailure {
  const detail = detailOf(text);
  if (status === 429 || status === 503 || status === 529) {
    const message = say.busyMessage(url, status);
    return { failed: 'rate-limited', message, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  }
  if (status === 401 || status === 403)
    return { failed: 'server-error', message: say.keyMessage(url, status, apiKeyEnv) };
  if (status === 404 && /model/i.test(detail))
    return { failed: 'model-missing', message: say.notListedMessage(url, model) };
  if (status === 404)
    return { failed: 'bad-reply', message: say.badReplyMessage(url, '404 for /chat/completions') };
  return { failed: 'server-error', message: say.serverErrorMessage(url, status, detail) };
}

function detailOf(text: string): string {
  try {
    return errorIn(JSON.parse(text)) ?? headOf(text);
  } catch {
    // A proxy answers with HTML.
    return headOf(text);
  }
}
