import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandDriver } from '../../src/drivers/command.ts';
import { tempDir } from '../support/temp-dir.ts';
import { fake, isAlive, pidIn, until } from './processes.ts';
import { optionsOf, type TurnParts, turnIn } from './turn.ts';

async function turn(dir: string, options: Record<string, unknown>, more: TurnParts = {}) {
  return await turnIn(dir, await optionsOf(commandDriver, options), more);
}

const read = (dir: string, name: string) => readFile(join(dir, 'work', name), 'utf8');

describe('a turn', () => {
  test('gives the prompt by stdin, edits the workspace, and sums up the last words without colour', async () => {
    await using dir = await tempDir();
    const t = await turn(dir.path, { command: fake('agent-edits') }, { system: 'you are careful' });
    expect(await commandDriver.run(t)).toEqual({
      stopReason: 'completed',
      summary: 'reading the tests\ndone: wrote solution.py',
    });
    expect(await read(dir.path, 'prompt-seen.txt')).toBe('you are careful\n\nmake it work');
    expect(await read(dir.path, 'solution.py')).toBe('x = 1\n');
    expect(t.told.output).toContain('reading the tests\n');
  });

  test('takes a program with arguments, without a shell between', async () => {
    await using dir = await tempDir();
    const t = await turn(dir.path, {
      command: [fake('agent-shows-arguments'), '$HOME', 'a b'],
      env: { KEY: 'v' },
    });
    expect(await commandDriver.run(t)).toMatchObject({ stopReason: 'completed', summary: 'seen' });
    const seen = JSON.parse(await read(dir.path, 'seen.json'));
    expect(seen.args).toEqual(['$HOME', 'a b']);
    expect(seen.env.KEY).toBe('v');
  });

  test('sees only the variables of the turn and of its options', async () => {
    await using dir = await tempDir();
    process.env['LOOPGEN_TEST_SECRET'] = 'not for agents';
    const t = await turn(dir.path, { command: [fake('agent-shows-arguments')] });
    await commandDriver.run(t);
    delete process.env['LOOPGEN_TEST_SECRET'];
    expect(JSON.parse(await read(dir.path, 'seen.json')).env).not.toHaveProperty('LOOPGEN_TEST_SECRET');
  });

  test('passes output on while the agent still works', async () => {
    await using dir = await tempDir();
    const controller = new AbortController();
    const t = await turn(dir.path, { command: fake('agent-hangs') }, { signal: controller.signal });
    const running = commandDriver.run(t);
    await until(() => (t.told.output === 'thinking abou' ? true : undefined));
    controller.abort();
    expect(await running).toMatchObject({ stopReason: 'aborted' });
  });

  test('that writes to stderr only is a turn like any other', async () => {
    await using dir = await tempDir();
    const t = await turn(dir.path, { command: fake('agent-writes-only-stderr') });
    expect(await commandDriver.run(t)).toEqual({ stopReason: 'completed', summary: 'edited solution.py' });
    expect(await read(dir.path, 'solution.py')).toBe('x = 1\n');
  });

  test('that says nothing says so', async () => {
    await using dir = await tempDir();
    const t = await turn(dir.path, { command: fake('agent-is-silent') });
    expect(await commandDriver.run(t)).toEqual({
      stopReason: 'completed',
      summary: 'the agent said nothing',
    });
  });

  test('that claims success is completed, no more', async () => {
    await using dir = await tempDir();
    const t = await turn(dir.path, { command: fake('agent-claims-done') });
    expect(await commandDriver.run(t)).toMatchObject({
      stopReason: 'completed',
      summary: 'All tests pass. DONE.',
    });
  });

  test('keeps the end of a flood', async () => {
    await using dir = await tempDir();
    const t = await turn(dir.path, { command: fake('agent-floods'), maxOutput: 4096 });
    expect((await commandDriver.run(t)).summary).toMatch(/noise 199999\nresult: ok$/);
  });

  test('runs in a folder of the workspace, and nowhere else', async () => {
    await using dir = await tempDir();
    await mkdir(join(dir.path, 'work/sub'), { recursive: true });
    await symlink(dir.path, join(dir.path, 'work/out'));
    const inside = await turn(dir.path, { command: [fake('agent-shows-arguments')], cwd: 'sub' });
    await commandDriver.run(inside);
    expect(JSON.parse(await read(dir.path, 'sub/seen.json')).cwd).toBe(join(dir.path, 'work/sub'));
    for (const cwd of ['..', 'out']) {
      const outside = await turn(dir.path, { command: 'touch leaked', cwd });
      const result = await commandDriver.run(outside);
      expect(result).toMatchObject({
        stopReason: 'error',
        summary: expect.stringContaining('driver.options.cwd'),
      });
    }
  });

  test('that was stopped before it began starts nothing', async () => {
    await using dir = await tempDir();
    const t = await turn(dir.path, { command: 'touch started' }, { signal: AbortSignal.abort() });
    expect(await commandDriver.run(t)).toMatchObject({ stopReason: 'aborted' });
    await expect(read(dir.path, 'started')).rejects.toThrow();
  });
});

describe('the prompt', () => {
  test('as a file has its path in the command line and in a variable', async () => {
    await using dir = await tempDir();
    const t = await turn(dir.path, {
      command: [fake('agent-shows-arguments'), '--prompt={prompt_file}'],
      prompt: 'file',
    });
    await commandDriver.run(t);
    const seen = JSON.parse(await read(dir.path, 'seen.json'));
    expect(seen.file).toBe('make it work');
    expect(seen.args).toEqual([`--prompt=${seen.env.LOOPGEN_PROMPT_FILE}`]);
    expect(seen.env.LOOPGEN_PROMPT_FILE.startsWith(t.scratch)).toBe(true);
  });

  const tricky = `it's "quoted" $HOME \`id\` $(id) \\ $& {x}\nline 2 ; rm -rf / #`;

  test.each([
    ['a shell line, in place of {prompt}', `'AGENT' -p {prompt} --end`, ['-p', tricky, '--end']],
    ['a shell line, last', `'AGENT' -p`, ['-p', tricky]],
    ['an array, in place of {prompt}', ['AGENT', 'p={prompt}', '--end'], [`p=${tricky}`, '--end']],
    ['an array, last', ['AGENT', '-p'], ['-p', tricky]],
  ])('as an argument of %s arrives character by character', async (_, command, expected) => {
    await using dir = await tempDir();
    const agent = fake('agent-shows-arguments');
    const filled =
      typeof command === 'string'
        ? command.replace('AGENT', agent)
        : command.map((c) => c.replace('AGENT', agent));
    const t = await turn(dir.path, { command: filled, prompt: 'argument' }, { prompt: tricky });
    expect(await commandDriver.run(t)).toMatchObject({ stopReason: 'completed' });
    expect(JSON.parse(await read(dir.path, 'seen.json')).args).toEqual(expected);
  });

  test('that is too long for an argument names the ways out; by stdin and file it fits', async () => {
    await using dir = await tempDir();
    const prompt = 'x'.repeat(2_000_000);
    const agent = [fake('agent-shows-arguments')];
    const refused = await turn(dir.path, { command: agent, prompt: 'argument' }, { prompt });
    expect(await commandDriver.run(refused)).toEqual({
      stopReason: 'error',
      summary: expect.stringMatching(
        /argument of 2000 kB.*\(100 kB\): set driver.options.prompt to file or stdin/,
      ),
    });
    const file = await turn(dir.path, { command: agent, prompt: 'file' }, { prompt });
    expect(await commandDriver.run(file)).toMatchObject({ stopReason: 'completed' });
    expect(JSON.parse(await read(dir.path, 'seen.json')).file).toHaveLength(2_000_000);
    const stdin = await turn(dir.path, { command: fake('agent-waits-on-stdin') }, { prompt });
    expect(await commandDriver.run(stdin)).toMatchObject({ summary: 'stdin ended after 2000000 characters' });
  });

  test('an agent that ignores a long prompt is no failure', async () => {
    await using dir = await tempDir();
    const t = await turn(
      dir.path,
      { command: fake('agent-writes-only-stderr') },
      { prompt: 'x'.repeat(2_000_000) },
    );
    expect(await commandDriver.run(t)).toMatchObject({ stopReason: 'completed' });
  });

  test('an agent that waits for a person sees the end of stdin', async () => {
    await using dir = await tempDir();
    const t = await turn(dir.path, { command: fake('agent-waits-on-stdin'), timeoutMs: 20_000 });
    expect(await commandDriver.run(t)).toMatchObject({
      stopReason: 'completed',
      summary: 'stdin ended after 12 characters',
    });
  });
});

const LIMIT_AND_WELL = 'echo "Rate limit reached for m. Please try again in 20s."';

describe('how an agent ends', () => {
  test('an exit code other than 0 is told, and its work stays', async () => {
    await using dir = await tempDir();
    const t = await turn(dir.path, { command: fake('agent-exits-1-after-work') });
    expect(await commandDriver.run(t)).toEqual({
      stopReason: 'error',
      summary: 'the agent ended with exit code 1; last it said: all done',
    });
    expect(await read(dir.path, 'solution.py')).toBe('x = 1\n');
  });

  test.each([
    ['in its last words is one', 'echo "Error: usage limit reached" >&2; exit 1', 'rate-limited'],
    ['is one on stdout, where stderr is silent', 'echo "429 Too Many Requests"; exit 1', 'rate-limited'],
    [
      'is one where a program that ends well says nothing else, and when it ends',
      LIMIT_AND_WELL,
      'rate-limited',
    ],
    ['that the work is about is none', 'echo "Implemented the rate limit; 3 tests fail"; exit 1', 'error'],
    ['of a program that ends well is talk', 'echo "usage limit reached" >&2', 'completed'],
    ['that it goes on after is talk', 'echo "usage limit reached" >&2; seq 9 >&2; exit 1', 'error'],
    ['beside what it says of another failure is talk', 'echo "rate limit"; echo bang >&2; exit 1', 'error'],
  ])('a usage limit %s', async (_, command, stopReason) => {
    await using dir = await tempDir();
    const result = await commandDriver.run(await turn(dir.path, { command, maxWaitMs: 0 }));
    expect(result.stopReason).toBe(stopReason);
  });

  test('a signal is told', async () => {
    await using dir = await tempDir();
    const t = await turn(dir.path, { command: [fake('agent-dies')] });
    expect(await commandDriver.run(t)).toEqual({
      stopReason: 'error',
      summary: 'the agent was ended by SIGKILL; last it said: half way',
    });
  });

  test.each([
    ['an array', ['no-such-agent', '-p']],
    ['a shell line', 'no-such-agent -p'],
  ])('a program that is not there (%s) comes with what to do', async (_, command) => {
    await using dir = await tempDir();
    const result = await commandDriver.run(await turn(dir.path, { command }));
    expect(result.stopReason).toBe('error');
    expect(result.summary).toContain('install no-such-agent, or put its path into driver.options.command');
  });

  test('a stall ends the turn as stalled, and the process with it', async () => {
    await using dir = await tempDir();
    const t = await turn(dir.path, { command: fake('agent-hangs') }, { idleTimeoutMs: 500 });
    expect(await commandDriver.run(t)).toMatchObject({
      stopReason: 'stalled',
      summary: expect.stringMatching(/silent for too long.*thinking abou$/),
    });
    expect(isAlive(await pidIn(join(t.workdir, 'pid')))).toBe(false);
  });

  test('its own idle limit stands over that of the run', async () => {
    await using dir = await tempDir();
    const options = { command: fake('agent-hangs'), idleTimeoutMs: 300 };
    const t = await turn(dir.path, options, { idleTimeoutMs: 600_000 });
    expect(await commandDriver.run(t)).toMatchObject({ stopReason: 'stalled' });
  });

  test('the clock of its options ends the turn as timed-out, even where TERM is ignored', async () => {
    await using dir = await tempDir();
    const t = await turn(dir.path, { command: fake('agent-ignores-term'), timeoutMs: 700 });
    expect(await commandDriver.run(t)).toMatchObject({ stopReason: 'timed-out' });
    expect(isAlive(await pidIn(join(t.workdir, 'pid')))).toBe(false);
  });

  test.each([
    ['timed-out', 'timed-out'],
    [undefined, 'aborted'],
  ])('an abort because of %s is %s, and ends the process', async (reason, stopReason) => {
    await using dir = await tempDir();
    const controller = new AbortController();
    const t = await turn(dir.path, { command: fake('agent-hangs') }, { signal: controller.signal });
    const running = commandDriver.run(t);
    const pid = await pidIn(join(t.workdir, 'pid'));
    controller.abort(reason);
    expect(await running).toMatchObject({ stopReason });
    expect(isAlive(pid)).toBe(false);
  });

  test('a helper that it leaves in another session does not hold the turn and does not outlive it', async () => {
    await using dir = await tempDir();
    const t = await turn(dir.path, { command: fake('agent-forks-daemon') });
    const began = performance.now();
    expect(await commandDriver.run(t)).toMatchObject({
      stopReason: 'completed',
      summary: 'done, helper left behind',
    });
    expect(performance.now() - began).toBeLessThan(20_000);
    const pid = await pidIn(join(t.workdir, 'daemon-pid'));
    // A process that got its signal is gone as soon as a busy machine comes to it.
    await until(() => !isAlive(pid) || undefined);
  });
});

describe('preflight', () => {
  async function errors(
    options: Record<string, unknown>,
    env: Record<string, string> = { PATH: '/usr/bin:/bin' },
  ) {
    await using dir = await tempDir();
    const read = await optionsOf(commandDriver, options);
    const signal = new AbortController().signal;
    return (await commandDriver.preflight?.({ workdir: dir.path, options: read, env, signal })) ?? [];
  }

  test.each([
    ['a program on PATH', { command: ['sh', '-c', 'true'] }],
    ['a shell line that begins with a program on PATH', { command: 'sh -c true' }],
    ['variables before the program', { command: 'A=1 B=2 sh -c true' }],
    ['a word of the shell', { command: 'cd sub && ./agent' }],
    ['a variable, of which nothing can be told', { command: '"$AGENT" -p' }],
    ['a quoted value, of which nothing can be told', { command: 'A="b c" no-such-agent' }],
    ['an absolute path', { command: [fake('agent-edits')] }],
    ['a PATH of the options', { command: 'agent-edits', env: { PATH: join(fake('agent-edits'), '..') } }],
  ])('lets pass %s', async (_, options) => {
    expect(await errors(options)).toEqual([]);
  });

  test.each([
    [
      'an array',
      { command: ['no-such-agent'] },
      /"no-such-agent" is not on PATH: install no-such-agent.*\(PATH: \/usr\/bin:\/bin\)/,
    ],
    ['a shell line', { command: 'X=1 no-such-agent -p' }, /"no-such-agent" is not on PATH/],
    ['a path', { command: './no-such-agent' }, /no-such-agent is not there or not executable/],
    [
      'a file that is not executable',
      { command: ['/etc/passwd'] },
      /\/etc\/passwd is not there or not executable/,
    ],
    ['a folder outside', { command: 'sh', cwd: '..' }, /driver.options.cwd/],
  ])('names what is missing: %s', async (_, options, expected) => {
    expect(await errors(options)).toEqual([expect.stringMatching(expected)]);
  });
});

describe('its options', () => {
  test.each([
    [{}, /command/],
    [{ command: '' }, /command/],
    [{ command: [] }, /command/],
    [{ command: 'x', promt: 'file' }, /unknown option "promt" \(did you mean "prompt"\?\)/],
    [{ command: 'x', prompt: 'telepathy' }, /prompt/],
    [{ command: 'x', timeoutMs: '5' }, /timeoutMs/],
    [{ command: 'x', timeoutMs: 0 }, /timeoutMs/],
  ])('%j is refused', async (options, expected) => {
    await expect(optionsOf(commandDriver, options)).rejects.toThrow(expected);
  });
});
