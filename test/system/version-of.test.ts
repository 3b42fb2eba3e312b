import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { versionIn, versionOf } from '../../src/system/version-of.ts';
import { fakeCli } from '../drivers/fake-cli.ts';
import { tempDir } from '../support/temp-dir.ts';

describe('a version in what a program prints', () => {
  test.each<[string, string | undefined]>([
    ['git version 2.39.5', '2.39.5'],
    ['v20.19.0\n', '20.19.0'],
    ['go version go1.26 linux/amd64', '1.26'],
    ['Toy CLI 1.2.3-beta.1.', '1.2.3-beta.1'],
    ['\u001b[1mtoy\u001b[0m \u001b[32m1.0.41\u001b[0m', '1.0.41'],
    ['toy (1.18.33), built 2026', '1.18.33'],
    ['1.2.3+build.5 and 4.5.6', '1.2.3+build.5'],
    ['no version here', undefined],
    ['built 2026', undefined],
    ['\u0000\u0001\ufffd;;..1..2', undefined],
    ['', undefined],
  ])('of %j is %s', (text, version) => {
    expect(versionIn(text)).toBe(version);
  });
});

describe('a program that is asked for its version', () => {
  const ask = async (body: string, timeoutMs = 60_000) => {
    await using dir = await tempDir();
    const file = await fakeCli(join(dir.path, 'toy'), body);
    const env = { PATH: '/usr/bin:/bin' };
    const { version, ending } = await versionOf(
      { file, args: ['--version'] },
      { cwd: dir.path, env, timeoutMs },
    );
    return { version, ended: ending.ended };
  };

  test('may tell it on standard error', async () => {
    expect(await ask('echo "toy 3.4.5" >&2')).toEqual({ version: '3.4.5', ended: 'exited' });
  });

  test('is believed on standard output first', async () => {
    expect(await ask('echo "needs node 99.0.0" >&2; echo 3.4.5')).toMatchObject({ version: '3.4.5' });
  });

  test('may print garbage, and as much as it likes', async () => {
    expect(await ask('head -c 2000000 /dev/zero')).toEqual({ version: undefined, ended: 'exited' });
  });

  test('is stopped where it hangs', async () => {
    expect(await ask('exec sleep 300', 300)).toEqual({ version: undefined, ended: 'timed-out' });
  });
});
