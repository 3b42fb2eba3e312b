import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { diagnose } from '../../src/compose/doctor.ts';
import { createDefaultRegistries } from '../../src/compose/registries.ts';
import { newScopePart } from '../../src/system/scope.ts';
import { fakeCli } from '../drivers/fake-cli.ts';
import { isAlive } from '../drivers/processes.ts';
import { type TempDir, tempDir } from '../support/temp-dir.ts';

/** What is found with these programs, name → shell, on the PATH, beside what links to a shell need. */
async function found(
  dir: TempDir,
  programs: Readonly<Record<string, string>> = {},
  env: Readonly<Record<string, string>> = {},
) {
  const workdir = join(dir.path, 'tree/project');
  await mkdir(workdir, { recursive: true });
  for (const [name, body] of Object.entries(programs)) await fakeCli(join(dir.path, 'bin', name), body);
  const { ok, findings } = await diagnose(
    createDefaultRegistries().drivers,
    { PATH: join(dir.path, 'bin'), HOME: dir.path, ...env },
    { workdir, signal: new AbortController().signal, timeoutMs: 60_000 },
  );
  return { ok, of: (name: string) => findings.find((finding) => finding.name === name) };
}

const GIT = { git: 'echo "git version 2.39.5"' };

describe('a machine', () => {
  test('with git and places to write in has all that every run needs, and the rest is absent', async () => {
    await using dir = await tempDir();
    const { ok, of } = await found(dir, GIT);
    expect(ok).toBe(true);
    expect(of('git')).toMatchObject({ about: 'loopgen', status: 'ok', version: '2.39.5', says: '' });
    expect(of('node')).toMatchObject({ status: 'ok', version: process.versions.node });
    for (const name of ['python3', 'pytest', 'go', 'cargo', 'mvn', 'jest', 'mocha', 'bubblewrap', 'grok']) {
      expect(of(name)).toMatchObject({ status: 'absent', says: expect.stringMatching(/not (installed|in)/) });
    }
  });

  test('with an empty PATH lacks git, which every run needs', async () => {
    await using dir = await tempDir();
    const { ok, of } = await found(dir, {}, { PATH: '' });
    expect(ok).toBe(false);
    expect(of('git')).toMatchObject({ status: 'needed', says: expect.stringContaining('install git') });
  });

  test('whose state folder cannot be made lacks what every run needs', async () => {
    await using dir = await tempDir();
    await writeFile(join(dir.path, 'file'), '');
    const state = join(dir.path, 'file/state');
    const { ok, of } = await found(dir, GIT, { XDG_STATE_HOME: state });
    expect(ok).toBe(false);
    expect(of('state')).toMatchObject({ status: 'needed', says: expect.stringContaining('XDG_STATE_HOME') });
    expect((await found(dir, GIT, { XDG_STATE_HOME: join(dir.path, 'state') })).of('state')).toMatchObject({
      says: expect.stringMatching(/ has [\d.]+ [GM]B free/),
    });
  });

  test('is told with what runs checks: their versions, on either stream, and those that say none', async () => {
    await using dir = await tempDir();
    const python =
      'case "$*" in "-m pytest --version") echo "pytest 9.0.3" >&2;; --version) echo "Python 3.11.7";; esac';
    const { of } = await found(dir, {
      ...GIT,
      python3: python,
      go: 'echo "go version go1.26 linux/amd64"',
      cargo: 'echo hm',
      mvn: 'echo "no JAVA_HOME" >&2; exit 1',
    });
    expect(of('python3')).toMatchObject({ status: 'ok', version: '3.11.7' });
    expect(of('pytest')).toMatchObject({ status: 'ok', version: '9.0.3' });
    expect(of('go')).toMatchObject({ status: 'ok', version: '1.26' });
    expect(of('cargo')).toMatchObject({ status: 'advice', says: 'it tells no version' });
    expect(of('mvn')).toMatchObject({ status: 'advice', says: 'it ends with exit code 1' });
  });

  test('with a Python that has no pytest is told how to get it', async () => {
    await using dir = await tempDir();
    const python = 'case "$*" in --version) echo "Python 3.11.7";; *) exit 1;; esac';
    const { of } = await found(dir, { ...GIT, python3: python });
    expect(of('pytest')).toMatchObject({ status: 'absent', says: expect.stringContaining('pip install') });
  });

  test('is told with the runners of the project above the folder, which are not started', async () => {
    await using dir = await tempDir();
    const folder = join(dir.path, 'tree/node_modules/vitest');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), '{"version": "4.1.12"}');
    const { of } = await found(dir, GIT);
    expect(of('vitest')).toMatchObject({ status: 'ok', version: '4.1.12', program: folder });
  });

  test('whose system refuses bubblewrap is told what it said', async () => {
    await using dir = await tempDir();
    const bwrap = 'echo "bwrap: Permission denied" >&2; exit 1';
    const { ok, of } = await found(dir, { ...GIT, bwrap });
    expect(ok).toBe(true);
    expect(of('bubblewrap')).toMatchObject({ status: 'advice', says: expect.stringContaining('Permission') });
  });

  test('is freed of the folders that a killed run left, and of no others', async () => {
    await using dir = await tempDir();
    const owned = async (name: string, owner: string) => {
      const folder = join(dir.path, 'tree', `loopgen-${name}`);
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, '.loopgen-owner'), owner);
      return folder;
    };
    const alive = newScopePart();
    // The number of a process that began at another time was that of one which has ended.
    const dead = alive.replace(/^(\d+)\.(\d+)/, (_, pid, start) => `${pid}.${Number(start) + 1}`);
    const [left, used] = [await owned('left', dead), await owned('used', alive)];
    const { of } = await found(dir, GIT);
    expect(of('leftovers')?.says).toMatch(/removed \d+ folders? that killed runs left/);
    expect([existsSync(left), existsSync(used)]).toEqual([false, true]);
    expect((await found(dir, GIT)).of('leftovers')?.status).toBe('ok');
  });

  test('is freed of the processes that a killed run left, and of no others', async () => {
    await using dir = await tempDir();
    const alive = newScopePart();
    const dead = alive.replace(/^(\d+)\.(\d+)/, (_, pid, start) => `${pid}.${Number(start) + 1}`);
    const sleeper = (scope: string) =>
      spawn('sleep', ['300'], {
        detached: true,
        stdio: 'ignore',
        env: { PATH: '/usr/bin:/bin', LOOPGEN_SCOPE: `/${scope}` },
      });
    const [left, used] = [sleeper(dead), sleeper(alive)];
    try {
      await Promise.all([left, used].map((child) => once(child, 'spawn')));
      await found(dir, GIT);
      // Another run on this machine may have been quicker; the rule is the same.
      expect([left, used].map((child) => isAlive(child.pid ?? 0))).toEqual([false, true]);
    } finally {
      for (const child of [left, used]) child.kill('SIGKILL');
    }
  });
});
