import type { AskedTurn, Tool } from './asked.ts';
import { type Fields, fieldsOf, listOf, stringOf } from './fields.ts';
import { newId, piecesOf, type Reply, sse, type Wire } from './wire.ts';

const ROUTE = /\/models\/([^/:]+):(generateContent|streamGenerateContent)$/;

/** `POST …/models/M:generateContent` and `:streamGenerateContent`: Google's protocol, streamed as server-sent events. */
export const gemini: Wire = {
  name: 'gemini',
  isMine: (path) => ROUTE.test(path),
  read: (body, path) => {
    const [, model = '', method] = ROUTE.exec(path) ?? [];
    return {
      model,
      stream: method === 'streamGenerateContent',
      tools: listOf(body['tools']).flatMap((group) =>
        listOf(fieldsOf(group)['functionDeclarations']).map(toolOf),
      ),
      turns: listOf(body['contents']).map(turnOf),
    };
  },
  whole: (reply) => chunkOf(reply, partsOf(reply), finishOf(reply)),
  frames: (reply) => {
    const responseId = newId('');
    const calls = partsOf({ ...reply, text: '' });
    return [
      ...piecesOf(reply.text).map((text) => sse({ ...chunkOf(reply, [{ text }]), responseId })),
      sse({ ...chunkOf(reply, calls.length > 0 ? calls : [{ text: '' }], finishOf(reply)), responseId }),
    ];
  },
  error: (status, message) => ({ error: { code: status, message, status: STATUSES[status] ?? 'INTERNAL' } }),
};

function toolOf(value: unknown): Tool {
  const { name, parametersJsonSchema, parameters } = fieldsOf(value);
  return { name: stringOf(name), schema: fieldsOf(parametersJsonSchema ?? parameters), kind: 'function' };
}

function turnOf(value: unknown): AskedTurn {
  const { role, parts } = fieldsOf(value);
  const inner = listOf(parts).map(fieldsOf);
  const text = inner.map((part) => stringOf(part['text']) || resultOf(part)).join('');
  if (role === 'model') return { role: 'assistant', text };
  return { role: inner.some((part) => part['functionResponse']) ? 'tool' : 'user', text };
}

function resultOf({ functionResponse }: Fields): string {
  return functionResponse === undefined ? '' : JSON.stringify(fieldsOf(functionResponse)['response'] ?? '');
}

function partsOf({ text, calls }: Reply): readonly Fields[] {
  return [
    ...(text === '' ? [] : [{ text }]),
    ...calls.map(({ tool, args }) => ({ functionCall: { name: tool.name, args } })),
  ];
}

function chunkOf({ model, usage }: Reply, parts: readonly Fields[], finishReason?: string) {
  return {
    candidates: [
      { index: 0, content: { role: 'model', parts }, ...(finishReason !== undefined && { finishReason }) },
    ],
    usageMetadata: {
      promptTokenCount: usage.input,
      candidatesTokenCount: usage.output,
      cachedContentTokenCount: usage.cached,
      totalTokenCount: usage.input + usage.output,
    },
    modelVersion: model,
    responseId: newId(''),
  };
}

const finishOf = ({ stop }: Reply) => ({ end: 'STOP', length: 'MAX_TOKENS', refusal: 'SAFETY' })[stop];

const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};
