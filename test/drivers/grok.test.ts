import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { grok, grokDriver } from '../../src/drivers/grok.ts';
import { type TempDir, tempDir } from '../support/temp-dir.ts';
import { emits, fakeCli } from './fake-cli.ts';
import { optionsOf, type TurnParts, turnIn } from './turn.ts';

const usage = (input: number, output: number, cached = 0) => ({
  type: 'usage',
  usage: { input_tokens: input, output_tokens: output, cache_read_input_tokens: cached },
});
const write = {
  type: 'tool_call',
  toolCallId: 'call_1',
  title: 'write',
  kind: 'write',
  status: 'pending',
  toolName: 'write',
  rawInput: { file_path: 'hello.txt', content: 'hello\n' },
};
const refused = (text: string) => ({
  type: 'tool_call_update',
  toolCallId: 'call_1',
  status: 'failed',
  content: [{ type: 'content', content: { type: 'text', text } }],
});
const end = (more: object) => ({
  type: 'end',
  stopReason: 'end_turn',
  sessionId: '11111111-2222-4333-8444-555555555555',
  usage: { input_tokens: 1600, output_tokens: 100, cache_read_input_tokens: 400, total_tokens: 2100 },
  num_turns: 2,
  ...more,
});

async function played(dir: TempDir, body: string, options: object = {}, turn: TurnParts = {}) {
  await fakeCli(join(dir.path, 'bin/grok'), `echo "$@" > args.txt\ncp "$2" prompt.txt\n${body}`);
  const env = { PATH: `${dir.path}/bin:${process.env['PATH']}`, HOME: dir.path };
  const t = await turnIn(dir.path, await optionsOf(grokDriver, options), { env, ...turn });
  const result = await grokDriver.run(t);
  const file = (name: string) => readFile(join(t.workdir, name), 'utf8').catch(() => '');
  return { result, told: t.told, args: (await file('args.txt')).trim(), prompt: await file('prompt.txt') };
}

describe('a turn of grok', () => {
  test('counts what the last event says, cached input included, and joins the pieces of its message', async () => {
    await using dir = await tempDir();
    const events = emits(
      { type: 'available_commands', tools: ['write'] },
      usage(1000, 50),
      write,
      { type: 'tool_call_update', toolCallId: 'call_1', status: 'completed' },
      { type: 'text', data: 'I wrote ' },
      { type: 'text', data: 'hello.txt.' },
      usage(600, 50, 400),
      end({}),
    );
    const { result, told, args, prompt } = await played(dir, events);
    expect(result).toEqual({
      stopReason: 'completed',
      summary: 'I wrote hello.txt.',
      usage: { inputTokens: 2000, outputTokens: 100, agentTurns: 2 },
      sessionId: '11111111-2222-4333-8444-555555555555',
    });
    expect(told).toMatchObject({ acted: ['write hello.txt'], output: 'I wrote hello.txt.' });
    expect(args).toMatch(/--output-format streaming-json --session-id [0-9a-f-]{36} --always-approve$/);
    expect(prompt).toBe('make it work');
  });

  test('goes on with its session', async () => {
    await using dir = await tempDir();
    const { args } = await played(dir, emits(usage(1, 1), end({})), {}, { sessionId: 's-1' });
    expect(args).toContain('--resume s-1');
    expect(args).not.toContain('--session-id');
  });

  test('takes rules in place of a free hand', async () => {
    await using dir = await tempDir();
    const options = { allow: ['Edit'], deny: ['Bash(rm*)'], model: 'm', maxTurns: 3, effort: 'low' };
    const { args } = await played(dir, emits(usage(1, 1), end({})), options);
    expect(args).toMatch(/--allow Edit --deny Bash\(rm\*\) --model m --max-turns 3 --reasoning-effort low$/);
    expect(args).not.toContain('--always-approve');
  });

  test('tells the cost only where its server does', async () => {
    await using dir = await tempDir();
    const { result } = await played(dir, emits(usage(1, 1), end({ total_cost_usd: 0.25 })));
    expect(result.usage).toMatchObject({ costUsd: 0.25 });
  });

  test('that may not write ends as an error which names the option, though it exits with 0', async () => {
    await using dir = await tempDir();
    const cancelled = refused('User cancelled the execution for tool `write`');
    const { result } = await played(
      dir,
      emits(usage(1, 1), write, cancelled, end({ stopReason: 'cancelled' })),
    );
    expect(result).toMatchObject({
      stopReason: 'error',
      summary: expect.stringMatching(/denied write \(hello.txt\).*permission: allow/),
      problem: expect.stringContaining('write (hello.txt)'),
    });
  });

  test('tells a tool that a rule denied, but none that only failed', async () => {
    await using dir = await tempDir();
    const denied = refused('Tool `write` was not executed: Denied by permission policy: deny rule');
    expect((await played(dir, emits(usage(1, 1), write, denied, end({})))).result.problem).toContain('write');
    const failed = refused('no such folder');
    expect((await played(dir, emits(usage(1, 1), write, failed, end({})))).result).not.toHaveProperty(
      'problem',
    );
  });

  test('that used up its turns is max-turns, though it calls itself cancelled', async () => {
    await using dir = await tempDir();
    const events = emits(usage(1, 1), write, { type: 'max_turns_reached' }, end({ stopReason: 'cancelled' }));
    const { result } = await played(dir, `${events}\necho 'Error: max turns reached' >&2\nexit 1`);
    expect(result).toMatchObject({ stopReason: 'max-turns', usage: { agentTurns: 2 } });
  });

  test.each([
    ['Not signed in. To authenticate without a browser, run: grok login', 'error'],
    ['Internal error: "Unauthorized (401) from http://127.0.0.1/v1: bad key"', 'error'],
    ['api_error: Rate limit reached, slow down', 'rate-limited'],
    ['Internal error: {"message": "response truncated by max_tokens"}', 'truncated'],
  ])('that fails with %s is told as it is', async (message, stopReason) => {
    await using dir = await tempDir();
    const body = `${emits({ type: 'error', message })}\nexit 1`;
    const { result } = await played(dir, body, { maxWaitMs: 0 });
    expect(result).toMatchObject({ stopReason, summary: expect.stringContaining(message) });
  });

  test('that does not know its session begins a new one', async () => {
    await using dir = await tempDir();
    const words = 'Session "s-1" not found locally, restoring conversation from remote...';
    const body = `case "$*" in *--resume*) echo '${words}' >&2; exit 1;; esac\n${emits(usage(1, 1), end({}))}`;
    const { result, args } = await played(dir, body, {}, { sessionId: 's-1' });
    expect(result).toMatchObject({
      stopReason: 'completed',
      summary: expect.stringContaining('s-1 is not known'),
    });
    expect(args).toContain('--session-id');
  });
});

test.each(['error', 'content_filter'])(
  'an end that is not known, such as %s, is no good end',
  (stopReason) => {
    const [session, used, ended] = grok.read(end({ stopReason }));
    expect([session?.note, used?.note]).toEqual(['session', 'used-in-all']);
    expect(ended).toEqual({
      note: 'failed',
      message: `the agent ended its turn with "${stopReason}", which is not known`,
    });
  },
);

test('events of a form that nobody knows are passed over', () => {
  for (const event of [
    {},
    { type: 'usage' },
    { type: 'end', usage: 7 },
    { type: 'tool_call_update', status: 'failed' },
  ]) {
    expect(() => grok.read(event)).not.toThrow();
  }
  expect(grok.read({ type: 'thought', data: 'hm' })).toEqual([]);
  expect(grok.read({ type: 'end' })).toEqual([
    { note: 'failed', message: 'the agent ended its turn with "nothing", which is not known' },
  ]);
});

test('grok is logged in by a key, by an account, or by a model of one’s own', async () => {
  await using dir = await tempDir();
  const home = join(dir.path, '.grok');
  await mkdir(home);
  const env = { HOME: dir.path };
  await writeFile(join(home, 'config.toml'), '[cli]\nauto_update = false\n');
  expect(await grok.login(env)).toMatchObject({ login: 'no', advice: expect.stringContaining('grok login') });
  expect(await grok.login({ ...env, XAI_API_KEY: 'k' })).toEqual({ login: 'yes' });
  await writeFile(join(home, 'config.toml'), '[models]\ndefault = "mine"\n[model.mine]\nbase_url = "x"\n');
  expect(await grok.login(env)).toEqual({ login: 'yes' });
  await writeFile(join(home, 'config.toml'), '');
  await writeFile(join(home, 'auth.json'), '{}');
  expect(await grok.login(env)).toEqual({ login: 'yes' });
  expect(await grok.login({ HOME: '/nowhere', GROK_HOME: home })).toEqual({ login: 'yes' });
});
