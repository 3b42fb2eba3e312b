import type { AskedTurn } from './asked.ts';
import { type Fields, fieldsOf, listOf, stringOf, textOf } from './fields.ts';
import { newId, piecesOf, type Reply, sse, type Wire } from './wire.ts';

/** `POST …/messages`: Anthropic's protocol. */
export const anthropic: Wire = {
  name: 'anthropic',
  isMine: (path) => path.endsWith('/messages'),
  read: (body) => ({
    model: stringOf(body['model']),
    stream: body['stream'] === true,
    tools: listOf(body['tools']).map((value) => {
      const { name, input_schema } = fieldsOf(value);
      return { name: stringOf(name), schema: fieldsOf(input_schema), kind: 'function' };
    }),
    turns: listOf(body['messages']).map(turnOf),
  }),
  whole: (reply) => ({
    ...messageOf(reply),
    content: blocksOf(reply),
    ...endOf(reply),
    usage: usageOf(reply),
  }),
  frames,
  error: (status, message) => ({ type: 'error', error: { type: errorType(status), message } }),
};

function turnOf(value: unknown): AskedTurn {
  const { role, content } = fieldsOf(value);
  const isResult = listOf(content).some((part) => fieldsOf(part)['type'] === 'tool_result');
  const text = textOf(content);
  if (role === 'assistant') return { role, text };
  return { role: isResult ? 'tool' : 'user', text };
}

function messageOf(reply: Reply) {
  return { id: newId('msg_'), type: 'message', role: 'assistant', model: reply.model };
}

function blocksOf({ text, calls }: Reply): readonly Fields[] {
  return [
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...calls.map(({ tool, args }) => ({
      type: 'tool_use',
      id: newId('toolu_'),
      name: tool.name,
      input: args,
    })),
  ];
}

function endOf({ calls, stop }: Reply) {
  const said = { end: 'end_turn', length: 'max_tokens', refusal: 'refusal' }[stop];
  return { stop_reason: calls.length > 0 ? 'tool_use' : said, stop_sequence: null };
}

function usageOf({ usage }: Reply) {
  return {
    input_tokens: usage.input - usage.cached,
    output_tokens: usage.output,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage.cached,
  };
}

function frames(reply: Reply): readonly string[] {
  const event = (type: string, data: Fields = {}) => sse({ type, ...data }, type);
  const begun = {
    ...messageOf(reply),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usageOf(reply), output_tokens: 1 },
  };
  return [
    event('message_start', { message: begun }),
    ...blocksOf(reply).flatMap((block, index) => [
      event('content_block_start', { index, content_block: emptied(block) }),
      ...deltasOf(block).map((delta) => event('content_block_delta', { index, delta })),
      event('content_block_stop', { index }),
    ]),
    event('message_delta', { delta: endOf(reply), usage: { output_tokens: reply.usage.output } }),
    event('message_stop'),
  ];
}

function emptied(block: Fields): Fields {
  return block['type'] === 'text' ? { type: 'text', text: '' } : { ...block, input: {} };
}

function deltasOf(block: Fields): readonly Fields[] {
  if (block['type'] === 'text')
    return piecesOf(stringOf(block['text'])).map((text) => ({ type: 'text_delta', text }));
  return [{ type: 'input_json_delta', partial_json: JSON.stringify(block['input']) }];
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

const errorType = (status: number) => ERROR_TYPES[status] ?? 'api_error';
