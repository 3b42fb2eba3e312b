import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readContext } from '../../src/drivers/context.ts';
import { tempDir } from '../support/temp-dir.ts';

async function tree(dir: string, files: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(dir, path, '..'), { recursive: true });
    await writeFile(join(dir, path), content);
  }
}

test('globs and paths name files, each once, in the order given; dependency folders are left out', async () => {
  await using dir = await tempDir();
  await tree(dir.path, {
    'b.py': 'b',
    'a.py': 'a',
    'tests/test_a.py': 't',
    'node_modules/x/x.py': 'no',
    '.venv/lib/y.py': 'no',
  });
  expect(await readContext(dir.path, ['b.py', '**/*.py'])).toEqual([
    { path: 'b.py', content: 'b' },
    { path: 'a.py', content: 'a' },
    { path: 'tests/test_a.py', content: 't' },
  ]);
});

test('a file that is missing, outside, binary or a folder is named with the reason', async () => {
  await using dir = await tempDir();
  await tree(dir.path, { 'work/bin.dat': 'a\0b', 'secret.txt': 'secret' });
  const work = join(dir.path, 'work');
  await symlink('../secret.txt', join(work, 'link.txt'));
  await mkdir(join(work, 'folder'));
  const files = await readContext(work, [
    'gone.py',
    '../secret.txt',
    'link.txt',
    'bin.dat',
    'folder',
    '*.txt',
  ]);
  expect(files).toEqual([
    { path: 'gone.py', absent: 'does not exist yet' },
    { path: '../secret.txt', absent: expect.stringMatching(/^not shown: /) },
    { path: 'link.txt', absent: expect.stringMatching(/^not shown: /) },
    { path: 'bin.dat', absent: 'not shown: a binary file' },
    { path: 'folder', absent: expect.stringMatching(/^not shown: /) },
  ]);
});

test('a pattern that matches nothing shows nothing, and a loop of links is not walked', async () => {
  await using dir = await tempDir();
  await symlink('.', join(dir.path, 'loop'));
  expect(await readContext(dir.path, ['**/*.py'])).toEqual([]);
});
