import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { opencodeDriver } from '../../src/drivers/opencode.ts';
import { type TempDir, tempDir } from '../support/temp-dir.ts';
import { emits, fakeCli } from './fake-cli.ts';
import { optionsOf, type TurnParts, turnIn } from './turn.ts';

const event = (type: string, part: object) => ({ type, sessionID: 'ses_1', part });
const stepStart = event('step_start', { type: 'step-start' });
const text = (said: string) => event('text', { type: 'text', text: said });
const tool = (state: object) =>
  event('tool_use', {
    type: 'tool',
    tool: 'write',
    callID: 'c1',
    state: { input: { filePath: 'hello.txt', content: 'x' }, ...state },
  });
const stepFinish = (reason: string, cost = 0.0011) =>
  event('step_finish', {
    reason,
    tokens: { total: 1050, input: 600, output: 50, reasoning: 0, cache: { write: 0, read: 400 } },
    cost,
  });
const failure = (data: object) => ({ type: 'error', sessionID: 'ses_1', error: { name: 'APIError', data } });

const PLAIN = emits(stepStart, text('done'), stepFinish('stop'));

async function played(dir: TempDir, body: string, options: object = {}, turn: TurnParts = {}) {
  const keep = 'echo "$@" > args.txt\nenv | grep ^OPENCODE > env.txt\ncat > prompt.txt';
  await fakeCli(join(dir.path, 'bin/opencode'), `${keep}\n${body}`);
  const env = { PATH: `${dir.path}/bin:${process.env['PATH']}`, HOME: dir.path };
  const given = { model: 'lmstudio/qwen/qwen3', ...options };
  const t = await turnIn(dir.path, await optionsOf(opencodeDriver, given), { env, ...turn });
  const result = await opencodeDriver.run(t);
  const file = async (name: string) => (await readFile(join(t.workdir, name), 'utf8')).trim();
  return {
    result,
    told: t.told,
    args: await file('args.txt'),
    env: (await file('env.txt')).split('\n'),
    prompt: await file('prompt.txt'),
  };
}

describe('a turn of OpenCode', () => {
  test('adds up its steps, cached input included', async () => {
    await using dir = await tempDir();
    const events = emits(
      stepStart,
      tool({ status: 'completed' }),
      stepFinish('tool-calls'),
      stepStart,
      text('I wrote it.'),
      stepFinish('stop'),
    );
    const { result, told, args, prompt } = await played(dir, events);
    expect(result).toEqual({
      stopReason: 'completed',
      summary: 'I wrote it.',
      usage: { inputTokens: 2000, outputTokens: 100, costUsd: 0.0022, agentTurns: 2 },
      sessionId: 'ses_1',
    });
    expect(told.acted).toEqual(['write hello.txt']);
    expect(args).toBe('run --format json --model lmstudio/qwen/qwen3');
    expect(prompt).toBe('make it work');
  });

  test('does not know its cost where its model has no price', async () => {
    await using dir = await tempDir();
    const { result } = await played(dir, emits(stepStart, text('done'), stepFinish('stop', 0)));
    expect(result.usage).toEqual({ inputTokens: 1000, outputTokens: 50, agentTurns: 1 });
  });

  test('goes on with its session, as the agent and with the leave that the options give', async () => {
    await using dir = await tempDir();
    const options = { dangerouslySkipPermissions: true, agent: 'build', variant: 'high' };
    const { args } = await played(dir, PLAIN, options, { sessionId: 'ses_1' });
    expect(args).toBe(
      'run --format json --session ses_1 --auto --model lmstudio/qwen/qwen3 --agent build --variant high',
    );
  });

  test('has its rules and its server by variables, beside what the user configured', async () => {
    await using dir = await tempDir();
    const mine = { OPENCODE_CONFIG_CONTENT: '{"share":"disabled","provider":{"other":{"npm":"x"}}}' };
    const options = { permission: { edit: 'allow' }, baseUrl: 'http://127.0.0.1:9/v1' };
    const turn = { env: { PATH: `${dir.path}/bin:${process.env['PATH']}`, ...mine } };
    const { env } = await played(dir, PLAIN, options, turn);
    expect(env).toContain('OPENCODE_PERMISSION={"edit":"allow"}');
    const content =
      env
        .find((line) => line.startsWith('OPENCODE_CONFIG_CONTENT='))
        ?.split('=')
        .slice(1)
        .join('=') ?? '';
    expect(JSON.parse(content)).toEqual({
      share: 'disabled',
      provider: {
        other: { npm: 'x' },
        lmstudio: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: 'http://127.0.0.1:9/v1' },
          models: { 'qwen/qwen3': {} },
        },
      },
    });
  });

  test('that a denied permission ended is an error which names the option, though it exits with 0', async () => {
    await using dir = await tempDir();
    const rejected = tool({
      status: 'error',
      error: 'The user rejected permission to use this specific tool call.',
    });
    const { result } = await played(dir, emits(stepStart, rejected, stepFinish('tool-calls')));
    expect(result).toMatchObject({
      stopReason: 'error',
      summary: expect.stringMatching(/denied write \(hello.txt\).*dangerouslySkipPermissions: true/),
    });
  });

  test('that stops after a call of a tool broke off', async () => {
    await using dir = await tempDir();
    const { result } = await played(
      dir,
      emits(stepStart, tool({ status: 'completed' }), stepFinish('tool-calls')),
    );
    expect(result.stopReason).toBe('truncated');
  });

  test.each([
    ['length', 'truncated'],
    ['content-filter', 'refused'],
    ['stop', 'completed'],
  ])('whose last step ended by %s is %s', async (reason, stopReason) => {
    await using dir = await tempDir();
    const { result } = await played(dir, emits(stepStart, text('so far'), stepFinish(reason)));
    expect(result.stopReason).toBe(stopReason);
  });

  test('waits as long as the server of its model asks', async () => {
    await using dir = await tempDir();
    const limited = failure({
      message: 'slow down',
      statusCode: 429,
      responseHeaders: { 'retry-after': '0' },
    });
    const body = `[ -e been ] || { touch been\n${emits(limited)}\nexit 1; }\n${PLAIN}`;
    const { result, told } = await played(dir, body);
    expect(result).toMatchObject({ stopReason: 'completed', summary: 'done' });
    expect(told.waiting).toContain('rate limit of opencode: asking again in 0 s');
  });

  test('says where to look when it does not know its model', async () => {
    await using dir = await tempDir();
    const body = emits(failure({ message: 'Unexpected server error. Check server logs for details.' }));
    const { result } = await played(dir, body);
    expect(result).toMatchObject({
      stopReason: 'error',
      summary: expect.stringContaining('opencode models'),
    });
  });

  test('that does not know its session begins a new one', async () => {
    await using dir = await tempDir();
    const body = `case "$*" in *--session*) printf '\\033[91mError: \\033[0mSession not found\\n' >&2; exit 1;; esac\n${PLAIN}`;
    const { result } = await played(dir, body, {}, { sessionId: 'ses_0' });
    expect(result).toMatchObject({
      stopReason: 'completed',
      summary: expect.stringContaining('ses_0 is not known'),
    });
  });
});

describe('preflight of OpenCode', () => {
  async function ask(dir: TempDir, given: object) {
    await fakeCli(join(dir.path, 'bin/opencode'), 'echo 1.18.33');
    const warnings: string[] = [];
    const options = await optionsOf(opencodeDriver, given);
    const env = { PATH: `${dir.path}/bin:${process.env['PATH']}`, HOME: dir.path };
    const warn = (message: string) => warnings.push(message);
    const signal = new AbortController().signal;
    return {
      errors: await opencodeDriver.preflight?.({ workdir: dir.path, options, env, signal, warn }),
      warnings,
    };
  }

  /** A server with these models, until its scope ends. */
  async function serving(...ids: readonly string[]) {
    const body = JSON.stringify({ data: ids.map((id) => ({ id })) });
    const server = createServer((_, response) =>
      response.setHeader('content-type', 'application/json').end(body),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return { baseUrl: `http://127.0.0.1:${port}/v1`, [Symbol.dispose]: () => void server.close() };
  }

  test('doubts a missing model and one without a provider, and fails for neither', async () => {
    await using dir = await tempDir();
    expect(await ask(dir, {})).toEqual({
      errors: [],
      warnings: [expect.stringContaining('model is not set')],
    });
    expect(await ask(dir, { model: 'qwen3' })).toEqual({
      errors: [],
      warnings: [expect.stringContaining('lmstudio/qwen3')],
    });
  });

  test('finds the model of a server of one’s own, and doubts one that the server has not', async () => {
    await using dir = await tempDir();
    using server = await serving('qwen/qwen3');
    const { baseUrl } = server;
    expect(await ask(dir, { model: 'lmstudio/qwen/qwen3', baseUrl })).toEqual({ errors: [], warnings: [] });
    const { warnings } = await ask(dir, { model: 'lmstudio/llama', baseUrl });
    expect(warnings).toEqual([
      expect.stringMatching(/LM Studio has no model "llama" \(it has qwen\/qwen3\): lms load llama/),
    ]);
  });

  test('doubts a server that does not answer', async () => {
    await using dir = await tempDir();
    const server = await serving();
    server[Symbol.dispose]();
    const { errors, warnings } = await ask(dir, { model: 'ollama/qwen3', baseUrl: server.baseUrl });
    expect(errors).toEqual([]);
    expect(warnings).toEqual([expect.stringMatching(/no Ollama answers at .*ECONNREFUSED.*ollama serve/)]);
  });

  test('has nothing to say about models on other machines', async () => {
    await using dir = await tempDir();
    expect(await ask(dir, { model: 'anthropic/claude' })).toEqual({ errors: [], warnings: [] });
  });
});
