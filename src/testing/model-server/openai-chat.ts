import type { AskedTurn, Tool } from './asked.ts';
import { fieldsOf, listOf, stringOf, textOf } from './fields.ts';
import { newId, piecesOf, type Reply, secondsNow, sse, type Wire } from './wire.ts';

/** `POST …/chat/completions`: OpenAI's older protocol, which LM Studio, llama.cpp, vLLM and many others speak. */
export const openAiChat: Wire = {
  name: 'openai-chat',
  isMine: (path) => path.endsWith('/chat/completions'),
  read: (body) => ({
    model: stringOf(body['model']),
    stream: body['stream'] === true,
    tools: listOf(body['tools']).flatMap(toolOf),
    turns: listOf(body['messages']).map(turnOf),
  }),
  whole: (reply) => {
    const calls = callsOf(reply).map(({ index: _, ...call }) => call);
    const message = {
      role: 'assistant',
      content: reply.text || null,
      ...(calls.length > 0 && { tool_calls: calls }),
    };
    const choice = { index: 0, message, finish_reason: finishOf(reply) };
    return { ...headOf(reply, 'chat.completion'), choices: [choice], usage: usageOf(reply) };
  },
  frames: (reply) => {
    const head = headOf(reply, 'chat.completion.chunk');
    const chunk = (delta: unknown, finish: string | null = null) =>
      sse({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] });
    return [
      chunk({ role: 'assistant', content: '' }),
      ...piecesOf(reply.text).map((content) => chunk({ content })),
      ...callsOf(reply).map((call) => chunk({ tool_calls: [call] })),
      chunk({}, finishOf(reply)),
      sse({ ...head, choices: [], usage: usageOf(reply) }),
      sse('[DONE]'),
    ];
  },
  error: (status, message) => ({ error: { message, type: 'scripted_error', code: status } }),
};

function toolOf(value: unknown): readonly Tool[] {
  const { name, parameters } = fieldsOf(fieldsOf(value)['function']);
  return typeof name === 'string' ? [{ name, schema: fieldsOf(parameters), kind: 'function' }] : [];
}

function turnOf(value: unknown): AskedTurn {
  const { role, content } = fieldsOf(value);
  const text = textOf(content);
  if (role === 'assistant' || role === 'tool') return { role, text };
  return { role: role === 'system' || role === 'developer' ? 'system' : 'user', text };
}

function headOf(reply: Reply, object: string) {
  return { id: newId('chatcmpl-'), object, created: secondsNow(), model: reply.model };
}

function callsOf({ calls }: Reply) {
  return calls.map(({ tool, args }, index) => ({
    index,
    id: newId('call_'),
    type: 'function',
    function: { name: tool.name, arguments: JSON.stringify(args) },
  }));
}

function finishOf({ calls, stop }: Reply): string {
  if (calls.length > 0) return 'tool_calls';
  return { end: 'stop', length: 'length', refusal: 'content_filter' }[stop];
}

function usageOf({ usage }: Reply) {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
  };
}
