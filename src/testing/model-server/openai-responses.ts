import type { AskedTurn, Tool } from './asked.ts';
import { type Fields, fieldsOf, listOf, stringOf, textOf } from './fields.ts';
import { newId, piecesOf, type Reply, secondsNow, sse, type ToolCall, type Wire } from './wire.ts';

/** `POST …/responses`: OpenAI's newer protocol. */
export const openAiResponses: Wire = {
  name: 'openai-responses',
  isMine: (path) => path.endsWith('/responses'),
  read: ({ model, stream, tools, input }) => ({
    model: stringOf(model),
    stream: stream === true,
    tools: listOf(tools).flatMap((tool) => toolsOf(fieldsOf(tool))),
    turns: typeof input === 'string' ? [{ role: 'user', text: input }] : listOf(input).map(turnOf),
  }),
  whole: (reply) => responseOf(reply, newId('resp_'), 'completed', itemsOf(reply)),
  frames,
  error: (status, message) => ({ error: { message, type: 'scripted_error', code: String(status) } }),
};

function toolsOf(tool: Fields): readonly Tool[] {
  const kind = stringOf(tool['type']);
  const name = stringOf(tool['name']) || kind;
  if (kind !== 'namespace') return [{ name, schema: fieldsOf(tool['parameters']), kind }];
  return listOf(tool['tools']).map((inner) => {
    const { type, name: innerName, parameters } = fieldsOf(inner);
    const innerKind = type === 'custom' ? 'custom' : 'function';
    return { name: stringOf(innerName), namespace: name, schema: fieldsOf(parameters), kind: innerKind };
  });
}

function turnOf(value: unknown): AskedTurn {
  const item = fieldsOf(value);
  const type = stringOf(item['type']);
  if (type.endsWith('_output')) return { role: 'tool', text: textOf(item['output']) };
  if (type.endsWith('_call')) return { role: 'assistant', text: textOf(item['arguments'] ?? item['input']) };
  if (type === 'reasoning') return { role: 'assistant', text: '' };
  const text = textOf(item['content']);
  if (item['role'] === 'assistant') return { role: 'assistant', text };
  return { role: item['role'] === 'system' || item['role'] === 'developer' ? 'system' : 'user', text };
}

type Item = Fields & { readonly id: string; readonly type: string };

function itemsOf({ text, calls }: Reply): readonly Item[] {
  const content = [{ type: 'output_text', text, annotations: [] }];
  const message = { type: 'message', id: newId('msg_'), status: 'completed', role: 'assistant', content };
  return [...(text === '' ? [] : [message]), ...calls.map(callOf)];
}

function callOf({ tool, args, input }: ToolCall): Item {
  const common = { status: 'completed', call_id: newId('call_') };
  const name = { name: tool.name, ...(tool.namespace !== undefined && { namespace: tool.namespace }) };
  if (tool.kind === 'local_shell') {
    const action = { type: 'exec', command: [args['command']].flat(), env: {} };
    return { type: 'local_shell_call', id: newId('lsc_'), ...common, action };
  }
  if (tool.kind === 'custom') {
    const text = input ?? JSON.stringify(args);
    return { type: 'custom_tool_call', id: newId('ctc_'), ...common, ...name, input: text };
  }
  return { type: 'function_call', id: newId('fc_'), ...common, ...name, arguments: JSON.stringify(args) };
}

function responseOf(reply: Reply, id: string, status: string, output: readonly Item[]) {
  const isCut = status === 'completed' && reply.stop === 'length';
  return {
    id,
    object: 'response',
    created_at: secondsNow(),
    status: isCut ? 'incomplete' : status,
    model: reply.model,
    output,
    usage: status === 'completed' ? usageOf(reply) : null,
    error: null,
    incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    temperature: 1,
    top_p: 1,
    tool_choice: 'auto',
    tools: [],
  };
}

function usageOf({ usage }: Reply) {
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cached },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: usage.input + usage.output,
  };
}

function frames(reply: Reply): readonly string[] {
  const id = newId('resp_');
  const items = itemsOf(reply);
  const begun = { response: responseOf(reply, id, 'in_progress', []) };
  const ended = { response: responseOf(reply, id, 'completed', items) };
  const events: readonly Event[] = [
    ['response.created', begun],
    ['response.in_progress', begun],
    ...items.flatMap((item, index) => eventsOf(item, index, reply.text)),
    [reply.stop === 'length' ? 'response.incomplete' : 'response.completed', ended],
  ];
  return events.map(([type, data], n) => sse({ type, sequence_number: n, ...data }, type));
}

type Event = readonly [string, Fields];

function eventsOf(item: Item, index: number, text: string): readonly Event[] {
  const place = { output_index: index, item_id: item.id };
  const added = (empty: Fields): Event => [
    'response.output_item.added',
    { output_index: index, item: { ...item, status: 'in_progress', ...empty } },
  ];
  const done: Event = ['response.output_item.done', { output_index: index, item }];
  if (item.type === 'message') {
    const at = { ...place, content_index: 0 };
    const part = (inner: string) => ({ type: 'output_text', text: inner, annotations: [] });
    return [
      added({ content: [] }),
      ['response.content_part.added', { ...at, part: part('') }],
      ...piecesOf(text).map((delta): Event => ['response.output_text.delta', { ...at, delta }]),
      ['response.output_text.done', { ...at, text }],
      ['response.content_part.done', { ...at, part: part(text) }],
      done,
    ];
  }
  if (item.type !== 'function_call') return [added({}), done];
  const args = item['arguments'];
  return [
    added({ arguments: '' }),
    ['response.function_call_arguments.delta', { ...place, delta: args }],
    ['response.function_call_arguments.done', { ...place, arguments: args }],
    done,
  ];
}
