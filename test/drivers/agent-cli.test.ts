import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentCli } from '../../src/drivers/agent-cli.ts';
import { agentDriver } from '../../src/drivers/agent-driver.ts';
import type { Note } from '../../src/drivers/agent-notes.ts';
import { type CliOptions, cliOptions } from '../../src/drivers/agent-options.ts';
import type { Fields } from '../../src/drivers/fields.ts';
import { strictOptions } from '../../src/drivers/options.ts';
import { type TempDir, tempDir } from '../support/temp-dir.ts';
import { emits, fakeCli } from './fake-cli.ts';
import { isAlive, pidIn, until } from './processes.ts';
import { optionsOf, type TurnParts, turnIn } from './turn.ts';

/** An agent whose events are notes, so that what is shared by all agents is seen by itself. */
const toy: AgentCli<CliOptions> = {
  name: 'toy',
  description: 'a toy',
  program: 'toy',
  install: 'npm install -g toy',
  allow: 'set permission',
  options: strictOptions(cliOptions),
  keys: ['TOY_KEY'],
  login: async (env) => (env['TOY_KEY'] ? { login: 'yes' } : { login: 'no', advice: 'run "toy login"' }),
  prompt: { by: 'stdin' },
  namesSessions: true,
  unknownSession: /no such session/,
  environment: () => ({ TOY_UPDATES: 'off', TOY_LEVEL: 'driver' }),
  args: ({ session }) => ('resume' in session ? ['--resume', session.resume] : ['--new', session.start]),
  read: (event: Fields) => (typeof event['note'] === 'string' ? [event as unknown as Note] : []),
};

const said = (text: string): Note => ({ note: 'said', text });
const DONE: readonly Note[] = [{ note: 'turn' }, said('done'), { note: 'ended', as: 'completed' }];

interface Given {
  readonly cli?: Partial<AgentCli<CliOptions>>;
  readonly options?: object;
  readonly turn?: TurnParts;
}

/** One turn of the toy, whose program is this shell. */
async function play(dir: TempDir, body: string, { cli, options = {}, turn = {} }: Given = {}) {
  await fakeCli(join(dir.path, 'bin/toy'), body);
  const driver = agentDriver({ ...toy, ...cli });
  const env = { PATH: `${dir.path}/bin:${process.env['PATH']}`, HOME: dir.path };
  const t = await turnIn(dir.path, await optionsOf(driver, options), { env, ...turn });
  return { t, running: driver.run(t), file: (name: string) => readFile(join(t.workdir, name), 'utf8') };
}

async function played(dir: TempDir, body: string, given?: Given) {
  const { t, running, file } = await play(dir, body, given);
  return { result: await running, told: t.told, file, scratch: t.scratch };
}

describe('a turn', () => {
  test('passes on what the agent does and says as it does it, and tells its usage and its session', async () => {
    await using dir = await tempDir();
    const events = emits(
      { note: 'turn' },
      { note: 'acted', tool: 'write', input: join(dir.path, 'work', 'a.txt') },
      { note: 'used', usage: { inputTokens: 10, outputTokens: 2 } },
      { note: 'turn' },
      { note: 'used', usage: { inputTokens: 20, outputTokens: 3 } },
      said('I wrote it.'),
      { note: 'session', id: 's-1' },
      { note: 'ended', as: 'completed' },
    );
    const { result, told } = await played(dir, events);
    expect(result).toEqual({
      stopReason: 'completed',
      summary: 'I wrote it.',
      usage: { inputTokens: 30, outputTokens: 5, agentTurns: 2 },
      sessionId: 's-1',
    });
    expect(told).toMatchObject({ acted: ['write a.txt'], output: 'I wrote it.\n' });
  });

  test('is seen while it goes on', async () => {
    await using dir = await tempDir();
    const controller = new AbortController();
    const body = `${emits({ note: 'acted', tool: 'read' })}\nexec sleep 300`;
    const { t, running } = await play(dir, body, { turn: { signal: controller.signal } });
    await until(() => (t.told.acted.includes('read') ? true : undefined));
    controller.abort();
    expect(await running).toMatchObject({ stopReason: 'aborted' });
  });

  test('gives the system part and the prompt, however long, and closes stdin', async () => {
    await using dir = await tempDir();
    const prompt = 'p'.repeat(1_000_000);
    const body = `cat > prompt.txt\n${emits(...DONE)}`;
    const { result, file } = await played(dir, body, { turn: { prompt, system: 'be careful' } });
    expect(result.stopReason).toBe('completed');
    expect(await file('prompt.txt')).toBe(`be careful\n\n${prompt}`);
  });

  test('gives the prompt as a file where the agent takes one', async () => {
    await using dir = await tempDir();
    const cli: Given['cli'] = { prompt: { by: 'file' }, args: ({ promptFile }) => [promptFile] };
    const { file } = await played(dir, `cp "$1" prompt.txt\n${emits(...DONE)}`, { cli });
    expect(await file('prompt.txt')).toBe('make it work');
  });

  test('tells where the prompt lies when the agent would refuse its length', async () => {
    await using dir = await tempDir();
    const prompt = `first things first\n${'p'.repeat(60_000)}\nthe end`;
    const given: Given = { cli: { prompt: { by: 'stdin', longest: 50_000 } }, turn: { prompt } };
    const { file, scratch } = await played(dir, `cat > prompt.txt\n${emits(...DONE)}`, given);
    const seen = await file('prompt.txt');
    expect(seen.length).toBeLessThan(25_000);
    expect(seen).toContain('first things first');
    const [name = ''] = await readdir(scratch);
    expect(seen).toContain(join(scratch, name));
    expect(await readFile(join(scratch, name), 'utf8')).toBe(prompt);
  });

  test('has the variables of the turn, of the driver and of the options, the last above all', async () => {
    await using dir = await tempDir();
    const body = `env > env.txt\n${emits(...DONE)}`;
    const { file } = await played(dir, body, { options: { env: { TOY_LEVEL: 'user' } } });
    const seen = (await file('env.txt')).split('\n');
    expect(seen).toContain('TOY_UPDATES=off');
    expect(seen).toContain('TOY_LEVEL=user');
    expect(seen.some((line) => line.startsWith('npm_'))).toBe(false);
  });

  test('starts what the options name, with their arguments around those of the driver', async () => {
    await using dir = await tempDir();
    const wrapper = await fakeCli(join(dir.path, 'other/wrapper'), `echo "$@" > args.txt\n${emits(...DONE)}`);
    const options = { command: [wrapper, '--first'], args: ['--last'] };
    const { file } = await played(dir, 'exit 9', { options, turn: { sessionId: 's-1' } });
    expect(await file('args.txt')).toBe('--first --resume s-1 --last\n');
  });

  test('that was stopped before it began starts nothing', async () => {
    await using dir = await tempDir();
    const { result, file } = await played(dir, 'touch started', { turn: { signal: AbortSignal.abort() } });
    expect(result.stopReason).toBe('aborted');
    await expect(file('started')).rejects.toThrow();
  });

  test('shows lines that are no events, and takes none of them for one', async () => {
    await using dir = await tempDir();
    const body = `echo 'update available'\necho '{"note":"ended"'\necho oops >&2\n${emits(...DONE)}`;
    const { result, told } = await played(dir, body);
    expect(result).toMatchObject({ stopReason: 'completed', summary: 'done' });
    expect(told.output).toContain('update available\n');
    expect(told.output).toContain('oops\n');
  });
});

describe('what an agent says of its success decides nothing', () => {
  test('an exit code beside a finished turn is told with it', async () => {
    await using dir = await tempDir();
    const { result } = await played(dir, `${emits(...DONE)}\nexit 1`);
    expect(result).toMatchObject({
      stopReason: 'completed',
      summary: 'done — the program ended with exit code 1',
    });
  });

  test('an error that ends as completed, with exit code 0, is an error', async () => {
    await using dir = await tempDir();
    const failed: Note = { note: 'failed', message: 'model exploded' };
    const { result } = await played(dir, emits({ note: 'turn' }, failed, { note: 'ended', as: 'completed' }));
    expect(result).toMatchObject({ stopReason: 'error', summary: 'model exploded' });
  });

  test('an error that the agent got over is none', async () => {
    await using dir = await tempDir();
    const { result } = await played(dir, emits({ note: 'failed', message: 'hiccup' }, ...DONE));
    expect(result).toMatchObject({ stopReason: 'completed', summary: 'done' });
  });

  test('a turn without a call of the model is an error, though it claims to be completed', async () => {
    await using dir = await tempDir();
    const { result } = await played(dir, emits({ note: 'ended', as: 'completed' }));
    expect(result).toMatchObject({
      stopReason: 'error',
      summary: expect.stringContaining('without asking a model'),
    });
  });

  test('an empty reply keeps its usage', async () => {
    await using dir = await tempDir();
    const used: Note = { note: 'used', usage: { inputTokens: 5 } };
    const { result } = await played(dir, emits({ note: 'turn' }, used, { note: 'ended', as: 'completed' }));
    expect(result).toMatchObject({ summary: 'the agent said nothing', usage: { inputTokens: 5 } });
  });

  test('a stream that breaks off in the middle is truncated, whatever the exit code', async () => {
    await using dir = await tempDir();
    for (const end of ['exit 0', 'exit 1', 'kill -KILL $$']) {
      const { result } = await played(dir, `${emits({ note: 'turn' }, said('I am going to'))}\n${end}`);
      expect(result).toMatchObject({
        stopReason: 'truncated',
        summary: expect.stringContaining('before it had finished'),
      });
    }
  });

  test('a program that fails before its first event is an error in its own words', async () => {
    await using dir = await tempDir();
    const { result } = await played(dir, 'echo "not signed in" >&2; exit 1');
    expect(result).toEqual({ stopReason: 'error', summary: 'not signed in' });
  });

  test('a program that says nothing at all is an error', async () => {
    await using dir = await tempDir();
    const { result } = await played(dir, 'exit 0');
    expect(result).toMatchObject({
      stopReason: 'error',
      summary: expect.stringContaining('ended with exit code 0'),
    });
  });

  test('a program that is not there names the command that installs it', async () => {
    await using dir = await tempDir();
    const { result } = await played(dir, 'true', { options: { command: 'no-such-toy' } });
    expect(result).toMatchObject({
      stopReason: 'error',
      summary: expect.stringContaining('npm install -g toy'),
    });
  });
});

describe('what was denied', () => {
  const write: Note = { note: 'acted', tool: 'write', input: 'a.txt', id: 'c1' };

  test('is told to the reader and to the agent, where the turn went on', async () => {
    await using dir = await tempDir();
    const { result, told } = await played(dir, emits(write, { note: 'denied', id: 'c1' }, ...DONE));
    expect(result).toMatchObject({
      stopReason: 'completed',
      summary: 'done — it was denied write (a.txt)',
      problem: expect.stringContaining('write (a.txt)'),
    });
    expect(told.acted).toContain('denied write (a.txt)');
  });

  test('is why the turn broke off, with the option that allows it', async () => {
    await using dir = await tempDir();
    const cancelled: Note = { note: 'ended', as: 'cancelled' };
    for (const end of [[cancelled], []]) {
      const { result } = await played(
        dir,
        emits({ note: 'turn' }, write, { note: 'denied', id: 'c1' }, ...end),
      );
      expect(result).toMatchObject({
        stopReason: 'error',
        summary: expect.stringMatching(/denied write .*: set permission/),
      });
    }
  });
});

describe('limits', () => {
  test('end an agent that is silent, with all that it started', async () => {
    await using dir = await tempDir();
    const body = `setsid sh -c 'echo $$ > helper-pid; exec sleep 300' &\n${emits({ note: 'turn' })}\nexec sleep 300`;
    const { t, running } = await play(dir, body, { options: { idleTimeoutMs: 1000 } });
    const pid = await pidIn(join(t.workdir, 'helper-pid'));
    expect(await running).toMatchObject({ stopReason: 'stalled' });
    expect(isAlive(pid)).toBe(false);
  });

  test('end a turn by the clock of the options', async () => {
    await using dir = await tempDir();
    const body = `while :; do ${emits({ note: 'waiting', what: 'x' })}\nsleep 0.05; done`;
    const { result } = await played(dir, body, {
      options: { timeoutMs: 500 },
      turn: { idleTimeoutMs: 5000 },
    });
    expect(result.stopReason).toBe('timed-out');
  });

  test('stop an agent that has had its turns, before the next does anything', async () => {
    await using dir = await tempDir();
    const act = (input: string): Note => ({ note: 'acted', tool: 'run', input });
    const body = `${emits({ note: 'turn' }, act('1'), { note: 'turn' }, act('2'), { note: 'turn' }, act('3'))}\nexec sleep 300`;
    const { result, told } = await played(dir, body, { options: { maxTurns: 2 } });
    expect(result).toMatchObject({ stopReason: 'max-turns', summary: 'the agent was stopped after 2 turns' });
    expect(told.acted).toEqual(['run 1', 'run 2']);
  });

  test('count all that the event tells which is one too many: what it used is paid for', async () => {
    await using dir = await tempDir();
    const events = [1, 2, 3].map((input) => ({ over: input }));
    const cli: Given['cli'] = {
      read: ({ over }) => [
        { note: 'turn' },
        { note: 'used', usage: { inputTokens: Number(over) } },
        { note: 'acted', tool: `step ${over}` },
      ],
    };
    const body = `${emits(...events)}\nexec sleep 300`;
    const { result, told } = await played(dir, body, { cli, options: { maxTurns: 1 } });
    expect(result).toMatchObject({
      stopReason: 'max-turns',
      summary: 'the agent was stopped after 1 turn',
      usage: { inputTokens: 3, agentTurns: 2 },
    });
    expect(told.acted).toEqual(['step 1', 'step 2']);
  });

  test('an agent that keeps to its turns by itself says so', async () => {
    await using dir = await tempDir();
    const { result } = await played(
      dir,
      emits({ note: 'turn' }, said('so far'), { note: 'ended', as: 'max-turns' }),
    );
    expect(result).toMatchObject({ stopReason: 'max-turns', summary: 'so far — it had used up its turns' });
  });
});

describe('sessions', () => {
  test('a new one has the id it was given, also where the agent was killed before it told it', async () => {
    await using dir = await tempDir();
    const body = `echo "$2" > id.txt\n${emits({ note: 'turn' }, said('half'))}\nkill -KILL $$`;
    const { result, file } = await played(dir, body);
    expect(result.sessionId).toBe((await file('id.txt')).trim());
  });

  test('one that nothing happened in is not gone on with', async () => {
    await using dir = await tempDir();
    const { result } = await played(dir, 'exit 1');
    expect(result).not.toHaveProperty('sessionId');
  });

  test('one that the agent does not know begins anew, once, and that is said', async () => {
    await using dir = await tempDir();
    const body = `echo "$1" >> starts.txt\n[ "$1" = --resume ] && { echo 'no such session' >&2; exit 1; }\n${emits(...DONE)}`;
    const { result, file } = await played(dir, body, { turn: { sessionId: 'gone' } });
    expect(result).toMatchObject({
      stopReason: 'completed',
      summary: expect.stringMatching(/^session gone is not known to toy any more.*; done$/),
    });
    expect(await file('starts.txt')).toBe('--resume\n--new\n');
  });

  test('one that the agent cannot read, and breaks down over, begins anew, once, and that is said', async () => {
    await using dir = await tempDir();
    const crash = `node -e 'JSON.parse("{")'`;
    const body = `echo "$1" >> starts.txt\n[ "$1" = --resume ] && { ${crash}; exit 1; }\n${emits(...DONE)}`;
    const { result, file } = await played(dir, body, { turn: { sessionId: 'torn' } });
    expect(result).toMatchObject({
      stopReason: 'completed',
      summary: expect.stringMatching(
        /^session torn could not be gone on with \(SyntaxError: .*\), so a new one was begun; done$/,
      ),
    });
    expect(await file('starts.txt')).toBe('--resume\n--new\n');
  });

  test('one that breaks down anew as well is begun no third time', async () => {
    await using dir = await tempDir();
    const body = 'echo "$1" >> starts.txt\necho "no space left" >&2\nexit 1';
    const { result, file } = await played(dir, body, { turn: { sessionId: 's-1' } });
    expect(result).toEqual({
      stopReason: 'error',
      summary: expect.stringMatching(/^session s-1 could not .*, so a new one was begun; no space left$/),
    });
    expect(await file('starts.txt')).toBe('--resume\n--new\n');
  });

  test.each<[string, string, object]>([
    ['a usage limit', 'echo "Error: 429 Too Many Requests" >&2; exit 1', { maxWaitMs: 0 }],
    ['a wrong key', 'echo "Error: 401 Unauthorized" >&2; exit 1', {}],
    ['a missing log-in', 'echo "Not signed in" >&2; exit 1', {}],
    ['the clock of the turn', 'exec sleep 300', { timeoutMs: 500 }],
    ['silence', 'exec sleep 300', { idleTimeoutMs: 500 }],
    ['nothing at all, as if all were well', 'exit 0', {}],
    ['an event that tells the error', `${emits({ note: 'failed', message: 'no disk' })}\nexit 1`, {}],
    ['a session that was taken up', `${emits({ note: 'session', id: 's-1' })}\nexit 1`, {}],
  ])('one that ends by %s is kept', async (_, body, options) => {
    await using dir = await tempDir();
    const given = { options, turn: { sessionId: 's-1' } };
    const { result, file } = await played(dir, `echo "$1" >> starts.txt\n${body}`, given);
    expect(result.summary).not.toContain('new one');
    expect(await file('starts.txt')).toBe('--resume\n');
  });

  test('the same words of an agent that did something are no lost session', async () => {
    await using dir = await tempDir();
    const body = `echo x >> starts.txt\n${emits({ note: 'turn' }, said('no such session'))}\necho 'no such session' >&2`;
    const { file } = await played(dir, body, { turn: { sessionId: 's-1' } });
    expect(await file('starts.txt')).toBe('x\n');
  });
});

describe('usage limits', () => {
  const limited = (message: string, retryAfterMs: number): Note => ({
    note: 'failed',
    message,
    status: 429,
    retryAfterMs,
  });

  test('are waited out inside the turn, and the session that was begun goes on', async () => {
    await using dir = await tempDir();
    const body = `echo "$1" >> starts.txt\ncat >> prompts.txt\n[ -e been ] || { touch been\n${emits({ note: 'turn' }, said('half'), { note: 'used', usage: { inputTokens: 7 } }, { note: 'session', id: 's-1' }, limited('slow down', 10))}\nexit 1; }\n${emits(...DONE, { note: 'used', usage: { inputTokens: 5 } })}`;
    const { result, told, file } = await played(dir, body);
    expect(result).toMatchObject({
      stopReason: 'completed',
      summary: 'done',
      usage: { inputTokens: 12, agentTurns: 2 },
    });
    expect(told.waiting).toContain('rate limit of toy: asking again in 0 s');
    expect(await file('starts.txt')).toBe('--new\n--resume\n');
    expect(await file('prompts.txt')).toMatch(/^make it work.*Go on where you were/s);
  });

  test('that last longer than the patience end the turn as rate-limited', async () => {
    await using dir = await tempDir();
    const { result } = await played(dir, emits(limited('slow down', 5000)), { options: { maxWaitMs: 1000 } });
    expect(result).toMatchObject({
      stopReason: 'rate-limited',
      summary: expect.stringMatching(/^slow down; a wait of 5 s .*maxWaitMs/),
    });
  });

  test('that a program tells on stderr alone are usage limits too', async () => {
    await using dir = await tempDir();
    const body = 'echo "Error: 429 Too Many Requests" >&2; exit 1';
    const { result } = await played(dir, body, { options: { maxWaitMs: 0 } });
    expect(result.stopReason).toBe('rate-limited');
  });

  test('in the words of the model are talk', async () => {
    await using dir = await tempDir();
    const { result } = await played(
      dir,
      emits({ note: 'turn' }, said('usage limit reached'), { note: 'ended', as: 'completed' }),
    );
    expect(result.stopReason).toBe('completed');
  });

  test('are not waited for once the user stops the run', async () => {
    await using dir = await tempDir();
    const controller = new AbortController();
    const given = { turn: { signal: controller.signal } };
    const { t, running } = await play(dir, emits(limited('slow down', 60_000)), given);
    await until(() => (t.told.waiting.some((what) => what.includes('rate limit')) ? true : undefined));
    controller.abort();
    expect(await running).toMatchObject({ stopReason: 'aborted' });
  });
});

describe('preflight', () => {
  async function ask(dir: TempDir, given: { env?: object; options?: object; cli?: Given['cli'] } = {}) {
    const driver = agentDriver({ ...toy, ...given.cli });
    const env = { PATH: `${dir.path}/bin:/usr/bin:/bin`, TOY_KEY: 'k', ...given.env };
    const warnings: string[] = [];
    await mkdir(join(dir.path, 'work'), { recursive: true });
    const context = {
      workdir: join(dir.path, 'work'),
      options: await optionsOf(driver, given.options ?? {}),
      env,
      signal: new AbortController().signal,
      warn: (message: string) => warnings.push(message),
    };
    return { errors: await driver.preflight?.(context), warnings };
  }

  test('finds nothing missing', async () => {
    await using dir = await tempDir();
    await fakeCli(join(dir.path, 'bin/toy'), 'echo "Toy CLI 1.2.3-beta.1."');
    expect(await ask(dir)).toEqual({ errors: [], warnings: [] });
  });

  test('says how to install what is not on PATH', async () => {
    await using dir = await tempDir();
    const { errors } = await ask(dir);
    expect(errors).toEqual([
      expect.stringMatching(/^"toy" is not on PATH: install it with "npm install -g toy".*PATH: /),
    ]);
  });

  test('says what a program answers that does not run', async () => {
    await using dir = await tempDir();
    await fakeCli(join(dir.path, 'bin/toy'), 'echo "postinstall was not run"; exit 1');
    const { errors } = await ask(dir);
    expect(errors).toEqual([expect.stringMatching(/exit code 1: postinstall was not run; install it anew/)]);
  });

  test('says how to log in, and only doubts where it cannot know', async () => {
    await using dir = await tempDir();
    await fakeCli(join(dir.path, 'bin/toy'), 'echo 1.0.0');
    expect((await ask(dir, { env: { TOY_KEY: '' } })).errors).toEqual(['run "toy login"']);
    const login = async () => ({ login: 'unknown', advice: 'perhaps run "toy login"' }) as const;
    expect(await ask(dir, { cli: { login } })).toMatchObject({
      errors: [],
      warnings: ['perhaps run "toy login"'],
    });
  });

  test('counts variables of the options as there', async () => {
    await using dir = await tempDir();
    await fakeCli(join(dir.path, 'bin/toy'), 'echo 1.0.0');
    const given = { env: { TOY_KEY: '' }, options: { env: { TOY_KEY: 'k' } } };
    expect((await ask(dir, given)).errors).toEqual([]);
  });

  test('asks the agent what else it misses', async () => {
    await using dir = await tempDir();
    await fakeCli(join(dir.path, 'bin/toy'), 'echo 1.0.0');
    const missing: AgentCli<CliOptions>['missing'] = async ({ warn }) => {
      warn?.('a doubt');
      return ['a lack'];
    };
    expect(await ask(dir, { cli: { missing } })).toMatchObject({ errors: ['a lack'], warnings: ['a doubt'] });
  });
});

test('an agent that tells no usage says so for its driver', () => {
  expect(agentDriver({ ...toy, reportsUsage: false }).reportsUsage).toBe(false);
  expect(agentDriver(toy)).not.toHaveProperty('reportsUsage');
});

test('unknown options are errors that name the nearest', async () => {
  await expect(optionsOf(agentDriver(toy), { maxTurn: 3 })).rejects.toThrow('did you mean "maxTurns"?');
});
