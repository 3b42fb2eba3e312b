import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { copilot, copilotDriver } from '../../src/drivers/github-copilot.ts';
import { type TempDir, tempDir } from '../support/temp-dir.ts';
import { emits, fakeCli } from './fake-cli.ts';
import { optionsOf, type TurnParts, turnIn } from './turn.ts';

const turnStart = { type: 'assistant.turn_start', data: { turnId: '0' } };
const message = (content: string) => ({ type: 'assistant.message', data: { content, toolRequests: [] } });
const create = {
  type: 'tool.execution_start',
  data: { toolCallId: 'call_1', toolName: 'create', arguments: { path: 'hello.txt', file_text: 'hello\n' } },
};
const complete = (more: object) => ({
  type: 'tool.execution_complete',
  data: { toolCallId: 'call_1', success: false, ...more },
});
const result = (sessionId = 's-new') => ({
  type: 'result',
  sessionId,
  exitCode: 0,
  usage: { premiumRequests: 0 },
});

/** The file of counts that Copilot writes at its end. */
const counts = (input: number, output: number) => {
  const usage = { inputTokens: input, outputTokens: output, cacheReadTokens: 0 };
  const json = JSON.stringify({ modelMetrics: { m: { usage } } });
  return `while [ "$1" != --usage-output-file ]; do shift; done\necho '${json}' > "$2"`;
};

const PLAIN = emits(turnStart, message('done'), result());

async function played(dir: TempDir, body: string, options: object = {}, turn: TurnParts = {}) {
  await fakeCli(join(dir.path, 'bin/copilot'), `echo "$@" > args.txt\ncat > prompt.txt\n${body}`);
  const env = { PATH: `${dir.path}/bin:${process.env['PATH']}`, HOME: dir.path };
  const t = await turnIn(dir.path, await optionsOf(copilotDriver, options), { env, ...turn });
  const told = await copilotDriver.run(t);
  const file = async (name: string) => (await readFile(join(t.workdir, name), 'utf8')).trim();
  return {
    result: told,
    told: t.told,
    scratch: t.scratch,
    args: await file('args.txt'),
    prompt: await file('prompt.txt'),
  };
}

describe('a turn of Copilot', () => {
  test('has its prompt by stdin, a session id of its own, and leave to use every tool', async () => {
    await using dir = await tempDir();
    const events = emits(
      turnStart,
      create,
      complete({ success: true }),
      turnStart,
      message('I wrote it.'),
      result(),
    );
    const turn = await played(dir, `${events}\n${counts(2000, 100)}`);
    expect(turn.result).toEqual({
      stopReason: 'completed',
      summary: 'I wrote it.',
      usage: { inputTokens: 2000, outputTokens: 100, agentTurns: 2 },
      sessionId: 's-new',
    });
    expect(turn.told.acted).toEqual(['create hello.txt']);
    expect(turn.prompt).toBe('make it work');
    expect(turn.args).toMatch(/--session-id [0-9a-f-]{36} --allow-all-tools$/);
  });

  test('uses what its session’s counts grew by, for they add up over the session', async () => {
    await using dir = await tempDir();
    const first = await played(dir, `${emits(turnStart, message('1'), result('s-1'))}\n${counts(2000, 100)}`);
    const { scratch } = first;
    // The fake tells another id than it was given, as a forked session would: its counts then have no beginning.
    const unknown = await played(dir, `${PLAIN}\n${counts(3000, 150)}`, {}, { scratch, sessionId: 's-1' });
    expect(unknown.result).not.toHaveProperty('usage');
    const known = await played(dir, `${PLAIN}\n${counts(4500, 170)}`, {}, { scratch, sessionId: 's-1' });
    expect(known.result.usage).toMatchObject({ inputTokens: 1500, outputTokens: 20 });
  });

  test('whose counts are not written used nobody knows what', async () => {
    await using dir = await tempDir();
    expect((await played(dir, PLAIN)).result).not.toHaveProperty('usage');
  });

  test('goes on with its session, and takes rules in place of a free hand', async () => {
    await using dir = await tempDir();
    const options = { allow: ['write'], deny: ['shell(git push)'], model: 'm', effort: 'low' };
    const { args } = await played(dir, PLAIN, options, { sessionId: 's-1' });
    expect(args).toMatch(
      /--resume=s-1 --allow-tool=write --deny-tool=shell\(git push\) --model m --reasoning-effort low$/,
    );
    expect(args).not.toContain('--allow-all-tools');
  });

  test('tells a tool that was denied, though it exits with 0, but none that only failed', async () => {
    await using dir = await tempDir();
    const denied = complete({ error: { code: 'denied', message: 'Permission denied' } });
    const { result: told } = await played(
      dir,
      emits(turnStart, create, denied, turnStart, message('fin'), result()),
    );
    expect(told).toMatchObject({
      stopReason: 'completed',
      summary: 'fin — it was denied create (hello.txt)',
      problem: expect.stringContaining('create (hello.txt)'),
    });
    const failed = complete({ error: { code: 'failure', message: 'no such folder' } });
    expect(
      (await played(dir, emits(turnStart, create, failed, message('x'), result()))).result.problem,
    ).toBeUndefined();
  });

  test.each([
    [{ errorType: 'rate_limit', message: 'Failed; retried 5 times', statusCode: 429 }, 'rate-limited'],
    [{ errorType: 'query', message: 'Failed. Last error: 529 overloaded', statusCode: 529 }, 'rate-limited'],
    [
      { errorType: 'query', message: "You've reached your monthly limit of premium requests" },
      'rate-limited',
    ],
    [{ errorType: 'query', message: 'No response was returned.' }, 'error'],
    [{ errorType: 'query', message: 'Authentication failed (HTTP 401).', statusCode: 401 }, 'error'],
  ])('that fails with %j is told as it is', async (data, stopReason) => {
    await using dir = await tempDir();
    const body = `${emits(turnStart, { type: 'session.error', data }, result())}\nexit 1`;
    expect((await played(dir, body, { maxWaitMs: 0 })).result).toMatchObject({
      stopReason,
      summary: expect.stringContaining(data.message),
    });
  });

  test('shows that it asks its model again', async () => {
    await using dir = await tempDir();
    const retry = { type: 'assistant.turn_retry', data: { reason: 'rate_limit' } };
    const { told } = await played(dir, emits(turnStart, retry, message('done'), result()));
    expect(told.waiting).toContain('its model: rate_limit');
  });

  test('that does not know its session begins a new one', async () => {
    await using dir = await tempDir();
    const body = `case "$*" in *--resume*) echo "Error: No session, task, or name matched 's-1'." >&2; exit 1;; esac\n${PLAIN}`;
    const { result: told } = await played(dir, body, {}, { sessionId: 's-1' });
    expect(told).toMatchObject({
      stopReason: 'completed',
      summary: expect.stringContaining('s-1 is not known'),
    });
  });

  test('with a prompt that it would refuse is told where the prompt lies, in a folder that it may read', async () => {
    await using dir = await tempDir();
    const { args, prompt, scratch } = await played(dir, PLAIN, {}, { prompt: 'p'.repeat(1_000_000) });
    expect(prompt).toContain(`in the file ${scratch}/`);
    expect(args).toContain(`--add-dir ${scratch}`);
  });

  test('starts the program behind the wrapper of its package', async () => {
    await using dir = await tempDir();
    const root = join(dir.path, 'node_modules');
    const wrapper = await fakeCli(join(root, '@github/copilot/npm-loader.js'), 'touch wrapped');
    const native = `@github/copilot-${process.platform}-${process.arch}`;
    const program = await fakeCli(join(root, native, 'copilot'), `cat > /dev/null\n${PLAIN}`);
    const packed = { name: native, exports: { '.': './copilot' } };
    await writeFile(join(root, native, 'package.json'), JSON.stringify(packed));
    await mkdir(join(dir.path, 'npm'));
    await symlink(wrapper, join(dir.path, 'npm/copilot'));
    const env = { PATH: `${dir.path}/npm:${process.env['PATH']}`, HOME: dir.path };
    const t = await turnIn(dir.path, await optionsOf(copilotDriver, {}), { env });
    expect(await copilotDriver.run(t)).toMatchObject({ stopReason: 'completed', summary: 'done' });
    expect(copilot.native?.(join(dir.path, 'npm/copilot'))).toBe(program);
    expect(copilot.native?.(program)).toBeUndefined();
  });
});

test('Copilot is logged in by a token, an account, gh, or a server of one’s own; else only a turn tells', async () => {
  await using dir = await tempDir();
  const env = { HOME: dir.path };
  expect(await copilot.login(env)).toMatchObject({
    login: 'unknown',
    advice: expect.stringContaining('copilot login'),
  });
  for (const name of ['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN', 'COPILOT_PROVIDER_BASE_URL']) {
    expect(await copilot.login({ ...env, [name]: 'x' })).toEqual({ login: 'yes' });
  }
  await mkdir(join(dir.path, 'state'));
  const account = '// User settings belong elsewhere.\n{"last_logged_in_user": {"login": "me"}}';
  await writeFile(join(dir.path, 'state/config.json'), account);
  expect(await copilot.login({ ...env, COPILOT_HOME: join(dir.path, 'state') })).toEqual({ login: 'yes' });
  await mkdir(join(dir.path, '.config/gh'), { recursive: true });
  await writeFile(join(dir.path, '.config/gh/hosts.yml'), '');
  expect(await copilot.login(env)).toEqual({ login: 'yes' });
});
