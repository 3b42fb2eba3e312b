import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exec } from '../../src/system/exec.ts';
import { findSandbox, sandboxArguments } from '../../src/system/sandbox.ts';
import { secretPlaces } from '../../src/system/secret-places.ts';
import { which } from '../../src/system/which.ts';
import { tempDir } from '../support/temp-dir.ts';
import { put } from '../workspace/support.ts';

const bwrap = (await findSandbox(process.env)).ok ? which('bwrap', process.env) : undefined;
const PATH = process.env['PATH'] ?? '';

describe('the sandbox', () => {
  test('is not there where bubblewrap is not on the PATH', async () => {
    await using empty = await tempDir();
    expect(await findSandbox({ PATH: empty.path })).toMatchObject({
      ok: false,
      installed: false,
      because: expect.stringContaining('bubblewrap'),
    });
  });

  test('is not there where the system refuses it, and says what the system said', async () => {
    await using bin = await tempDir();
    const program = join(bin.path, 'bwrap');
    writeFileSync(program, '#!/bin/sh\necho "bwrap: setting up uid map: Permission denied" >&2\nexit 1\n');
    chmodSync(program, 0o755);
    expect(await findSandbox({ PATH: `${bin.path}:${PATH}` })).toEqual({
      ok: false,
      installed: true,
      because: 'bubblewrap is refused by the system: bwrap: setting up uid map: Permission denied',
    });
  });

  test.skipIf(!bwrap)('is tried once, and tells its version [needs bwrap]', async () => {
    const first = findSandbox({ PATH });
    expect(findSandbox({ PATH })).toBe(first);
    expect(await first).toMatchObject({
      ok: true,
      program: bwrap,
      version: expect.stringMatching(/^\d+\.\d+/),
    });
  });

  test('has an outer place before what lies in it, whatever the order of its mounts', () => {
    const walls = sandboxArguments({
      mounts: [
        { at: '/a/b/c', kind: 'writable', from: '/x' },
        { at: '/a', kind: 'empty' },
        { at: '/a/b', kind: 'read-only', from: '/y' },
        { at: '/a-file', kind: 'nothing' },
      ],
      network: false,
    });
    expect(walls.slice(walls.indexOf('--unshare-net')).join(' ')).toBe(
      '--unshare-net --tmpfs /a --ro-bind /dev/null /a-file --ro-bind /y /a/b --bind /x /a/b/c',
    );
  });

  test.skipIf(!bwrap || process.getuid?.() !== 0 || !which('setpriv', process.env))(
    'works for a user who is not root, and keeps that user out too [needs bwrap] [needs root] [needs setpriv]',
    async () => {
      await using dir = await tempDir();
      put(dir.path, 'room/a.txt', 'room');
      put(dir.path, 'original/a.txt', 'original');
      await exec({ shell: `chmod -R a+rwX ${dir.path}` }, { cwd: '/', env: { PATH } });
      const original = join(dir.path, 'original');
      const walls = sandboxArguments({
        mounts: [
          { at: '/tmp', kind: 'empty' },
          { at: original, kind: 'writable', from: join(dir.path, 'room') },
        ],
        network: false,
      });
      const line = 'id -u; cat a.txt; echo new > a.txt; mount -o remount,rw,bind / || echo refused';
      const user = ['--reuid=65534', '--regid=65534', '--clear-groups'];
      const command = [...user, bwrap ?? '', ...walls, '--chdir', original, '--', '/bin/sh', '-c', line];
      const result = await exec({ file: 'setpriv', args: command }, { cwd: dir.path, env: { PATH } });
      expect(result.stdout.text).toBe('65534\nroomrefused\n');
    },
  );

  test('hides of a home what is there: folders and files by their kind, names by their beginning', async () => {
    await using home = await tempDir();
    for (const path of ['.ssh/id', '.claude.json', '.claude-work/x', '.bashrc', 'more/x'])
      put(home.path, path, '');
    const places = secretPlaces([home.path], [join(home.path, 'more'), join(home.path, 'gone')]);
    const shown = places
      .filter(({ at }) => at.startsWith(home.path))
      .map(({ at, kind }) => `${kind} ${at.slice(home.path.length + 1)}`);
    expect(shown.sort()).toEqual(['empty .claude-work', 'empty .ssh', 'empty more', 'nothing .claude.json']);
  });
});
