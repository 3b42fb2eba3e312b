import { describe, expect, test } from 'vitest';
import type { Fault, Script } from '../../../src/testing/model-server/script.ts';
import { type ModelServer, startModelServer } from '../../../src/testing/model-server/server.ts';
import { CLIENTS, type Client, type Got, objectsIn } from './clients.ts';

const cases = Object.entries(CLIENTS).flatMap(([wire, client]) =>
  [true, false].map((stream): [string, boolean, Client] => [
    `${wire}, ${stream ? 'streamed' : 'whole'}`,
    stream,
    client,
  ]),
);

interface AskOptions {
  readonly answers?: number;
  readonly signal?: AbortSignal;
}

function ask(server: ModelServer, client: Client, stream: boolean, options: AskOptions = {}) {
  return fetch(server.url + client.path(stream), {
    method: 'POST',
    body: JSON.stringify(client.body(stream, options.answers)),
    ...(options.signal && { signal: options.signal }),
  });
}

async function got(server: ModelServer, client: Client, stream: boolean, options?: AskOptions): Promise<Got> {
  const response = await ask(server, client, stream, options);
  expect(response.status).toBe(200);
  return client.read(objectsIn(await response.text(), response.headers.get('content-type') ?? ''));
}

const WRITE: Script = [
  { calls: [{ op: 'write', path: 'a.txt', content: 'hello\n' }], usage: { input: 7, output: 3 } },
  { text: 'I wrote a file, and that is all that there was to do.' },
];

const faulty = (fault: Fault): Script => [{ text: 'a text that is long enough to be cut', fault }];

describe.each(cases)('%s', (_, stream, client) => {
  test('a call of a tool goes to the tool that the agent offers, with the names of its schema', async () => {
    await using server = await startModelServer({ script: WRITE });
    const { calls, usage } = await got(server, client, stream);
    expect(calls).toEqual([{ name: client.tool, args: { file_path: 'a.txt', content: 'hello\n' } }]);
    expect(usage).toEqual({ input: 7, output: 3 });
  });

  test('the step is the number of answers in the request, and past the end the last text is repeated', async () => {
    await using server = await startModelServer({ script: WRITE });
    for (const answers of [1, 5, 1])
      expect(await got(server, client, stream, { answers })).toMatchObject({
        text: 'I wrote a file, and that is all that there was to do.',
        calls: [],
        usage: { input: 1000, output: 50 },
      });
    expect(server.log.map(({ step }) => step)).toEqual([1, 5, 1]);
  });

  test.each([401, 429, 500, 529])(
    'a status %i is answered as an error without a time to wait',
    async (status) => {
      await using server = await startModelServer({ script: faulty({ kind: 'status', status }) });
      const response = await ask(server, client, stream);
      expect(response.status).toBe(status);
      expect(response.headers.get('retry-after')).toBeNull();
      expect(JSON.stringify(await response.json())).toMatch(/error/);
    },
  );

  test('a 429 with Retry-After ends after the times that the script says', async () => {
    const fault: Fault = { kind: 'status', status: 429, retryAfter: 2, times: 2 };
    await using server = await startModelServer({ script: faulty(fault) });
    for (const expected of ['2', '2'])
      expect((await ask(server, client, stream)).headers.get('retry-after')).toBe(expected);
    expect((await got(server, client, stream)).text).toBe('a text that is long enough to be cut');
  });

  test('a hanging answer sends nothing until the client leaves', async () => {
    await using server = await startModelServer({ script: faulty({ kind: 'hang' }) });
    await expect(ask(server, client, stream, { signal: AbortSignal.timeout(300) })).rejects.toThrow(
      /timeout/,
    );
    expect(server.log).toMatchObject([{ fault: 'hang' }]);
  });

  test('a cut answer begins and breaks off', async () => {
    await using server = await startModelServer({ script: faulty({ kind: 'cut' }) });
    const response = await ask(server, client, stream);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  test('a malformed answer has status 200 and is no JSON', async () => {
    await using server = await startModelServer({ script: faulty({ kind: 'malformed' }) });
    const response = await ask(server, client, stream);
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(() => objectsIn(text, response.headers.get('content-type') ?? '')).toThrow();
  });
});

test('a dripping answer takes its time and comes whole', async () => {
  const client = CLIENTS['openai-chat'] as Client;
  await using server = await startModelServer({ script: [{ text: 'one two three four', dripMs: 30 }] });
  const began = performance.now();
  expect((await got(server, client, true)).text).toBe('one two three four');
  expect(performance.now() - began).toBeGreaterThan(100);
});

test('where a script calls tools, a request that offers none is a helper and takes no step', async () => {
  await using server = await startModelServer({ script: WRITE });
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'a title?' }] });
  const response = await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', body });
  expect(await response.text()).toContain('title');
  expect(server.log[0]).not.toHaveProperty('step');
});

test('a script may be a function of the request', async () => {
  const script: Script = ({ model, turns }) => ({ text: `${model}: ${turns.at(-1)?.text}` });
  await using server = await startModelServer({ script });
  expect((await got(server, CLIENTS['anthropic'] as Client, true)).text).toBe('m: write it');
});

test('a command goes to a shell, a file too where there is no tool for files', async () => {
  const calls = [
    { op: 'run', command: 'ls' },
    { op: 'write', path: 'a.txt', content: 'hello' },
  ] as const;
  await using server = await startModelServer({ script: [{ calls }] });
  const parameters = {
    properties: { cmd: { type: 'string' }, why: { type: 'string' } },
    required: ['cmd', 'why'],
  };
  const body = JSON.stringify({
    model: 'm',
    tools: [{ type: 'function', name: 'exec_command', parameters }],
    input: 'go',
  });
  const response = await fetch(`${server.url}/responses`, { method: 'POST', body });
  const { output } = (await response.json()) as { output: { name: string; arguments: string }[] };
  expect(output.map(({ arguments: args }) => JSON.parse(args).cmd)).toEqual([
    'ls',
    expect.stringContaining("cat > 'a.txt'"),
  ]);
});

test('a file that is there already is written by a shell, where one is offered', async () => {
  const calls = [{ op: 'write', path: 'a.txt', content: 'hello', isThere: true }] as const;
  await using server = await startModelServer({ script: [{ calls }] });
  const tools = ['create', 'bash'].map((name) => ({ type: 'function', function: { name, parameters: {} } }));
  const body = JSON.stringify({ model: 'm', tools, messages: [] });
  await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', body });
  expect(server.log).toMatchObject([{ calls: ['bash'] }]);
});

test('what no offered tool can do is left out of the answer and told in the log', async () => {
  await using server = await startModelServer({ script: [{ calls: [{ op: 'run', command: 'ls' }] }] });
  await got(server, CLIENTS['openai-chat'] as Client, false);
  expect(server.log).toMatchObject([{ calls: [], notOffered: 1 }]);
});

test('the log keeps no header that may hold a key', async () => {
  await using server = await startModelServer();
  await fetch(`${server.url}/v1/models`, {
    headers: { authorization: 'Bearer x', 'x-api-key': 'y', accept: 'a/b' },
  });
  expect(server.log[0]?.headers).toMatchObject({ accept: 'a/b' });
  expect(JSON.stringify(server.log)).not.toContain('Bearer');
});

test('a new script empties the log, and a closed server is gone', async () => {
  const server = await startModelServer({ models: ['one', 'two'] });
  const models = await (await fetch(`${server.url}/v1/models`)).json();
  expect(models).toMatchObject({ data: [{ id: 'one' }, { id: 'two' }] });
  server.play([{ text: 'other' }]);
  expect(server.log).toEqual([]);
  expect((await got(server, CLIENTS['openai-chat'] as Client, false)).text).toBe('other');
  await server.close();
  await server.close();
  await expect(fetch(`${server.url}/v1/models`)).rejects.toThrow();
});
