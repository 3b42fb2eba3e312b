import { mkdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mockDriver } from '../../src/drivers/mock.ts';
import { tempDir } from '../support/temp-dir.ts';
import { isAlive, pidIn } from './processes.ts';
import { optionsOf, type TurnParts, turnIn } from './turn.ts';

async function turn(dir: string, steps: readonly unknown[], more: TurnParts = {}) {
  return await turnIn(dir, await optionsOf(mockDriver, { steps }), more);
}

const NOTHING = { inputTokens: 0, outputTokens: 0, costUsd: 0 };

describe('a step', () => {
  test('writes, deletes and runs, in this order, straight in the workspace', async () => {
    await using dir = await tempDir();
    const t = await turn(dir.path, [
      {
        files: { 'src/a.txt': 'a\n', 'b.txt': 'b\n' },
        deleteFiles: ['b.txt', 'never-there.txt'],
        run: 'ls src > seen.txt; echo running',
        summary: 'wrote a',
      },
    ]);
    expect(await mockDriver.run(t)).toEqual({ stopReason: 'completed', summary: 'wrote a', usage: NOTHING });
    expect(await readFile(join(t.workdir, 'seen.txt'), 'utf8')).toBe('a.txt\n');
    await expect(readFile(join(t.workdir, 'b.txt'))).rejects.toThrow();
    expect(t.told.acted).toEqual([
      'write src/a.txt',
      'write b.txt',
      'delete b.txt',
      'delete never-there.txt',
      'run ls src > seen.txt; echo running',
    ]);
    expect(t.told.output).toBe('running\n');
  });

  test('does not go through the guard of the turn: what is protected is written too', async () => {
    await using dir = await tempDir();
    const options = await optionsOf(mockDriver, { steps: [{ files: { 'test_a.py': 'cheat' } }] });
    const t = await turnIn(dir.path, options, { protect: ['test_a.py'] });
    await mockDriver.run(t);
    expect(await readFile(join(t.workdir, 'test_a.py'), 'utf8')).toBe('cheat');
  });

  test('is the one of the iteration; beyond the last it does nothing and says so', async () => {
    await using dir = await tempDir();
    const steps = [{ files: { a: '1' } }, { files: { a: '2' } }];
    await mockDriver.run(await turn(dir.path, steps, { iteration: 1 }));
    expect(await readFile(join(dir.path, 'work/a'), 'utf8')).toBe('2');
    expect(await mockDriver.run(await turn(dir.path, steps, { iteration: 2 }))).toEqual({
      stopReason: 'completed',
      summary: 'did nothing: the script has 2 steps',
      usage: NOTHING,
    });
  });

  test('says what it does where it has no summary', async () => {
    await using dir = await tempDir();
    const t = await turn(dir.path, [{ files: { a: '1' }, deleteFiles: ['b'], run: 'true' }]);
    expect(await mockDriver.run(t)).toMatchObject({ summary: 'write a, delete b, run true' });
  });

  test('tells of a command that fails, which is no failure of the agent', async () => {
    await using dir = await tempDir();
    const t = await turn(dir.path, [{ run: 'echo oops >&2; exit 3' }]);
    expect(await mockDriver.run(t)).toMatchObject({
      stopReason: 'completed',
      summary: 'run echo oops >&2; exit 3; "echo oops >&2; exit 3" ended with exit code 3: oops',
    });
  });

  test('may say how it ended and what it used, or that this is unknown', async () => {
    await using dir = await tempDir();
    const usage = { inputTokens: 5, costUsd: 0.1 };
    expect(await mockDriver.run(await turn(dir.path, [{ stopReason: 'max-turns', usage }]))).toEqual({
      stopReason: 'max-turns',
      summary: 'an empty step',
      usage,
    });
    expect(await mockDriver.run(await turn(dir.path, [{ usage: 'unknown' }]))).not.toHaveProperty('usage');
  });

  test('that is stopped ends its command', async () => {
    await using dir = await tempDir();
    const controller = new AbortController();
    const t = await turn(dir.path, [{ run: 'echo $$ > pid; exec sleep 300' }], { signal: controller.signal });
    const running = mockDriver.run(t);
    const pid = await pidIn(join(t.workdir, 'pid'));
    controller.abort();
    expect(await running).toMatchObject({ stopReason: 'aborted' });
    expect(isAlive(pid)).toBe(false);
  });

  test('that was stopped before it began writes nothing', async () => {
    await using dir = await tempDir();
    const t = await turn(dir.path, [{ files: { a: '1' } }], { signal: AbortSignal.abort('timed-out') });
    expect(await mockDriver.run(t)).toMatchObject({ stopReason: 'timed-out' });
    await expect(readFile(join(t.workdir, 'a'))).rejects.toThrow();
  });
});

describe('a path that leaves the workspace', () => {
  test.each(['../out.txt', '/tmp/loopgen-mock-out.txt', 'link/out.txt', 'file-link', 'dangling', ''])(
    '%j is refused and told, and the rest of the step is played',
    async (path) => {
      await using dir = await tempDir();
      const work = join(dir.path, 'work');
      await mkdir(work);
      await writeFile(join(dir.path, 'victim.txt'), 'mine');
      await symlink('..', join(work, 'link'));
      await symlink('../victim.txt', join(work, 'file-link'));
      await symlink('../out.txt', join(work, 'dangling'));
      const result = await mockDriver.run(await turn(dir.path, [{ files: { [path]: 'x', good: 'y' } }]));
      expect(result.problem).toContain(`${path} was not written: `);
      expect(result.summary).toContain('was not written');
      expect(await readFile(join(work, 'good'), 'utf8')).toBe('y');
      expect(await readFile(join(dir.path, 'victim.txt'), 'utf8')).toBe('mine');
      await expect(readFile(join(dir.path, 'out.txt'))).rejects.toThrow();
    },
  );

  test.each(['../victim.txt', 'link/victim.txt', '..', '.', 'link/..'])('%j is not deleted', async (path) => {
    await using dir = await tempDir();
    const work = join(dir.path, 'work');
    await mkdir(work);
    await writeFile(join(dir.path, 'victim.txt'), 'mine');
    await symlink('..', join(work, 'link'));
    const result = await mockDriver.run(await turn(dir.path, [{ deleteFiles: [path] }]));
    expect(result.problem).toContain(`${path} was not deleted: `);
    expect(await readFile(join(dir.path, 'victim.txt'), 'utf8')).toBe('mine');
  });

  test('a link is deleted itself, not what it points to', async () => {
    await using dir = await tempDir();
    const work = join(dir.path, 'work');
    await mkdir(work);
    await writeFile(join(dir.path, 'victim.txt'), 'mine');
    await symlink('../victim.txt', join(work, 'file-link'));
    expect(await mockDriver.run(await turn(dir.path, [{ deleteFiles: ['file-link'] }]))).not.toHaveProperty(
      'problem',
    );
    await expect(readlink(join(work, 'file-link'))).rejects.toThrow();
    expect(await readFile(join(dir.path, 'victim.txt'), 'utf8')).toBe('mine');
  });
});

test.each([
  [{ setps: [] }, /unknown option "setps" \(did you mean "steps"\?\)/],
  [{ steps: [{ file: { a: 'b' } }] }, /steps.0: unknown option "file" \(did you mean "files"\?\)/],
  [{ steps: [{ files: { a: 1 } }] }, /steps.0.files.a/],
  [{ steps: [{ stopReason: 'tired' }] }, /steps.0.stopReason/],
])('options %j are refused', async (options, expected) => {
  await expect(optionsOf(mockDriver, options)).rejects.toThrow(expected);
});
