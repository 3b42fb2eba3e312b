import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bench, put } from './support.ts';

describe('writing into the workspace', () => {
  test.each(['a.txt', 'deep/er/b.txt', 'a b', 'n\nl', '-rf', 'ü/é', '...', 'inside-link/x'])(
    '%j is written',
    async (path) => {
      await using b = await bench();
      mkdirSync(join(b.dir, 'real'));
      symlinkSync('real', join(b.dir, 'inside-link'));
      const ws = await b.open();
      await ws.write(path, 'text');
      expect(readFileSync(join(b.dir, path), 'utf8')).toBe('text');
      await ws.remove(path);
      expect(existsSync(join(b.dir, path))).toBe(false);
      await ws.remove(path);
    },
  );

  test.each([
    '../x',
    'a/../../x',
    '/tmp/loopgen-no',
    '',
    'nul\0byte',
    'out-dir/x',
    'out-file',
    'dangling-out',
    'chain',
    '.git/hooks/pre-commit',
    '.GIT/config',
  ])('%j is refused', async (path) => {
    await using b = await bench();
    const outside = join(b.root, 'outside');
    put(outside, 'file', 'user');
    symlinkSync(outside, join(b.dir, 'out-dir'));
    symlinkSync(join(outside, 'file'), join(b.dir, 'out-file'));
    symlinkSync(join(outside, 'none'), join(b.dir, 'dangling-out'));
    symlinkSync('out-dir/file', join(b.dir, 'chain'));
    const ws = await b.open();
    await expect(ws.write(path, 'bad')).rejects.toMatchObject({ code: 'outside-workspace' });
    await expect(ws.remove(path)).rejects.toMatchObject({ code: 'outside-workspace' });
    expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('user');
    expect(existsSync(join(outside, 'none'))).toBe(false);
  });

  test('an existing file keeps its mode', async () => {
    await using b = await bench({ 'run.sh': '1' });
    chmodSync(join(b.dir, 'run.sh'), 0o750);
    const ws = await b.open();
    await ws.write('run.sh', '2');
    expect(lstatSync(join(b.dir, 'run.sh')).mode & 0o7777).toBe(0o750);
  });

  test('removing a link leaves what it leads to', async () => {
    await using b = await bench({ target: '1' });
    symlinkSync('target', join(b.dir, 'link'));
    const ws = await b.open();
    await ws.remove('link');
    expect(readFileSync(join(b.dir, 'target'), 'utf8')).toBe('1');
    expect(lstatSync(join(b.dir, 'link'), { throwIfNoEntry: false })).toBeUndefined();
  });

  test('a folder is no file to write or to remove, and that is said', async () => {
    await using b = await bench({ 'd/a': '1' });
    const ws = await b.open();
    await expect(ws.write('d', 'x')).rejects.toMatchObject({ code: 'cannot-write' });
    await expect(ws.remove('d')).rejects.toMatchObject({ code: 'cannot-write' });
    await expect(ws.write('d/a/b', 'x')).rejects.toMatchObject({ code: 'outside-workspace' });
    writeFileSync(join(b.dir, 'd/a'), '2');
  });
});
