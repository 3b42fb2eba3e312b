import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OpenedDriver } from '../../src/core/plugin.ts';
import { acpDriver } from '../../src/drivers/acp.ts';
import { tempDir } from '../support/temp-dir.ts';
import { acpAgent } from './acp-agents.ts';
import { isAlive, pidIn, until } from './processes.ts';
import { optionsOf, type RecordedTurn, type TurnParts, turnIn } from './turn.ts';

/** A fake agent, the driver opened for one run with it, and what the agent heard. */
async function talk(body: string, options: Record<string, unknown> = {}) {
  const dir = await tempDir();
  const command = await acpAgent(dir.path, 'agent', body);
  const read = await optionsOf(acpDriver, { command, ...options });
  const opened = acpDriver.open?.() as OpenedDriver;
  const lines = async (file: string) =>
    (await readFile(join(dir.path, 'work', file), 'utf8').catch(() => '')).split('\n').filter(Boolean);
  return {
    dir: dir.path,
    opened,
    turn: (more: TurnParts = {}) => turnIn(dir.path, read, more),
    heard: () => lines('heard.log'),
    pids: async () => (await lines('agent.pids')).map(Number),
    async [Symbol.asyncDispose]() {
      await opened.close();
      await dir[Symbol.asyncDispose]();
    },
  };
}

const run = async (t: Awaited<ReturnType<typeof talk>>, more: TurnParts = {}) => {
  const turn: RecordedTurn<unknown> = await t.turn(more);
  return { result: await t.opened.run(turn), told: turn.told };
};

const DONE = `agent['session/prompt'] = (p) => { say(p, 'Done.'); return END; };`;

describe('a turn', () => {
  test('passes on what the agent does and says as it comes, and sums up its last words', async () => {
    await using t = await talk(`agent['session/prompt'] = async (p) => {
      say(p, 'Let me '); say(p, 'see.');
      use(p, 'a', { title: 'Terminal', kind: 'execute', status: 'pending', rawInput: {} });
      use(p, 'a', { sessionUpdate: 'tool_call_update', rawInput: { command: 'npm test' } });
      use(p, 'a', { sessionUpdate: 'tool_call_update', status: 'failed' });
      use(p, 'b', { title: 'Write', kind: 'edit', locations: [{ path: process.cwd() + '/a.txt' }] });
      say(p, 'Info: a.txt', { messageId: 'm1' }); say(p, 'Fixed ', { messageId: 'm2' }); say(p, 'it.', { messageId: 'm2' });
      return END;
    };`);
    const { result, told } = await run(t);
    expect(result).toEqual({ stopReason: 'completed', summary: 'Fixed it.', sessionId: expect.any(String) });
    expect(told.acted).toEqual(['execute npm test', 'execute failed npm test', 'edit a.txt']);
    expect(told.output).toBe('Let me see.Info: a.txtFixed it.');
  });

  test('goes on in the same process and the same session', async () => {
    await using t = await talk(DONE);
    const first = await run(t, { system: 'You are careful.', prompt: 'one' });
    const { sessionId = '' } = first.result;
    expect((await run(t, { prompt: 'two', sessionId })).result.sessionId).toBe(sessionId);
    expect(await t.pids()).toHaveLength(1);
    expect(await t.heard()).toEqual([
      'initialize ""',
      'session/new ""',
      'session/prompt "You are careful.\\n\\none"',
      'session/prompt "two"',
    ]);
  });

  test('that is to be fresh has a new session in the same process', async () => {
    await using t = await talk(DONE);
    const [one, two] = [await run(t), await run(t)];
    expect(one.result.sessionId).not.toBe(two.result.sessionId);
    expect(await t.pids()).toHaveLength(1);
  });

  test('works for itself alone, and then ends the agent', async () => {
    await using t = await talk(DONE);
    expect(await acpDriver.run(await t.turn())).toMatchObject({ stopReason: 'completed', summary: 'Done.' });
    const [pid = 0] = await t.pids();
    expect(isAlive(pid)).toBe(false);
  });

  test.each([
    ['end_turn', 'completed'],
    ['max_tokens', 'truncated'],
    ['max_turn_requests', 'max-turns'],
    ['refusal', 'refused'],
    ['cancelled', 'error'],
    ['a_reason_of_tomorrow', 'error'],
  ])('that ends with %s is %s', async (stopReason, expected) => {
    await using t = await talk(
      `agent['session/prompt'] = (p) => { say(p, 'So far.'); return { stopReason: '${stopReason}' }; };`,
    );
    const { result } = await run(t);
    expect(result.stopReason).toBe(expected);
    expect(result.summary).toContain('So far.');
  });

  test('in which nothing was said or done asked no model', async () => {
    await using t = await talk(`agent['session/prompt'] = () => END;`);
    expect((await run(t)).result).toMatchObject({
      stopReason: 'error',
      summary: expect.stringContaining('without asking'),
    });
  });

  test('of a megabyte arrives whole', async () => {
    await using t = await talk(
      `agent['session/prompt'] = (p) => { say(p, String(p.prompt[0].text.length)); return END; };`,
    );
    expect((await run(t, { prompt: 'é'.repeat(1_000_000) })).result.summary).toBe('1000000');
  });

  test('hears nothing of other sessions, of old news, and of lines that are no messages', async () => {
    await using t = await talk(`
      agent['session/load'] = (p) => { say(p, 'an old word'); return {}; };
      agent['session/prompt'] = (p) => {
        process.stdout.write('Loading...\\n{"half": \\n');
        say({ sessionId: 'another' }, 'not for you');
        send({ method: '_vendor/anything', params: 1 });
        update(p.sessionId, { sessionUpdate: 'agent_message_chunk', content: 'of an odd form' });
        say(p, 'Done.'); return END;
      };`);
    const { result, told } = await run(t, { sessionId: 'old' });
    expect(result).toMatchObject({ stopReason: 'completed', summary: 'Done.', sessionId: 'old' });
    expect(told.output).toBe('Done.');
  });

  test('whose agent asks for our files or our terminal is answered that there are none', async () => {
    await using t = await talk(`
      agent.initialize = (p) => { log(JSON.stringify(p.clientCapabilities)); return { protocolVersion: 1 }; };
      agent['session/prompt'] = async (p) => {
        for (const method of ['fs/write_text_file', 'terminal/create']) send({ id: method, method, params: {} });
        await new Promise((resolve) => setTimeout(resolve, 50)); say(p, 'Done.'); return END;
      };`);
    expect((await run(t)).result.stopReason).toBe('completed');
    expect((await t.heard())[1]).toBe('{"fs":{"readTextFile":false,"writeTextFile":false},"terminal":false}');
  });
});

describe('permission', () => {
  const ASKS = `agent['session/prompt'] = async (p) => {
    use(p, 'c', { title: 'Run tests', kind: 'execute', status: 'pending' });
    const options = ['allow_always', 'allow_once', 'reject_once'].map((kind) => ({ optionId: 'id-' + kind, kind, name: kind }));
    const answer = await ask('session/request_permission', { sessionId: p.sessionId, options,
      toolCall: { toolCallId: 'c', rawInput: { command: 'npm test' } } });
    say(p, JSON.stringify(answer.outcome)); return END;
  };`;

  test('is given once, so that nothing of it stays', async () => {
    await using t = await talk(ASKS);
    const { result, told } = await run(t);
    expect(result).toMatchObject({
      stopReason: 'completed',
      summary: '{"outcome":"selected","optionId":"id-allow_once"}',
    });
    expect(result).not.toHaveProperty('problem');
    expect(told.acted).toEqual(['execute npm test']);
  });

  test.each([['deny'], [{ allow: ['read', 'edit'] }]])(
    '%j denies a command, and that is told',
    async (permission) => {
      await using t = await talk(ASKS, { permission });
      const { result, told } = await run(t);
      expect(result.summary).toContain('"id-reject_once"');
      expect(result.summary).toContain('it was denied execute (npm test)');
      expect(result.problem).toContain('execute (npm test)');
      expect(told.acted).toEqual(['execute npm test', 'execute denied npm test']);
    },
  );

  test('of the kinds that are listed is given', async () => {
    await using t = await talk(ASKS, { permission: { allow: ['execute'] } });
    expect((await run(t)).result.summary).toContain('id-allow_once');
  });

  test('that cannot be refused otherwise is answered as cancelled', async () => {
    await using t = await talk(ASKS.replace("'allow_always', 'allow_once', 'reject_once'", "'allow_once'"), {
      permission: 'deny',
    });
    expect((await run(t)).result.summary).toContain('{"outcome":"cancelled"}');
  });
});

describe('usage', () => {
  const SPENDS = (answer: string) => `let n = 0;
    agent['session/prompt'] = (p) => {
      n++; say(p, 'Done.');
      update(p.sessionId, { sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: n / 4, currency: 'USD' } });
      return { ...END, ...(${answer}) };
    };`;
  const TOKENS = '{ usage: { inputTokens: 100 * n, cachedReadTokens: 10 * n, outputTokens: 5 * n } }';

  test('is the difference where the agent tells sums', async () => {
    await using t = await talk(SPENDS(TOKENS), { usage: 'process' });
    const { result } = await run(t);
    const used = { inputTokens: 110, outputTokens: 5, costUsd: 0.25 };
    expect(result.usage).toEqual(used);
    const { sessionId = '' } = result;
    expect((await run(t, { sessionId })).result.usage).toEqual(used);
  });

  test('is as told where the agent tells it by prompt', async () => {
    await using t = await talk(SPENDS(TOKENS), { usage: 'prompt' });
    const { sessionId = '' } = (await run(t)).result;
    expect((await run(t, { sessionId })).result.usage).toEqual({
      inputTokens: 220,
      outputTokens: 10,
      costUsd: 0.25,
    });
  });

  test('of tokens is unknown where nobody knows what the agent counts', async () => {
    await using t = await talk(SPENDS(TOKENS));
    expect((await run(t)).result.usage).toEqual({ costUsd: 0.25 });
  });

  test('of cost goes on over a process that died, and is unknown for a session of another run', async () => {
    await using t = await talk(`
      const count = () => fs.readFileSync('heard.log', 'utf8').split('session/prompt').length - 1;
      agent['session/prompt'] = (p) => {
        update(p.sessionId, { sessionUpdate: 'usage_update', cost: { amount: count(), currency: 'USD' } });
        say(p, 'Done.'); setTimeout(() => process.exit(0)); return END;
      };`);
    expect((await run(t, { sessionId: 'of another run' })).result).not.toHaveProperty('usage');
    const { sessionId = '' } = (await run(t)).result;
    expect((await run(t, { sessionId })).result.usage).toEqual({ costUsd: 1 });
    expect(await t.pids()).toHaveLength(3);
  });

  test('that is missing shows an error that is sold as an end', async () => {
    await using t = await talk(
      `agent['session/prompt'] = (p) => { say(p, 'Error: authentication failed (HTTP 401)'); return { ...END, usage: null }; };`,
      { usage: 'prompt' },
    );
    expect((await run(t)).result).toMatchObject({
      stopReason: 'error',
      summary: 'Error: authentication failed (HTTP 401)',
    });
  });
});

describe('an agent that fails', () => {
  test('by an error says why', async () => {
    await using t = await talk(
      `agent['session/prompt'] = () => fail(-32603, 'Internal error', { details: 'model not found' });`,
    );
    expect((await run(t)).result).toMatchObject({
      stopReason: 'error',
      summary: 'Internal error: model not found',
    });
  });

  test('for want of a log-in is told how to log in', async () => {
    await using t = await talk(`agent['session/new'] = () => fail(-32000, 'Authentication required');`, {
      preset: 'codex',
    });
    expect((await run(t)).result.summary).toMatch(/^Authentication required; .*codex login/);
  });

  test('by dying is told with its last words, started anew, and taken up where it was', async () => {
    await using t = await talk(`agent['session/prompt'] = (p) => {
      if (p.prompt[0].text === 'die') { process.stderr.write('out of memory\\n'); say(p, 'Let me'); return die(3); }
      say(p, 'Back again.'); return END;
    };`);
    const { result } = await run(t, { prompt: 'die' });
    expect(result).toMatchObject({
      stopReason: 'truncated',
      summary: expect.stringMatching(/ended with exit code 3 before .*out of memory; last it said: Let me/s),
    });
    const { sessionId = '' } = result;
    expect((await run(t, { sessionId })).result).toMatchObject({ summary: 'Back again.', sessionId });
    expect(await t.pids()).toHaveLength(2);
    expect(await t.heard()).toContain(`session/load "${sessionId}"`);
  });

  test('to take up its session begins a new one, and that is said', async () => {
    await using t = await talk(
      `${DONE} agent['session/load'] = () => fail(-32603, 'no such session\\nlook elsewhere');`,
    );
    const { result } = await run(t, { sessionId: 'lost' });
    expect(result.summary).toBe(
      'session lost could not be taken up again (no such session), so a new one was begun; Done.',
    );
    expect(result.sessionId).not.toBe('lost');
  });

  test('by a usage limit is asked again after it, to go on', async () => {
    await using t = await talk(`let n = 0; agent['session/prompt'] = (p) => {
      if (n++ === 0) { say(p, 'Begun.'); fail(-32603, 'Internal error', { details: 'HTTP 429, try again in 50ms' }); }
      say(p, 'Done.'); return END;
    };`);
    const { result, told } = await run(t, { prompt: 'work' });
    expect(result).toMatchObject({ stopReason: 'completed', summary: 'Done.' });
    expect(told.waiting).toEqual([expect.stringContaining('limit')]);
    const prompts = (await t.heard()).filter((line) => line.startsWith('session/prompt'));
    expect(prompts).toEqual(['session/prompt "work"', expect.stringContaining('usage limit')]);
    expect(await t.heard()).toHaveLength(4);
  });

  test('by a usage limit longer than is waited for is rate-limited', async () => {
    await using t = await talk(
      `agent['session/prompt'] = (p) => { say(p, 'usage limit reached, try again in 3 hours'); return { ...END, usage: null }; };`,
      { usage: 'prompt', maxWaitMs: 1000 },
    );
    expect((await run(t)).result).toMatchObject({
      stopReason: 'rate-limited',
      summary: expect.stringContaining('maxWaitMs'),
    });
  });

  test('that speaks another version, or something else, is told', async () => {
    await using other = await talk(`agent.initialize = () => ({ protocolVersion: 7 });`);
    expect((await run(other)).result.summary).toContain('version 7');
    await using none = await talk(`agent.initialize = () => 'hello';`);
    expect((await run(none)).result.summary).toContain('something else');
  });
});

describe('an agent that does not end', () => {
  const HANGS = `agent['session/prompt'] = (p) => { say(p, 'Thinking abou'); return hang(); };`;

  test('is cancelled before it is ended, and its answer still counts', async () => {
    await using t = await talk(
      `let stop; agent['session/cancel'] = () => stop({ stopReason: 'cancelled', usage: { inputTokens: 7, outputTokens: 1 } });
       agent['session/prompt'] = (p) => { say(p, 'Working.'); return new Promise((resolve) => { stop = resolve; }); };`,
      { usage: 'prompt' },
    );
    const controller = new AbortController();
    const turn = await t.turn({ signal: controller.signal });
    const running = t.opened.run(turn);
    await until(() => (turn.told.output !== '' ? true : undefined));
    controller.abort();
    const result = await running;
    expect(result).toMatchObject({
      stopReason: 'aborted',
      usage: { inputTokens: 7, outputTokens: 1 },
      sessionId: expect.any(String),
    });
    expect((await t.pids()).filter(isAlive)).toEqual([]);
  });

  test('is stalled after its silence, and started anew for the next turn', async () => {
    await using t = await talk(`${HANGS} agent['session/load'] = () => ({});`);
    // Longer than the agent takes to start on a busy machine: before its prompt there is nothing to cancel.
    const { result } = await run(t, { idleTimeoutMs: 10_000 });
    expect(result).toMatchObject({
      stopReason: 'stalled',
      summary: 'the agent was silent for too long and was stopped; last it said: Thinking abou',
    });
    expect(await t.heard()).toContain('session/cancel ""'.replace('""', JSON.stringify(result.sessionId)));
    expect((await t.pids()).filter(isAlive)).toEqual([]);
    await run(t, { idleTimeoutMs: 300, sessionId: result.sessionId ?? '' });
    expect(await t.pids()).toHaveLength(2);
  });

  test('is timed out by its own clock, and by the turn', async () => {
    await using own = await talk(HANGS, { timeoutMs: 300 });
    expect((await run(own)).result.stopReason).toBe('timed-out');
    await using t = await talk(HANGS);
    const controller = new AbortController();
    setTimeout(() => controller.abort('timed-out'), 300);
    expect((await run(t, { signal: controller.signal })).result.stopReason).toBe('timed-out');
  });

  test('though it is cancelled and asked to is killed within three seconds, with what it started', async () => {
    await using t = await talk(`process.on('SIGTERM', () => {}); process.stdin.removeAllListeners('end');
      agent['session/prompt'] = async (p) => {
        const cp = require('node:child_process');
        cp.spawn('sh', ['-c', 'trap "" TERM; echo $$ > shell.pid; while :; do sleep 1; done'], { detached: true, stdio: 'ignore' });
        return hang();
      };`);
    const controller = new AbortController();
    const running = t.opened.run(await t.turn({ signal: controller.signal }));
    const shell = await pidIn(join(t.dir, 'work', 'shell.pid'));
    const began = performance.now();
    controller.abort();
    expect((await running).stopReason).toBe('aborted');
    expect(performance.now() - began).toBeLessThan(3000);
    expect([...(await t.pids()), shell].filter(isAlive)).toEqual([]);
  });

  test('in its start is ended too', async () => {
    await using t = await talk('agent.initialize = hang;');
    const controller = new AbortController();
    const running = t.opened.run(await t.turn({ signal: controller.signal }));
    await until(async () => ((await t.heard()).length > 0 ? true : undefined));
    controller.abort();
    expect((await running).stopReason).toBe('aborted');
    expect((await t.pids()).filter(isAlive)).toEqual([]);
  });
});

describe('what a turn leaves', () => {
  test('in the background is ended, though the agent goes on', async () => {
    await using t = await talk(`agent['session/prompt'] = async (p) => {
      require('node:child_process').execFileSync('sh', ['-c', 'setsid sleep 300 >/dev/null 2>&1 & echo $! > stray.pid']);
      say(p, 'Server is up.'); return END;
    };`);
    await run(t);
    const stray = await pidIn(join(t.dir, 'work', 'stray.pid'));
    expect(isAlive(stray)).toBe(false);
    expect((await t.pids()).filter(isAlive)).toHaveLength(1);
    await t.opened.close();
    expect((await t.pids()).filter(isAlive)).toEqual([]);
  });
});

describe('mode and model', () => {
  const OFFERS = `${DONE}
    agent['session/new'] = () => ({ sessionId: 's', modes: { currentModeId: 'ask', availableModes: [{ id: 'ask' }, { id: 'https://x.test/modes#free' }] },
      configOptions: [{ id: 'm', category: 'model', options: [{ value: 'small', name: 'Small' }, { options: [{ value: 'big' }] }] }] });`;

  test('are set for each session', async () => {
    await using t = await talk(OFFERS, { mode: 'free', model: 'big' });
    await run(t);
    expect((await t.heard()).slice(2, 4)).toEqual([
      'session/set_mode "https://x.test/modes#free"',
      'session/set_config_option "big"',
    ]);
  });

  test('that the agent does not have end the turn with those that it has', async () => {
    await using t = await talk(OFFERS, { model: 'huge' });
    expect((await run(t)).result).toMatchObject({
      stopReason: 'error',
      summary: 'driver.options.model: the agent has no "huge"; it offers small, big',
    });
  });
});
