/** What one protocol's client sends and reads, as small as it can be. */
export interface Client {
  readonly path: (stream: boolean) => string;
  readonly body: (stream: boolean, answers?: number) => unknown;
  /** Text, names of called tools with their arguments, and tokens, out of the objects of an answer. */
  readonly read: (objects: readonly Json[]) => Got;
  readonly tool: string;
}

// biome-ignore lint/suspicious/noExplicitAny: what a server sent
type Json = any;

export interface Got {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly args: unknown }[];
  readonly usage: { readonly input: number; readonly output: number };
}

const properties = { file_path: { type: 'string' }, content: { type: 'string' } };
const schema = { type: 'object', properties, required: ['file_path', 'content'] };
const tool = { type: 'function', function: { name: 'write_file', parameters: schema } };
const PROMPT = 'write it';

const repeated = <T>(times: number, values: readonly T[]): readonly T[] =>
  Array.from({ length: times }, () => values).flat();

const join = (texts: readonly (string | undefined | null)[]) => texts.map((text) => text ?? '').join('');

export const CLIENTS: Readonly<Record<string, Client>> = {
  'openai-chat': {
    path: () => '/v1/chat/completions',
    tool: 'write_file',
    body: (stream, answers = 0) => ({
      model: 'm',
      stream,
      tools: [tool],
      messages: [
        { role: 'user', content: PROMPT },
        ...repeated(answers, [
          { role: 'assistant', content: 'said' },
          { role: 'user', content: 'on' },
        ]),
      ],
    }),
    read: (objects) => {
      const choices = objects.flatMap(({ choices }) => choices ?? []);
      const messages = choices.map((choice) => choice.message ?? choice.delta ?? {});
      const calls = messages.flatMap(({ tool_calls }) => tool_calls ?? []);
      const usage = objects.findLast((object) => object.usage)?.usage ?? {};
      return {
        text: join(messages.map(({ content }) => content)),
        calls: calls.map(({ function: f }) => ({ name: f.name, args: JSON.parse(f.arguments) })),
        usage: { input: usage.prompt_tokens, output: usage.completion_tokens },
      };
    },
  },
  'openai-responses': {
    path: () => '/v1/responses',
    tool: 'write_file',
    body: (stream, answers = 0) => ({
      model: 'm',
      stream,
      tools: [{ type: 'function', name: 'write_file', parameters: schema }],
      input: [
        { role: 'user', content: [{ type: 'input_text', text: PROMPT }] },
        ...repeated(answers, [
          { type: 'function_call', name: 'write_file', arguments: '{}', call_id: 'c' },
          { type: 'function_call_output', call_id: 'c', output: 'done' },
        ]),
      ],
    }),
    read: (objects) => {
      const response = objects.at(-1)?.response ?? objects.at(-1);
      const items: readonly Json[] = response.output;
      const texts = items.flatMap(({ content }) => content ?? []);
      return {
        text: join(texts.map(({ text }) => text)),
        calls: items
          .filter(({ type }) => type === 'function_call')
          .map(({ name, arguments: args }) => ({ name, args: JSON.parse(args) })),
        usage: { input: response.usage.input_tokens, output: response.usage.output_tokens },
      };
    },
  },
  anthropic: {
    path: () => '/v1/messages',
    tool: 'write_file',
    body: (stream, answers = 0) => ({
      model: 'm',
      stream,
      max_tokens: 100,
      tools: [{ name: 'write_file', input_schema: schema }],
      messages: [
        { role: 'user', content: PROMPT },
        ...repeated(answers, [
          { role: 'assistant', content: [{ type: 'text', text: 'said' }] },
          { role: 'user', content: [{ type: 'tool_result', content: 'done' }] },
        ]),
      ],
    }),
    read: (objects) => {
      const whole = objects.find(({ content }) => content);
      const blocks = whole?.content ?? objects.flatMap(({ content_block }) => content_block ?? []);
      const deltas = objects.flatMap(({ delta }) => delta ?? []);
      const partial = join(deltas.map(({ partial_json }) => partial_json));
      const used: readonly Json[] = objects.flatMap(({ usage, message }) => usage ?? message?.usage ?? []);
      return {
        text: whole ? join(blocks.map(({ text }: Json) => text)) : join(deltas.map(({ text }) => text)),
        calls: blocks
          .filter(({ type }: Json) => type === 'tool_use')
          .map(({ name, input }: Json) => ({ name, args: partial === '' ? input : JSON.parse(partial) })),
        usage: {
          input: used.find(({ input_tokens }) => input_tokens)?.input_tokens,
          output: used.at(-1)?.output_tokens,
        },
      };
    },
  },
  gemini: {
    path: (stream) => `/v1beta/models/m:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    tool: 'write_file',
    body: (_, answers = 0) => ({
      tools: [{ functionDeclarations: [{ name: 'write_file', parametersJsonSchema: schema }] }],
      contents: [
        { role: 'user', parts: [{ text: PROMPT }] },
        ...repeated(answers, [
          { role: 'model', parts: [{ text: 'said' }] },
          { role: 'user', parts: [{ functionResponse: { response: { output: 'done' } } }] },
        ]),
      ],
    }),
    read: (objects) => {
      const parts = objects.flatMap(({ candidates }) => candidates[0].content.parts);
      const usage = objects.at(-1).usageMetadata;
      return {
        text: join(parts.map(({ text }) => text)),
        calls: parts.flatMap(({ functionCall: call }) =>
          call ? [{ name: call.name, args: call.args }] : [],
        ),
        usage: { input: usage.promptTokenCount, output: usage.candidatesTokenCount },
      };
    },
  },
  'ollama-chat': {
    path: () => '/api/chat',
    tool: 'write_file',
    body: (stream, answers = 0) => ({
      model: 'm',
      stream,
      tools: [tool],
      messages: [
        { role: 'user', content: PROMPT },
        ...repeated(answers, [
          { role: 'assistant', content: 'said' },
          { role: 'user', content: 'on' },
        ]),
      ],
    }),
    read: (objects) => {
      const messages = objects.map(({ message }) => message);
      const calls = messages.flatMap(({ tool_calls }) => tool_calls ?? []);
      const last = objects.at(-1);
      return {
        text: join(messages.map(({ content }) => content)),
        calls: calls.map(({ function: f }) => ({ name: f.name, args: f.arguments })),
        usage: { input: last.prompt_eval_count, output: last.eval_count },
      };
    },
  },
};

/** The objects of an answer: one body, server-sent events, or JSON lines. Throws where one is no JSON. */
export function objectsIn(text: string, contentType: string): readonly Json[] {
  if (contentType.startsWith('text/event-stream')) {
    const data = text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []));
    return data.filter((line) => line !== '[DONE]').map((line) => JSON.parse(line));
  }
  if (contentType.startsWith('application/x-ndjson'))
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  return [JSON.parse(text)];
}
