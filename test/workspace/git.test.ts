import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bench, git, picture, put, short } from './support.ts';

async function repository() {
  const b = await bench({ 'a.txt': 'one\n', 'ignored.txt': 'x', '.gitignore': 'ignored.txt\n' });
  git(b.dir, 'init', '-q', '-b', 'main');
  git(b.dir, 'add', '-A');
  git(b.dir, 'commit', '-qm', 'first');
  put(b.dir, 'staged.txt', 'staged');
  git(b.dir, 'add', 'staged.txt');
  put(b.dir, 'a.txt', 'unstaged\n');
  return b;
}

const statusOf = (dir: string) => git(dir, '--no-optional-locks', 'status', '--porcelain');

describe("the user's git", () => {
  test('is the same before and after a run: every byte of it', async () => {
    await using b = await repository();
    const before = picture(join(b.dir, '.git'));
    const ws = await b.open();
    put(b.dir, 'a.txt', 'agent\n');
    put(b.dir, 'new.txt', 'agent\n');
    const now = await ws.snapshot();
    await ws.diff(ws.start, now, 1000);
    await ws.savePatch(ws.start, now, join(b.root, 'p'));
    await ws.restore(now, ws.start);
    await ws.close();
    expect(picture(join(b.dir, '.git'))).toEqual(before);
    expect(statusOf(b.dir)).toBe('M a.txt\nA  staged.txt\n'.replace(/^M/, ' M'));
  });

  test('what a diff holds lies readable in no file beside the patch that was asked for', async () => {
    await using b = await repository();
    const ws = await b.open();
    put(b.dir, 'new.txt', 'token-of-the-agent\n');
    const now = await ws.snapshot();
    const shown = await ws.diff(ws.start, now, 10_000);
    expect(shown.patch).toContain('token-of-the-agent');
    const readable = (folder: string) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        // What is kept of the files lies among objects.
        .filter((file) => !file.startsWith(`${b.dir}/`) && !file.includes('/objects/'))
        .filter((file) => readFileSync(file).includes('token-of-the-agent'));
    expect(readable(b.root)).toEqual([]);
    const patch = join(b.root, 'p');
    await ws.savePatch(ws.start, now, patch);
    expect(readable(b.root)).toEqual([patch]);
    await ws.close();
  });

  test('what an agent does to configuration, hooks, HEAD and refs is seen and goes back', async () => {
    await using b = await repository();
    const head = git(b.dir, 'rev-parse', 'HEAD');
    const before = picture(
      join(b.dir, '.git'),
      ['/objects', '/logs', '/COMMIT_EDITMSG'].map((name) => name),
    );
    const status = statusOf(b.dir);
    const ws = await b.open();
    git(b.dir, 'config', 'core.hooksPath', '/tmp');
    put(b.dir, '.git/hooks/pre-commit', '#!/bin/sh\n');
    chmodSync(join(b.dir, '.git/hooks/pre-commit'), 0o755);
    git(b.dir, 'checkout', '-q', '-b', 'other');
    appendFileSync(join(b.dir, '.git/info/exclude'), '*.py\n');
    put(b.dir, 'b.txt', 'agent\n');
    git(b.dir, 'add', '-A');
    git(b.dir, '-c', 'core.hooksPath=/dev/null', 'commit', '-qm', 'agent');
    const now = await ws.snapshot();
    expect(short(ws.changes(ws.start, now))).toBe(
      ['config', 'HEAD', 'hooks/pre-commit', 'info/exclude', 'refs/heads/other']
        .map((name) => `(${name.startsWith('h') || name.startsWith('r') ? '+' : '~'}.git/${name})`)
        .sort((one, other) => (one.slice(2) < other.slice(2) ? -1 : 1))
        .concat('+b.txt')
        .join(' '),
    );
    await ws.restore(now, ws.start);
    expect(picture(join(b.dir, '.git'), ['/objects', '/logs', '/COMMIT_EDITMSG'])).toEqual(before);
    expect(git(b.dir, 'rev-parse', 'HEAD')).toBe(head);
    expect(statusOf(b.dir)).toBe(status);
  });

  test('a look with `git status` is no change', async () => {
    await using b = await repository();
    const ws = await b.open();
    put(b.dir, 'a.txt', 'agent\n');
    git(b.dir, 'add', 'a.txt');
    const now = await ws.snapshot();
    expect(short(ws.changes(ws.start, now))).toBe('~a.txt');
  });

  test('a repository that was deleted is no thing to put back, and that is said', async () => {
    await using b = await repository();
    const ws = await b.open();
    rmSync(join(b.dir, '.git'), { recursive: true });
    const now = await ws.snapshot();
    await expect(ws.restore(now, ws.start)).rejects.toThrow('the git directory of the workspace is gone');
  });

  test('a worktree: HEAD, its branch and the configuration are seen where they lie, other branches are not', async () => {
    await using b = await repository();
    const tree = join(b.root, 'tree');
    git(b.dir, 'worktree', 'add', '-q', '-b', 'work', tree);
    const ws = await b.open({ dir: tree });
    const start = git(tree, 'rev-parse', 'HEAD');
    put(tree, 'n.txt', 'n');
    git(tree, 'add', '-A');
    git(tree, 'commit', '-qm', 'agent');
    git(tree, 'config', 'core.hooksPath', '/tmp');
    git(b.dir, 'branch', 'by-the-user');
    const now = await ws.snapshot();
    expect(short(ws.changes(ws.start, now))).toBe('(~.git/config) (~.git/refs/heads/work) +n.txt');
    await ws.restore(now, ws.start);
    expect(git(tree, 'rev-parse', 'HEAD')).toBe(start);
    expect(git(b.dir, 'branch', '--list', 'by-the-user')).toContain('by-the-user');
    expect(git(tree, 'status', '--porcelain')).toBe('');
  });

  test('replace refs and a foreign owner do not blind the look', async () => {
    await using b = await repository();
    const blob = git(b.dir, 'hash-object', '-w', 'a.txt').trim();
    const other = git(b.dir, 'hash-object', '-w', '.gitignore').trim();
    git(b.dir, 'replace', blob, other);
    if (process.getuid?.() === 0) execFileSync('chown', ['-R', '12345', b.dir]);
    const ws = await b.open();
    put(b.dir, 'a.txt', 'new\n');
    const { patch } = await ws.diff(ws.start, await ws.snapshot(), 1000);
    expect(patch).toContain('-unstaged\n+new\n');
  });
});

describe('copies', () => {
  test('a copy is worked in, the original stays as it is', async () => {
    await using b = await repository();
    const before = picture(b.dir);
    const ws = await b.open({ mode: 'copy', copyTo: join(b.root, 'copies', 'ws') });
    expect(ws.origin).toBe(b.dir);
    expect(picture(ws.dir)).toEqual(before);
    await ws.write('a.txt', 'agent');
    git(ws.dir, 'commit', '-qam', 'agent');
    expect(short(ws.changes(ws.start, await ws.snapshot()))).toContain('~a.txt');
    expect(picture(b.dir)).toEqual(before);
  });

  test.each(['submodule', 'worktree'])('a copy of a %s has a git directory of its own', async (kind) => {
    await using b = await repository();
    let origin = join(b.root, 'tree');
    if (kind === 'worktree') git(b.dir, 'worktree', 'add', '-q', '-b', 'work', origin);
    else {
      git(b.root, 'init', '-q', 'super');
      git(join(b.root, 'super'), 'submodule', '--quiet', 'add', b.dir, 'sub');
      origin = join(b.root, 'super', 'sub');
    }
    const head = git(origin, 'rev-parse', 'HEAD');
    const ws = await b.open({ dir: origin, mode: 'copy', copyTo: join(b.root, 'copies', 'ws') });
    expect(git(ws.dir, 'rev-parse', 'HEAD')).toBe(head);
    expect(git(ws.dir, 'rev-parse', '--show-toplevel').trim()).toBe(ws.dir);
    put(ws.dir, 'n.txt', 'n');
    git(ws.dir, 'add', '-A');
    git(ws.dir, 'commit', '-qm', 'agent');
    expect(git(origin, 'rev-parse', 'HEAD')).toBe(head);
    expect(git(origin, 'status', '--porcelain')).toBe('');
  });

  test('a copy into itself is refused', async () => {
    await using b = await bench({ a: '1' });
    const open = b.open({ mode: 'copy', copyTo: join(b.dir, '.loopgen', 'ws') });
    await expect(open).rejects.toMatchObject({ code: 'copy-failed' });
    expect(existsSync(join(b.dir, '.loopgen'))).toBe(false);
  });

  test('a folder that is not there cannot be copied', async () => {
    await using b = await bench();
    const open = b.open({ dir: join(b.root, 'none'), mode: 'copy', copyTo: join(b.root, 'c') });
    await expect(open).rejects.toMatchObject({ code: 'bad-workspace' });
  });

  test('the work goes back into the original; where that changed meanwhile, nothing does', async () => {
    await using b = await bench({ a: '1', b: '1', 'c.log': '1' });
    const ws = await b.open({ mode: 'copy', copyTo: join(b.root, 'copies', 'ws') });
    put(ws.dir, 'a', '2');
    put(ws.dir, 'c.log', '2');
    put(ws.dir, 'new/d', '2');
    rmSync(join(ws.dir, 'b'));
    const now = await ws.snapshot();
    put(b.dir, 'a', 'user');
    expect(await ws.applyToOrigin(now)).toEqual({ conflicts: ['a'] });
    expect(existsSync(join(b.dir, 'b'))).toBe(true);
    put(b.dir, 'a', '1');
    expect(await ws.applyToOrigin(now)).toEqual({ applied: ['b', 'a', 'new/d'] });
    expect(readFileSync(join(b.dir, 'a'), 'utf8')).toBe('2');
    expect(readFileSync(join(b.dir, 'c.log'), 'utf8')).toBe('1');
    expect(existsSync(join(b.dir, 'b'))).toBe(false);
  });
});
