import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { getJson, postJson } from '../../src/system/http.ts';

async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url, [Symbol.asyncDispose]: close };
}

test('a body is posted as JSON, with the headers given, and the reply is read', async () => {
  await using server = await serve(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const { method, headers } = request;
    const body = Buffer.concat(pieces).toString();
    response
      .writeHead(201)
      .end(JSON.stringify({ method, type: headers['content-type'], auth: headers['authorization'], body }));
  });
  const result = await postJson(server.url, { ä: 1 }, { headers: { authorization: 'Bearer x' } });
  const body = { method: 'POST', type: 'application/json', auth: 'Bearer x', body: '{"ä":1}' };
  expect(result).toEqual({ got: 'reply', status: 201, body });
});

test('a get has no body', async () => {
  await using server = await serve((request, response) => response.end(JSON.stringify([request.method])));
  expect(await getJson(server.url)).toEqual({ got: 'reply', status: 200, body: ['GET'] });
});

test.each([
  [429, { 'retry-after': '2' }, { retryAfterMs: 2000 }],
  [529, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, { retryAfterMs: 0 }],
  [503, { 'retry-after': 'soon' }, {}],
  [302, { location: 'http://127.0.0.1:1/' }, {}],
  [500, {}, {}],
])('status %i is told with its text, and how long to wait', async (status, headers, more) => {
  await using server = await serve((_, response) => response.writeHead(status, headers).end('why'));
  expect(await postJson(server.url, {})).toEqual({ got: 'status', status, text: 'why', ...more });
});

test.each([
  ['no JSON', '<html>', undefined, '<html>'],
  ['half of it', '{"a":', undefined, '{"a":'],
  ['too much', JSON.stringify('x'.repeat(100)), 50, 'the reply is too long'],
])('a good status with %s is a bad reply', async (_title, text, maxBytes, told) => {
  await using server = await serve((_, response) => response.end(text));
  const result = await getJson(server.url, maxBytes === undefined ? {} : { maxBytes });
  expect(result).toEqual({ got: 'bad-reply', status: 200, text: told });
});

test('no connection and no URL are refused with the reason', async () => {
  const { url } = await (async () => {
    await using server = await serve(() => {});
    return { url: server.url };
  })();
  expect(await postJson(url, {})).toMatchObject({
    got: 'refused',
    message: expect.stringContaining('ECONNREFUSED'),
  });
  expect(await postJson('no url', {})).toMatchObject({ got: 'refused' });
  expect(await postJson('ftp://127.0.0.1/', {})).toMatchObject({ got: 'refused' });
});

test('a connection that breaks in the middle of a reply is refused, not a short reply', async () => {
  await using server = await serve((_, response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('{"a":1}', () => response.destroy());
  });
  expect(await getJson(server.url)).toMatchObject({ got: 'refused' });
});

test('the deadline counts until the last byte of the reply', async () => {
  await using silent = await serve(() => {});
  expect(await postJson(silent.url, {}, { timeoutMs: 100 })).toEqual({ got: 'timed-out' });
  await using slow = await serve((_, response) => {
    response.write('{');
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
  });
  expect(await postJson(slow.url, {}, { timeoutMs: 150 })).toEqual({ got: 'timed-out' });
});

test('a signal aborts a request, also one that is aborted already', async () => {
  const controller = new AbortController();
  await using server = await serve(() => controller.abort());
  expect(await postJson(server.url, {}, { signal: controller.signal })).toEqual({ got: 'aborted' });
  expect(await postJson(server.url, {}, { signal: AbortSignal.abort() })).toEqual({ got: 'aborted' });
});

test('a reply of one object per line is told line by line', async () => {
  const seen: unknown[] = [];
  let second: () => void = () => {};
  await using server = await serve((_, response) => {
    response.write('{"n":1}\n{"n"');
    second = () => response.end(':2}\n{"n":3}');
  });
  const onObject = (value: unknown) => {
    seen.push(value);
    if (seen.length === 1) second();
  };
  expect(await postJson(server.url, {}, { onObject })).toEqual({
    got: 'reply',
    status: 200,
    body: undefined,
  });
  expect(seen).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
});

test('a line that is no object makes a reply of lines a bad one', async () => {
  await using server = await serve((_, response) => response.end('{"n":1}\noops\n'));
  expect(await postJson(server.url, {}, { onObject: () => {} })).toEqual({
    got: 'bad-reply',
    status: 200,
    text: 'oops',
  });
});
