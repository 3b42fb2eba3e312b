import { expect, test } from 'vitest';
import { exec } from '../../src/system/exec.ts';
import { tempDir } from '../support/temp-dir.ts';
import { env, isAlive, killAll } from './processes.ts';

test('a program that is known to leave nothing behind has its output, code and streams as any other', async () => {
  await using dir = await tempDir();
  const result = await exec(
    { file: 'sh', args: ['-c', 'echo out; echo err >&2; exit 3'] },
    { cwd: dir.path, env, alone: true },
  );
  expect(result).toMatchObject({ ended: 'exited', code: 3, swept: 0 });
  expect(result.stdout.text).toBe('out\n');
  expect(result.stderr.text).toBe('err\n');
});

test('one that is stopped by its time limit is ended with all that it started nevertheless', async () => {
  await using dir = await tempDir();
  const result = await exec(
    { file: 'sh', args: ['-c', 'setsid sleep 600 & echo $!; wait'] },
    { cwd: dir.path, env, alone: true, timeoutMs: 300 },
  );
  const pid = Number(result.stdout.text.trim());
  try {
    expect(result.ended).toBe('timed-out');
    expect(isAlive(pid)).toBe(false);
  } finally {
    killAll([pid]);
  }
});
