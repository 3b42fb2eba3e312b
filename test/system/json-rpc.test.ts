import { expect, test } from 'vitest';
import { jsonRpc, RpcError, type RpcOptions } from '../../src/system/json-rpc.ts';

/** Two peers that hear one another; `noise` is what the first could not read. */
function pair(first: Partial<RpcOptions> = {}, second: Partial<RpcOptions> = {}) {
  const nothing = { onRequest: () => null, onNotification: () => {} };
  const noise: string[] = [];
  const a = jsonRpc({
    ...nothing,
    onNoise: (line) => noise.push(line),
    ...first,
    send: (text) => b.receive(text),
  });
  const b = jsonRpc({ ...nothing, ...second, send: (text) => a.receive(text) });
  return { a, b, noise };
}

test('a request is answered, whatever the order of the answers', async () => {
  const later: (() => void)[] = [];
  const { a } = pair(
    {},
    {
      onRequest: (method, params) => new Promise((resolve) => later.push(() => resolve({ method, params }))),
    },
  );
  const answers = Promise.all([a.request('one', 1), a.request('two', { x: 2 })]);
  for (const answer of later.reverse()) answer();
  expect(await answers).toEqual([
    { method: 'one', params: 1 },
    { method: 'two', params: { x: 2 } },
  ]);
});

test('an error keeps its code, its message and its data', async () => {
  const { a, b } = pair();
  const asked = a.request('anything', {});
  a.receive('{"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"no","data":{"why":"so"}}}\n');
  await expect(asked).rejects.toMatchObject({ code: -32603, message: 'no', data: { why: 'so' } });
  const thrown = pair(
    {},
    {
      onRequest: () => {
        throw new RpcError(-32601, 'no such thing');
      },
    },
  );
  await expect(thrown.a.request('x', {})).rejects.toMatchObject({ code: -32601, message: 'no such thing' });
  b.receive('{"jsonrpc":"2.0","id":99,"error":"of an odd form"}\n');
});

test('notifications come in order, and ask for no answer', () => {
  const heard: unknown[] = [];
  const { a } = pair({}, { onNotification: (method, params) => heard.push([method, params]) });
  a.notify('first', 1);
  a.notify('second', 2);
  expect(heard).toEqual([
    ['first', 1],
    ['second', 2],
  ]);
});

test('lines that are no messages are noise, and break nothing', async () => {
  const { a, noise } = pair({}, { onRequest: () => 'fine' });
  a.receive('Loading...\n[1,2]\n{"id": \n');
  a.receive('{"jsonrpc":"2.0","id":"never asked","result":1}\n');
  expect(await a.request('x', {})).toBe('fine');
  expect(noise).toEqual(['Loading...', '[1,2]', '{"id": ']);
});

test('what still waits when it is closed rejects, and so does whatever is asked later', async () => {
  const { a } = pair({}, { onRequest: () => new Promise(() => {}) });
  const asked = a.request('x', {});
  a.close(new Error('gone'));
  await expect(asked).rejects.toThrow('gone');
  await expect(a.request('y', {})).rejects.toThrow('gone');
  a.close(new Error('gone twice'));
  await expect(a.request('z', {})).rejects.toThrow('gone');
});
