import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OpenedDriver } from '../../src/core/plugin.ts';
import { claudeAgentSdkDriver } from '../../src/drivers/claude-agent-sdk.ts';
import { tempDir } from '../support/temp-dir.ts';
import { claudeCode, fakeSdk } from './claude-code.ts';
import { isAlive, pidIn, until } from './processes.ts';
import { optionsOf, type TurnParts, turnIn } from './turn.ts';

/** A fake SDK with a fake Claude Code, and the driver opened for one run. */
async function talk(body: string, options: Record<string, unknown> = {}) {
  const dir = await tempDir();
  const executable = await claudeCode(dir.path, body);
  const read = await optionsOf(claudeAgentSdkDriver, { executable, ...options });
  const opened = claudeAgentSdkDriver.open?.() as OpenedDriver;
  const lines = async (file: string) =>
    (await readFile(join(dir.path, 'work', file), 'utf8').catch(() => '')).split('\n').filter(Boolean);
  return {
    dir: dir.path,
    turn: (more: TurnParts = {}) => turnIn(dir.path, read, more),
    opened,
    told: async () => (await lines('told.jsonl')).map((line) => JSON.parse(line)),
    alive: async () => (await lines('claude.pids')).map(Number).filter(isAlive),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

const run = async (t: Awaited<ReturnType<typeof talk>>, more: TurnParts = {}) => {
  const turn = await t.turn(more);
  return { result: await t.opened.run(turn), told: turn.told };
};

describe('a turn', () => {
  test('passes on what the agent does and says, and ends with its last words, its usage and its session', async () => {
    await using t = await talk(`
      print({ type: 'stream_event', event: { type: 'content_block_delta', delta: { type: 'text_delta', text: 'Let me see.' } } });
      say('Let me see.'); use('Bash', { command: 'npm test' }); use('Edit', { file_path: 'a.txt', old_string: 'x' });
      say('Fixed it.'); result({ model_usage_since_last_result: model(10, 0.5) });`);
    const { result, told } = await run(t);
    expect(result).toEqual({
      stopReason: 'completed',
      summary: 'Fixed it.',
      usage: { inputTokens: 100, outputTokens: 10, costUsd: 0.5, agentTurns: 2 },
      sessionId: expect.stringMatching(/^session-\d+$/),
    });
    expect(told.acted).toEqual(['Bash npm test', 'Edit a.txt']);
    expect(told.output).toBe('Let me see.');
  });

  test('hands over the options, the system part apart, and nothing of our own environment', async () => {
    await using t = await talk(`say('Done.'); result();`, {
      model: 'opus',
      maxTurns: 3,
      allowedTools: ['Edit'],
      settingSources: [],
      env: { KEY: 'v' },
    });
    process.env['LOOPGEN_TEST_SECRET'] = 'not for agents';
    await run(t, { system: 'You are careful.', prompt: 'é'.repeat(500_000) });
    delete process.env['LOOPGEN_TEST_SECRET'];
    const [{ prompt, told, env }] = await t.told();
    expect(prompt).toBe('é'.repeat(500_000));
    expect(told).toMatchObject({
      model: 'opus',
      maxTurns: 3,
      allowedTools: ['Edit'],
      settingSources: [],
      permissionMode: 'bypassPermissions',
      allowDangerouslySkipPermissions: true,
      systemPrompt: { type: 'preset', preset: 'claude_code', append: 'You are careful.' },
    });
    for (const ours of ['maxWaitMs', 'executable', 'resume']) expect(told).not.toHaveProperty(ours);
    expect(env).toMatchObject({ KEY: 'v', HOME: t.dir });
    expect(env).not.toHaveProperty('LOOPGEN_TEST_SECRET');
  });

  test('goes on with the session of the last', async () => {
    await using t = await talk(`say('Done.'); result();`);
    const { sessionId = '' } = (await run(t)).result;
    expect((await run(t, { sessionId })).result.sessionId).toBe(sessionId);
    expect((await t.told()).map(({ told }) => told.resume)).toEqual([undefined, sessionId]);
  });

  test('begins a new session where the last is not known any more, and that is said', async () => {
    await using t = await talk(`
      if (told.resume) result({ subtype: 'error_during_execution', is_error: true, errors: ['No conversation found with session ID: x'] });
      else { say('Done.'); result(); }`);
    const { result } = await run(t, { sessionId: 'lost' });
    expect(result).toMatchObject({
      stopReason: 'completed',
      summary: 'session lost is not known to Claude Code any more, so a new one was begun; Done.',
      sessionId: expect.stringMatching(/^session-/),
    });
  });

  test('tells what was denied, though it ends as a success', async () => {
    await using t = await talk(`
      use('Write', { file_path: 'a.txt' }, 'w1'); say('I wrote a.txt.');
      result({ permission_denials: [{ tool_name: 'Write', tool_use_id: 'w1', tool_input: { file_path: 'a.txt' } }] });`);
    const { result } = await run(t);
    expect(result.summary).toBe('I wrote a.txt. — it was denied Write (a.txt)');
    expect(result.problem).toContain('Write (a.txt)');
  });
});

describe('a turn that fails', () => {
  test.each([
    [
      'turns',
      `say('So far.'); result({ subtype: 'error_max_turns', is_error: true, errors: ['Reached'] });`,
      'max-turns',
      'So far.',
    ],
    [
      'money',
      `result({ subtype: 'error_max_budget_usd', is_error: true, errors: ['Reached maximum budget ($1)'] });`,
      'max-turns',
      'maximum budget',
    ],
    [
      'a success that is an error',
      `result({ is_error: true, result: 'API Error: 500 boom', api_error_status: 500 });`,
      'error',
      'API Error: 500 boom',
    ],
    [
      'a limit',
      `result({ is_error: true, result: 'API Error: (429)', api_error_status: 429 });`,
      'rate-limited',
      'API Error',
    ],
    [
      'a limit of the user',
      `print({ type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 4e9, rateLimitType: 'five_hour' } });`,
      'rate-limited',
      'usage limit reached (five_hour)',
    ],
    ['a refusal', `say('I cannot.'); result({ stop_reason: 'refusal' });`, 'refused', 'I cannot.'],
    ['a reply that was cut', `say('So f'); result({ stop_reason: 'max_tokens' });`, 'truncated', 'So f'],
    [
      'a crash',
      `process.stderr.write('Killed by the OOM\\n'); process.exit(134);`,
      'error',
      'exited with code 134; last it said: Killed by the OOM',
    ],
    ['an end without a result', `say('Let me'); process.exit(0);`, 'truncated', 'before it had finished'],
  ])('by %s is told as what it is', async (_title, body, stopReason, summary) => {
    await using t = await talk(body, { maxWaitMs: 0 });
    const { result } = await run(t);
    expect(result.stopReason).toBe(stopReason);
    expect(result.summary).toContain(summary);
  });

  test('by a limit is gone on with after it', async () => {
    await using t = await talk(`
      if (!told.resume) { say('Begun.'); result({ is_error: true, result: 'API Error: 429, try again in 50ms', api_error_status: 429 }); }
      else { say('Done.'); result(); }`);
    const { result, told } = await run(t);
    expect(result).toMatchObject({ stopReason: 'completed', summary: 'Done.' });
    expect(told.waiting).toEqual([expect.stringContaining('limit')]);
    expect((await t.told()).map(({ prompt }) => prompt)).toEqual([
      'make it work',
      expect.stringContaining('Go on'),
    ]);
  });

  test('says that the model is asked again', async () => {
    await using t = await talk(`
      print({ type: 'system', subtype: 'api_retry', retry_delay_ms: 4000, error: 'overloaded', error_status: 529 });
      say('Done.'); result();`);
    expect((await run(t)).told.waiting).toEqual(['asking the model again in 4 s (overloaded 529)']);
  });
});

describe('usage', () => {
  const OLDER = (n: string) =>
    `say('Done.'); result({ usage: { input_tokens: 6, cache_read_input_tokens: 4, output_tokens: 1 }, total_cost_usd: ${n} });`;
  const COUNT = `fs.readFileSync('told.jsonl', 'utf8').split('\\n').length - 1`;

  test('of versions that tell sums is the difference', async () => {
    await using t = await talk(OLDER(`(${COUNT}) / 4`));
    const used = { inputTokens: 10, outputTokens: 1, agentTurns: 2, costUsd: 0.25 };
    const { result } = await run(t);
    expect(result.usage).toEqual(used);
    expect((await run(t, { sessionId: result.sessionId ?? '' })).result.usage).toEqual(used);
  });

  test('has no cost where nobody knows what the session had cost before', async () => {
    await using t = await talk(OLDER('5'));
    expect((await run(t, { sessionId: 'of another run' })).result.usage).toEqual({
      inputTokens: 10,
      outputTokens: 1,
      agentTurns: 2,
    });
  });

  test('has no cost where the price is a guess', async () => {
    await using t = await talk(
      `say('Done.'); result({ model_usage_since_last_result: model(10, 0.5, { costBasis: 'unknown' }) });`,
    );
    expect((await run(t)).result.usage).toEqual({ inputTokens: 100, outputTokens: 10, agentTurns: 2 });
  });

  test('counts when the turn fails', async () => {
    await using t = await talk(
      `result({ subtype: 'error_max_budget_usd', is_error: true, errors: ['Reached'], usage: { input_tokens: 0, output_tokens: 0 }, model_usage_since_last_result: model(1, 2) });`,
    );
    expect((await run(t)).result.usage).toMatchObject({ inputTokens: 10, costUsd: 2 });
  });
});

describe('an agent that does not end', () => {
  const HANGS = `process.on('SIGTERM', () => {}); say('Thinking.'); setInterval(() => {}, 1000);
    require('node:child_process').spawn('sh', ['-c', 'trap "" TERM; echo $$ > shell.pid; while :; do sleep 1; done'], { detached: true, stdio: 'ignore' });`;

  test('is ended within three seconds, with what it started', async () => {
    await using t = await talk(HANGS);
    const controller = new AbortController();
    const running = t.opened.run(await t.turn({ signal: controller.signal }));
    const shell = await pidIn(join(t.dir, 'work', 'shell.pid'));
    const began = performance.now();
    controller.abort();
    expect(await running).toMatchObject({ stopReason: 'aborted', sessionId: expect.any(String) });
    expect(performance.now() - began).toBeLessThan(3000);
    expect([await t.alive(), isAlive(shell)]).toEqual([[], false]);
  });

  test('is stalled after its silence, and timed out by its clock', async () => {
    await using idle = await talk(HANGS);
    expect((await run(idle, { idleTimeoutMs: 1000 })).result.stopReason).toBe('stalled');
    expect(await idle.alive()).toEqual([]);
    await using clock = await talk(HANGS, { timeoutMs: 1000 });
    expect((await run(clock)).result.stopReason).toBe('timed-out');
  });

  test('but for what it left in the background is ended with its turn', async () => {
    await using t = await talk(`
      require('node:child_process').execFileSync('sh', ['-c', 'setsid sleep 300 >/dev/null 2>&1 & echo $! > stray.pid']);
      say('Server is up.'); result();`);
    expect((await run(t)).result.stopReason).toBe('completed');
    const stray = await pidIn(join(t.dir, 'work', 'stray.pid'));
    await until(() => (isAlive(stray) ? undefined : true));
    expect(await t.alive()).toEqual([]);
  });
});

describe('preflight', () => {
  const preflight = async (dir: string, options: object = {}, env: Record<string, string> = {}) => {
    const warned: string[] = [];
    const workdir = join(dir, 'work');
    await mkdir(workdir, { recursive: true });
    const problems = await claudeAgentSdkDriver.preflight?.({
      workdir,
      options: await optionsOf(claudeAgentSdkDriver, options),
      env: { HOME: dir, IS_SANDBOX: '1', ...env },
      signal: new AbortController().signal,
      warn: (message) => warned.push(message),
    });
    return { problems, warned };
  };

  test('tells how to install the SDK where it is missing, and so does a turn', async () => {
    await using dir = await tempDir();
    const { problems } = await preflight(dir.path);
    expect(problems).toEqual([expect.stringContaining('npm install @anthropic-ai/claude-agent-sdk')]);
    const turn = await turnIn(dir.path, await optionsOf(claudeAgentSdkDriver, {}));
    expect(await claudeAgentSdkDriver.run(turn)).toMatchObject({
      stopReason: 'error',
      summary: expect.stringContaining('npm install @anthropic-ai/claude-agent-sdk'),
    });
  });

  test('finds nothing where it is there, and warns where no log-in is seen', async () => {
    await using dir = await tempDir();
    await claudeCode(dir.path, '');
    expect(await preflight(dir.path)).toEqual({ problems: [], warned: [expect.stringContaining('/login')] });
    expect(await preflight(dir.path, {}, { ANTHROPIC_API_KEY: 'x' })).toEqual({ problems: [], warned: [] });
  });

  test.each([
    ['does not load', 'throw new Error("no such platform");', 'cannot be loaded: no such platform'],
    ['is something else', 'export const other = 1;', 'has no function "query"'],
  ])('tells of an SDK that %s', async (_title, code, message) => {
    await using dir = await tempDir();
    await fakeSdk(join(dir.path, 'work'), code);
    expect((await preflight(dir.path)).problems).toEqual([expect.stringContaining(message)]);
  });

  test.runIf(process.getuid?.() === 0)('tells root what Claude Code would refuse', async () => {
    await using dir = await tempDir();
    await claudeCode(dir.path, '');
    const problems = async (options: object, env: Record<string, string>) =>
      (await preflight(dir.path, options, env)).problems;
    expect(await problems({}, { IS_SANDBOX: '' })).toEqual([expect.stringContaining('IS_SANDBOX')]);
    expect(await problems({ permissionMode: 'acceptEdits' }, { IS_SANDBOX: '' })).toEqual([]);
    expect(await problems({ env: { IS_SANDBOX: '1' } }, { IS_SANDBOX: '' })).toEqual([]);
  });
});
