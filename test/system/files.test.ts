import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resolveInside, writeAtomically } from '../../src/system/files.ts';
import { which } from '../../src/system/which.ts';
import { tempDir } from '../support/temp-dir.ts';

/** A folder `root` with links of every kind, beside a folder `outside` with one file. */
async function tree() {
  const dir = await tempDir();
  const root = join(dir.path, 'root');
  await mkdir(join(root, 'src', 'deep'), { recursive: true });
  await mkdir(join(dir.path, 'outside'));
  await mkdir(join(dir.path, 'root-too'));
  await writeFile(join(dir.path, 'outside', 'file'), '');
  await writeFile(join(root, 'src', 'a.py'), '');
  const links: Record<string, string> = {
    'to-src': 'src',
    'to-file': 'src/a.py',
    'to-new': 'src/new.py',
    'to-out': '../outside',
    'to-out-file': '../outside/file',
    'to-out-new': '../outside/new',
    'to-nowhere': '/no/such/place',
    'to-absolute-in': join(root, 'src'),
    'to-neighbour': '../root-too',
    'src/deep/up': '../../to-out',
    'in-again': '../outside/../root/src',
    here: '.',
    circle: 'circle',
  };
  for (const [name, target] of Object.entries(links)) await symlink(target, join(root, name));
  return { root, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

test.each([
  ['src/a.py', 'src/a.py'],
  ['./src//a.py', 'src/a.py'],
  ['.', '.'],
  ['src/new/deep.py', 'src/new/deep.py'],
  ['no/such/folder/x', 'no/such/folder/x'],
  ['to-src/a.py', 'src/a.py'],
  ['to-src/new.py', 'src/new.py'],
  ['to-file', 'src/a.py'],
  ['to-new', 'src/new.py'],
  ['to-absolute-in/x', 'src/x'],
  ['in-again/a.py', 'src/a.py'],
  ['here/here/src/a.py', 'src/a.py'],
  ['with space', 'with space'],
  ['new\nline', 'new\nline'],
  ['-rf', '-rf'],
  ['..hidden/...', '..hidden/...'],
  ['ü\ufffd"\\', 'ü\ufffd"\\'],
])('%j leads inside', async (path, expected) => {
  await using at = await tree();
  expect(await resolveInside(at.root, path)).toEqual({ ok: true, path: join(at.root, expected) });
});

test.each([
  ['', 'empty'],
  ['a\0b', 'NUL'],
  ['/etc/passwd', 'absolute'],
  ['..', '".."'],
  ['../root/src/a.py', '".."'],
  ['src/../src/a.py', '".."'],
  ['to-out', 'outside'],
  ['to-out/new', 'outside'],
  ['to-out-file', 'outside'],
  ['to-out-new', 'outside'],
  ['to-nowhere', 'outside'],
  ['to-nowhere/x', 'outside'],
  ['to-neighbour/x', 'outside'],
  ['src/deep/up/x', 'outside'],
  ['to-src/deep/up', 'outside'],
  ['here/here/to-out/x', 'outside'],
  ['circle', 'circle'],
  ['circle/x', 'circle'],
  ['src/a.py/x', 'no folder'],
  ['x'.repeat(300), 'ENAMETOOLONG'],
])('%j is refused', async (path, because) => {
  await using at = await tree();
  const result = await resolveInside(at.root, path);
  expect(result.ok).toBe(false);
  expect(!result.ok && result.because).toContain(because);
});

test('a root that is reached by a link is the folder behind it', async () => {
  await using at = await tree();
  const result = await resolveInside(join(at.root, 'to-src'), 'a.py');
  expect(result).toEqual({ ok: true, path: join(at.root, 'src/a.py') });
  expect(await resolveInside(join(at.root, 'missing'), 'a.py')).toMatchObject({ ok: false });
});

test('an atomic write makes folders, keeps the mode and leaves no draft', async () => {
  await using dir = await tempDir();
  const file = join(dir.path, 'a', 'b', 'state.json');
  await writeAtomically(file, 'one');
  await chmod(file, 0o640);
  await writeAtomically(file, Buffer.from([0xff, 0]));
  expect([...(await readFile(file))]).toEqual([0xff, 0]);
  expect((await stat(file)).mode & 0o777).toBe(0o640);
  expect(await readdir(join(dir.path, 'a', 'b'))).toEqual(['state.json']);
});

test('an atomic write that fails changes nothing', async () => {
  await using dir = await tempDir();
  await mkdir(join(dir.path, 'taken', 'by-a-folder'), { recursive: true });
  await expect(writeAtomically(join(dir.path, 'taken'), 'x')).rejects.toThrow();
  expect(await readdir(dir.path)).toEqual(['taken']);
});

test('readers never see half of a file that is written atomically', async () => {
  await using dir = await tempDir();
  const file = join(dir.path, 'f');
  const [a, b] = ['a'.repeat(500_000), 'b'.repeat(500_000)];
  await writeAtomically(file, a);
  const writes = Promise.all(Array.from({ length: 10 }, (_, n) => writeAtomically(file, n % 2 ? a : b)));
  for (let n = 0; n < 20; n++) expect([a, b]).toContain(await readFile(file, 'utf8'));
  await writes;
});

test('a program is found on the PATH it is given, the first that may be executed', async () => {
  await using dir = await tempDir();
  const [one, two, three] = ['one', 'two', 'three'].map((name) => join(dir.path, name));
  for (const folder of [one, two, three]) await mkdir(folder ?? '');
  await mkdir(join(one ?? '', 'tool'));
  await writeFile(join(two ?? '', 'tool'), '', { mode: 0o644 });
  await writeFile(join(three ?? '', 'tool'), '', { mode: 0o755 });
  const PATH = `${one}:${two}:${three}`;
  expect(which('tool', { PATH })).toBe(join(three ?? '', 'tool'));
  expect(which('tool', { PATH: `${one}:${two}` })).toBeUndefined();
  expect(which('tool', {})).toBeUndefined();
  expect(which('./three/tool', { PATH: '' }, dir.path)).toBe(join(three ?? '', 'tool'));
  expect(which('tool', { PATH: 'three' }, dir.path)).toBe(join(three ?? '', 'tool'));
  expect(which('tool', { PATH: '' }, three)).toBe(join(three ?? '', 'tool'));
  expect(which('', { PATH })).toBeUndefined();
});
