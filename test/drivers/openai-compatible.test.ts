import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openAiCompatibleDriver } from '../../src/drivers/openai-compatible.ts';
import type { Fault, Script } from '../../src/testing/model-server/script.ts';
import { startModelServer } from '../../src/testing/model-server/server.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from './processes.ts';
import { optionsOf, type TurnParts, turnIn } from './turn.ts';

const TARGET = 'solution.py';
const reply = JSON.stringify({ reasoning: 'x is missing', code: 'x = 1\n' });

async function runAt(url: string, options: Record<string, unknown> = {}, more: TurnParts = {}) {
  await using dir = await tempDir();
  const given = { baseUrl: `${url}/v1`, model: 'm', target: TARGET, maxWaitMs: 0, ...options };
  const turn = await turnIn(dir.path, await optionsOf(openAiCompatibleDriver, given), more);
  const result = await openAiCompatibleDriver.run(turn);
  const written = await readFile(join(turn.workdir, TARGET), 'utf8').catch(() => undefined);
  return { result, written, told: turn.told };
}

/** One turn against the scripted model. */
async function play(script: Script, options: Record<string, unknown> = {}, more: TurnParts = {}) {
  await using server = await startModelServer({ script });
  return { ...(await runAt(server.url, options, more)), log: server.log };
}

const faulty = (fault: Fault): Script => [{ text: reply, fault }];

/** A server that answers each request by this. */
async function serving(answer: (response: ServerResponse, body: Record<string, unknown>) => void) {
  const asked: Record<string, unknown>[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    const body = text === '' ? {} : JSON.parse(text);
    asked.push({ ...body, authorization: request.headers.authorization });
    answer(response, body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const whole = { choices: [{ message: { content: reply }, finish_reason: 'stop' }] };

describe('a turn', () => {
  test('writes the code of the reply, and tells its usage as the server counts it', async () => {
    const { result, written, told } = await play([{ text: reply, usage: { input: 120, output: 40 } }]);
    expect(written).toBe('x = 1\n');
    expect(result).toMatchObject({
      stopReason: 'completed',
      summary: 'x is missing — wrote solution.py',
      usage: { inputTokens: 120, outputTokens: 40 },
    });
    expect(result.usage).not.toHaveProperty('costUsd');
    expect(told.output).toBe(reply);
  });

  test('asks with its options, a JSON schema, and the key that the variable holds', async () => {
    await using server = await serving((response) => response.end(JSON.stringify(whole)));
    const env = { PATH: '', KEY: 'secret' };
    const { written } = await runAt(
      server.url,
      { apiKeyEnv: 'KEY', temperature: 0, maxTokens: 9 },
      { env, system: 'be brief' },
    );
    expect(written).toBe('x = 1\n');
    expect(server.asked).toMatchObject([
      {
        model: 'm',
        stream: true,
        temperature: 0,
        max_tokens: 9,
        authorization: 'Bearer secret',
        messages: [{ role: 'system', content: 'be brief' }, { role: 'user' }],
        response_format: {
          type: 'json_schema',
          json_schema: { schema: { required: ['reasoning', 'code'] } },
        },
      },
    ]);
  });

  test('asks more plainly where the server refuses the way it is asked', async () => {
    await using server = await serving((response, body) => {
      const format = (body['response_format'] as { type?: string } | undefined)?.type;
      const refused = body['stream_options'] ? 'stream_options' : format && `response_format ${format}`;
      if (refused)
        response.writeHead(400).end(JSON.stringify({ error: { message: `unknown field ${refused}` } }));
      else response.end(JSON.stringify(whole));
    });
    const { result, written } = await runAt(server.url);
    expect(written).toBe('x = 1\n');
    expect(result.usage).toBeUndefined();
    expect(server.asked).toHaveLength(4);
  });

  test('a usage that the server does not tell is unknown', async () => {
    await using server = await serving((response) => response.end(JSON.stringify(whole)));
    expect((await runAt(server.url)).result).not.toHaveProperty('usage');
  });
});

describe('what goes wrong is told, and nothing is written', () => {
  test.each<[string, Script, Record<string, unknown>, string, RegExp]>([
    ['a cut reply', [{ text: '{"reasoning": "x', stop: 'length' }], {}, 'truncated', /token limit cut/],
    ['a filter', [{ text: '', stop: 'refusal' }], {}, 'refused', /content filter/],
    [
      'a wrong key',
      faulty({ kind: 'status', status: 401 }),
      {},
      'error',
      /refused the key \(401\).*apiKeyEnv/,
    ],
    [
      'a usage limit',
      faulty({ kind: 'status', status: 429, retryAfter: 60 }),
      {},
      'rate-limited',
      /busy \(429\).*60 s.*maxWaitMs/,
    ],
    ['a busy server', faulty({ kind: 'status', status: 503 }), {}, 'rate-limited', /busy \(503\)/],
    ['a failing server', faulty({ kind: 'status', status: 500 }), {}, 'error', /failed \(500\): internal/],
    ['a cut stream', faulty({ kind: 'cut' }), {}, 'error', /connection ended before the reply of m/],
    ['no JSON', faulty({ kind: 'malformed' }), {}, 'error', /no reply of chat completions/],
    [
      'a time limit',
      faulty({ kind: 'hang' }),
      { modelTimeoutMs: 200 },
      'stalled',
      /within 0.2 s.*modelTimeoutMs/,
    ],
    ['prose', [{ text: 'I would write it so:' }], {}, 'completed', /not one JSON object/],
  ])('%s', async (_, script, options, stopReason, summary) => {
    const { result, written } = await play(script, options);
    expect(written).toBeUndefined();
    expect(result.stopReason).toBe(stopReason);
    expect(result.summary).toMatch(summary);
  });

  test('silence', async () => {
    const { result } = await play(faulty({ kind: 'hang' }), {}, { idleTimeoutMs: 200 });
    expect(result).toMatchObject({ stopReason: 'stalled', summary: expect.stringContaining('sent nothing') });
  });

  test('an abort while it generates', async () => {
    await using server = await startModelServer({ script: faulty({ kind: 'hang' }) });
    const stop = new AbortController();
    const running = runAt(server.url, {}, { signal: stop.signal });
    await until(() => server.log.length > 0 || undefined);
    stop.abort();
    expect((await running).result.stopReason).toBe('aborted');
  });

  test('an unknown model', async () => {
    const message = { error: { message: 'the model "m" does not exist' } };
    await using server = await serving((response) => response.writeHead(404).end(JSON.stringify(message)));
    expect((await runAt(server.url)).result.summary).toMatch(/has no model "m".*driver\.options\.model/);
  });

  test('no server', async () => {
    const { url, close } = await startModelServer();
    await close();
    expect((await runAt(url)).result).toMatchObject({
      stopReason: 'error',
      summary: expect.stringMatching(/no server answers at .*lms server start.*baseUrl/),
    });
  });
});

test('a limit that ends is waited out inside the turn', async () => {
  const fault: Fault = { kind: 'status', status: 429, retryAfter: 0, times: 2 };
  const { written, log } = await play(faulty(fault), { maxWaitMs: 10_000 });
  expect(written).toBe('x = 1\n');
  expect(log).toHaveLength(3);
});

describe('the preflight', () => {
  const check = async (options: Record<string, unknown>, env: Record<string, string> = {}) =>
    (await openAiCompatibleDriver.preflight?.({
      workdir: '/',
      options: await optionsOf(openAiCompatibleDriver, options),
      env,
      signal: new AbortController().signal,
    })) ?? [];

  test('is content with a server that lists the model', async () => {
    await using server = await startModelServer({ models: ['m'] });
    expect(await check({ baseUrl: `${server.url}/v1/`, model: 'm' })).toEqual([]);
  });

  test('names the models that there are', async () => {
    await using server = await startModelServer({ models: ['one', 'two'] });
    expect(await check({ baseUrl: `${server.url}/v1`, model: 'm' })).toEqual([
      expect.stringMatching(/no model "m".*it has one, two/),
    ]);
  });

  test('tells a server that is not there, a wrong address, and a key that is not set', async () => {
    const server = await startModelServer();
    expect(await check({ baseUrl: `${server.url}/v2?`, model: 'm' })).toEqual([
      expect.stringMatching(/404 for \/models.*\/v1/),
    ]);
    expect(await check({ baseUrl: server.url, model: 'm', apiKeyEnv: 'NO_SUCH_KEY' })).toEqual([
      expect.stringMatching(/NO_SUCH_KEY is not set.*export/),
    ]);
    await server.close();
    expect(await check({ baseUrl: server.url, model: 'm' })).toEqual([
      expect.stringMatching(/no server answers/),
    ]);
  });

  test('wants a model', async () => {
    await expect(optionsOf(openAiCompatibleDriver, {})).rejects.toThrow(/model/);
  });
});
