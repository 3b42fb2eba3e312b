import type { AskedTurn, Tool } from './asked.ts';
import { type Fields, fieldsOf, listOf, stringOf, textOf } from './fields.ts';
import { piecesOf, type Reply, type Wire } from './wire.ts';

/** `POST …/api/chat` of Ollama, streamed as one JSON object a line. */
export const ollamaChat: Wire = {
  name: 'ollama-chat',
  isMine: (path) => path.endsWith('/api/chat'),
  read: (body) => ({
    model: stringOf(body['model']),
    stream: body['stream'] !== false,
    tools: listOf(body['tools']).flatMap(toolOf),
    turns: listOf(body['messages']).map(turnOf),
  }),
  whole: (reply) => ended(reply, { message: messageOf(reply) }),
  frames: (reply) => [
    ...piecesOf(reply.text).map((content) => going(reply, { message: { role: 'assistant', content } })),
    line(ended(reply, { message: messageOf({ ...reply, text: '' }) })),
  ],
  error,
};

/** `POST …/api/generate` of Ollama: one prompt, one text, no tools. */
export const ollamaGenerate: Wire = {
  name: 'ollama-generate',
  isMine: (path) => path.endsWith('/api/generate'),
  read: (body) => ({
    model: stringOf(body['model']),
    stream: body['stream'] !== false,
    tools: [],
    turns: [
      { role: 'system', text: stringOf(body['system']) },
      { role: 'user', text: stringOf(body['prompt']) },
    ],
  }),
  whole: (reply) => ended(reply, { response: reply.text }),
  frames: (reply) => [
    ...piecesOf(reply.text).map((response) => going(reply, { response })),
    line(ended(reply, { response: '' })),
  ],
  error,
};

function toolOf(value: unknown): readonly Tool[] {
  const { name, parameters } = fieldsOf(fieldsOf(value)['function']);
  return typeof name === 'string' ? [{ name, schema: fieldsOf(parameters), kind: 'function' }] : [];
}

function turnOf(value: unknown): AskedTurn {
  const { role, content } = fieldsOf(value);
  const text = textOf(content);
  return role === 'assistant' || role === 'tool' || role === 'system'
    ? { role, text }
    : { role: 'user', text };
}

function messageOf({ text, calls }: Reply) {
  const tool_calls = calls.map(({ tool, args }) => ({ function: { name: tool.name, arguments: args } }));
  return { role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls }) };
}

const line = (value: unknown) => `${JSON.stringify(value)}\n`;

function headOf({ model }: Reply) {
  return { model, created_at: new Date().toISOString() };
}

function going(reply: Reply, piece: Fields): string {
  return line({ ...headOf(reply), ...piece, done: false });
}

function ended(reply: Reply, piece: Fields) {
  return {
    ...headOf(reply),
    ...piece,
    done: true,
    done_reason: reply.stop === 'length' ? 'length' : 'stop',
    prompt_eval_count: reply.usage.input,
    eval_count: reply.usage.output,
  };
}

function error(_: number, message: string) {
  return { error: message };
}
