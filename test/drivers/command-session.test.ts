import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandDriver } from '../../src/drivers/command.ts';
import { type TempDir, tempDir } from '../support/temp-dir.ts';
import { fakeCli } from './fake-cli.ts';
import { optionsOf, turnIn } from './turn.ts';

async function played(dir: TempDir, options: object, sessionId?: string) {
  const given = await optionsOf(commandDriver, options);
  const t = await turnIn(dir.path, given, sessionId === undefined ? {} : { sessionId });
  const result = await commandDriver.run(t);
  const read = (name: string) => readFile(join(t.workdir, name), 'utf8').catch(() => '');
  return { result, calls: (await read('calls.txt')).trim().split('\n'), told: t.told };
}

/** Keeps its arguments, and prints what is given. */
const agent = (dir: TempDir, prints: string) =>
  fakeCli(join(dir.path, 'agent'), `echo "$@" >> calls.txt\ncat > /dev/null\n${prints}`);

describe('a session of a command', () => {
  test('begins with the id that the agent prints, and goes on with it', async () => {
    await using dir = await tempDir();
    const file = await agent(dir, "echo 'session id: abc-1' >&2\necho done");
    const options = {
      command: file,
      session: { resume: `${file} resume {session_id} -`, pattern: 'session id: (\\S+)' },
    };
    const first = await played(dir, options);
    expect(first.result).toEqual({ stopReason: 'completed', summary: 'done', sessionId: 'abc-1' });
    expect((await played(dir, options, 'abc-1')).calls.at(-1)).toBe('resume abc-1 -');
  });

  test('begins with an id of our own where the command takes one', async () => {
    await using dir = await tempDir();
    const file = await agent(dir, 'echo done');
    const options = {
      command: [file, '--session-id', '{session_id}'],
      session: { resume: [file, '--resume', '{session_id}'] },
    };
    const first = await played(dir, options);
    expect(first.calls).toEqual([`--session-id ${first.result.sessionId}`]);
    expect(first.result.sessionId).toMatch(/^[0-9a-f-]{36}$/);
    const second = await played(dir, options, first.result.sessionId);
    expect(second.calls.at(-1)).toBe(`--resume ${first.result.sessionId}`);
    expect(second.result.sessionId).toBe(first.result.sessionId);
  });

  test('that was begun goes on after a usage limit', async () => {
    await using dir = await tempDir();
    const limited = 'echo "429, try again in 10ms" >&2; exit 1';
    const file = await agent(dir, `echo 'session id: abc-1'\n[ -e been ] || { touch been; ${limited}; }`);
    const session = { resume: `${file} resume {session_id}`, pattern: 'session id: (\\S+)' };
    const { result, calls } = await played(dir, { command: `${file} begin`, session });
    expect(result).toMatchObject({ stopReason: 'completed', sessionId: 'abc-1' });
    expect(calls).toEqual(['begin', 'resume abc-1']);
  });

  test('is a new one every turn without the option', async () => {
    await using dir = await tempDir();
    const file = await agent(dir, 'echo done');
    const { result, calls } = await played(dir, { command: [file, '{session_id}'] }, 's-1');
    expect(calls).toEqual(['{session_id}']);
    expect(result).not.toHaveProperty('sessionId');
  });

  test('that the agent does not know begins anew, once, and that is said', async () => {
    await using dir = await tempDir();
    const file = await agent(dir, '[ "$1" = -r ] && { echo "No session found"; exit 1; }\necho "id=n-1"');
    const session = { resume: `${file} -r {session_id}`, pattern: 'id=(.*)', unknown: 'No session found' };
    const { result, calls, told } = await played(dir, { command: [file, 'new'], session }, 'gone');
    expect(calls).toEqual(['-r gone', 'new']);
    expect(result).toMatchObject({ stopReason: 'completed', sessionId: 'n-1' });
    expect(result.summary).toMatch(/^session gone is not known to the agent any more/);
    expect(told.output).toContain('session gone is not known');
  });

  test('whose id is not found says so', async () => {
    await using dir = await tempDir();
    const file = await agent(dir, 'echo done');
    const session = { resume: `${file} {session_id}`, pattern: 'id=(.*)' };
    const { result } = await played(dir, { command: file, session });
    expect(result).not.toHaveProperty('sessionId');
    expect(result.summary).toContain('session.pattern found no session id');
  });

  test('never hands on an id that a shell or a program would take for something else', async () => {
    await using dir = await tempDir();
    for (const id of ['--yolo', 'a b', '$(touch pwned)', '']) {
      const file = await agent(dir, `echo 'id=<${id}>'`);
      const session = { resume: `${file} {session_id}`, pattern: 'id=<(.*)>' };
      expect((await played(dir, { command: file, session })).result).not.toHaveProperty('sessionId');
    }
    const file = await agent(dir, 'echo done');
    const session = { resume: `${file} {session_id}`, pattern: '(x)' };
    expect((await played(dir, { command: file, session }, "a'; touch pwned; '")).calls.at(-1)).toBe(
      "a'; touch pwned; '",
    );
    await expect(readFile(join(dir.path, 'work/pwned'))).rejects.toThrow();
  });

  test.each([
    [{ resume: 'a -r', pattern: '(x)' }, /must hold \{session_id\}/],
    [{ resume: 'a {session_id}' }, /needs a pattern that finds the id/],
    [{ resume: 'a {session_id}', pattern: 'x' }, /needs a group/],
    [{ resume: 'a {session_id}', pattern: '(x' }, /no regular expression/],
    [{ resume: 'a {session_id}', patern: '(x)' }, /did you mean "pattern"/],
  ])('%j is refused', async (session, message) => {
    await expect(optionsOf(commandDriver, { command: 'a', session })).rejects.toThrow(message);
  });
});
