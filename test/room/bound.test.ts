import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { which } from '../../src/system/which.ts';
import { put } from '../workspace/support.ts';
import { hasBwrap, runIn, said, site } from './support.ts';

describe.skipIf(!hasBwrap)('a bound room [needs bwrap]', () => {
  test('is seen at the path of the workspace, and what is written stays in it', async () => {
    await using s = await site({ 'a.txt': 'one' });
    const { room } = await s.start();
    const bound = await room('bound');
    expect(await said(bound, 'pwd; cat a.txt; echo two > a.txt; echo new > b.txt')).toBe(
      `exit 0: ${s.dir}\none`,
    );
    expect(bound.seenAt).toBe(s.dir);
    expect(readFileSync(join(s.dir, 'a.txt'), 'utf8')).toBe('one');
    expect(existsSync(join(s.dir, 'b.txt'))).toBe(false);
    expect(readFileSync(join(bound.workdir, 'a.txt'), 'utf8')).toBe('two\n');
    // The workspace as a room is the control: there it does change.
    expect(await said(await room('workspace'), 'echo two > a.txt')).toBe('exit 0: ');
    expect(readFileSync(join(s.dir, 'a.txt'), 'utf8')).toBe('two\n');
  });

  test('runs a command in a folder below, and names a program or a folder that is not there', async () => {
    await using s = await site({ 'sub/a.txt': 'one' });
    const { room } = await s.start();
    const bound = await room('bound');
    expect(await said(bound, { file: 'cat', args: ['a.txt'] }, { cwd: 'sub' })).toBe('exit 0: one');
    expect(await runIn(bound, { file: 'no-such-program', args: [] })).toMatchObject({ code: 'not-found' });
    expect(await runIn(bound, 'true', { cwd: 'gone' })).toMatchObject({ code: 'bad-cwd' });
    expect(await said(bound, 'no-such-program')).toMatch(/^exit 127/);
  });

  test('lets nothing be written outside, but for /tmp, HOME and scratch, which are its own', async () => {
    await using s = await site({ 'a.txt': '' });
    put(s.root, 'neighbour.txt', 'theirs');
    const { room } = await s.start();
    const bound = await room('bound');
    const refused = await said(bound, `touch /usr/x /etc/x ${process.env['HOME']}/x-of-a-check`);
    expect(refused).toMatch(/^exit 1/);
    expect(refused.match(/Read-only file system|No such file/g)).toHaveLength(3);
    const name = `/tmp/${basename(s.root)}-x`;
    expect(await said(bound, `cat ${s.root}/neighbour.txt`)).toMatch(/^exit 1/);
    expect(await said(bound, `touch ${name} ~/y; ls ${name} ~/y | wc -l`)).toBe('exit 0: 2');
    expect(existsSync(name)).toBe(false);
    expect(await said(bound, `echo r > ${s.scratch}/report`)).toBe('exit 0: ');
    expect(readFileSync(join(s.scratch, 'report'), 'utf8')).toBe('r\n');
  });

  test('hides credentials and the state of agents and of loopgen', async () => {
    await using s = await site({ 'a.txt': '' });
    const home = join(s.root, 'home');
    for (const path of ['.ssh/id', '.claude/x', '.claude.json', '.netrc', '.config/gh/hosts', 'plain.txt'])
      put(home, path, 'secret');
    put(s.root, 'state/held-out', 'secret');
    const { rooms, room } = await s.start({ env: { ...process.env, HOME: home }, visible: [s.root] });
    const bound = await room('bound');
    const look = `cd ${home}; cat .ssh/id .claude/x .claude.json .netrc .config/gh/hosts ${s.root}/state/held-out plain.txt 2>/dev/null`;
    const seen = await said(bound, look);
    expect(seen.match(/secret/g)).toHaveLength(1);
    expect(seen.endsWith('secret')).toBe(true);
    // Without walls all of it can be read.
    expect((await said(await rooms.make('workspace', async () => {}), look)).match(/secret/g)).toHaveLength(
      7,
    );
  });

  test('cannot be made writable again from inside', async () => {
    await using s = await site({ 'a.txt': '' });
    const { room } = await s.start();
    const bound = await room('bound');
    const remount = 'mount -o remount,rw,bind / && touch /usr/loopgen-was-here';
    expect(await said(bound, remount)).not.toMatch(/^exit 0/);
    expect(await said(bound, `unshare -Urm sh -c '${remount}'`)).not.toMatch(/^exit 0/);
    // With capabilities, root can: these flags are what keeps it out.
    if (process.getuid?.() === 0) {
      const control = [
        '--ro-bind',
        '/',
        '/',
        '--proc',
        '/proc',
        '--dev',
        '/dev',
        'mount',
        '-o',
        'remount,rw,bind',
        '/',
      ];
      execFileSync(which('bwrap', process.env) ?? '', control);
    }
  });

  test('ends a daemon that outlives its command or the time limit', async () => {
    await using s = await site({ 'a.txt': '' });
    const { room } = await s.start();
    const bound = await room('bound');
    const beat = join(s.scratch, 'beat');
    const daemon = `(setsid sh -c 'while :; do echo x >> ${beat}; sleep 0.05; done' >/dev/null 2>&1 &) ; `;
    const first = await runIn(bound, `${daemon} until test -s ${beat}; do sleep 0.02; done`);
    expect(first).toMatchObject({ ended: 'exited', code: 0 });
    const began = performance.now();
    const second = await runIn(bound, `${daemon} sleep 60`, { timeoutMs: 1000 });
    expect(second.ended).toBe('timed-out');
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(spawnSync('pgrep', ['-f', beat]).status).toBe(1);
  });

  test('has no network where it is off', async () => {
    await using s = await site({ 'a.txt': '' });
    const { room } = await s.start({ network: false });
    expect(
      await said(await room('bound'), 'ls /sys/class/net >/dev/null; cat /proc/net/dev | tail -n +3 | wc -l'),
    ).toBe('exit 0: 1');
  });

  test('has the files, modes and links that git does not know', async () => {
    await using s = await site({ '.env': 'KEY=1', 'app.py': 'x', '.gitignore': '.env\n*.db\n' });
    mkdirSync(join(s.dir, 'empty'));
    chmodSync(join(s.dir, '.env'), 0o600);
    symlinkSync('app.py', join(s.dir, 'link'));
    writeFileSync(join(s.dir, 'dev.db'), '');
    const { room } = await s.start();
    const script =
      "import sqlite3; c = sqlite3.connect('dev.db'); c.execute('create table t (x)'); c.commit(); print(open('.env').read())";
    const bound = await room('bound');
    expect(await said(bound, `python3 -c "${script}"; stat -c %a .env; readlink link; ls -d empty`)).toBe(
      'exit 0: KEY=1\n600\napp.py\nempty',
    );
    expect(readFileSync(join(s.dir, 'dev.db')).length).toBe(0);
  });

  test('is gone with its files when it is closed, read-only ones too', async () => {
    await using s = await site({ 'a.txt': '' });
    const { room } = await s.start();
    const bound = await room('bound');
    await runIn(bound, 'mkdir -p ro/x && touch ro/x/y && chmod -R a-w ro');
    await bound.close();
    expect(existsSync(bound.workdir)).toBe(false);
  });
});
