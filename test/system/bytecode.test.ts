import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allowedEnvironment, checkEnvironment } from '../../src/system/environment.ts';
import { exec } from '../../src/system/exec.ts';
import { tempDir } from '../support/temp-dir.ts';

/** Imports a module, then the same module after an edit of the same length within the same second. */
async function secondAnswer(env: Record<string, string>): Promise<string> {
  await using dir = await tempDir();
  const write = (value: number) => {
    const file = join(dir.path, 'two.py');
    writeFileSync(file, `ANSWER = ${value}\n`);
    utimesSync(file, 1_700_000_000, 1_700_000_000);
  };
  const ask = () =>
    exec({ file: 'python3', args: ['-c', 'import two; print(two.ANSWER)'] }, { cwd: dir.path, env });
  write(3);
  await ask();
  write(2);
  return (await ask()).stdout.text.trim();
}

describe('an edit that is as long and as quick as Python can tell apart', () => {
  const env = checkEnvironment(allowedEnvironment(process.env, []));

  test('is what a check judges', async () => {
    expect(await secondAnswer(env)).toBe('2');
  });

  test('is missed where bytecode is written: the control', async () => {
    const { PYTHONDONTWRITEBYTECODE: _, ...writing } = env;
    expect(await secondAnswer(writing)).toBe('3');
  });
});
