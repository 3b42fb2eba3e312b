import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFolders } from '../../src/system/find-package.ts';
import { tempDir } from '../support/temp-dir.ts';

test('a package is found in the folders above, the nearest first, and only with its manifest', async () => {
  await using dir = await tempDir();
  const inner = join(dir.path, 'a/b');
  const [near, far, empty] = ['a', '.', 'a/b'].map((place) => join(dir.path, place, 'node_modules/@x/y'));
  for (const folder of [near, far, empty]) await mkdir(folder ?? '', { recursive: true });
  for (const folder of [near, far]) await writeFile(join(folder ?? '', 'package.json'), '{}');
  expect([...packageFolders('@x/y', [inner])]).toEqual([near, far]);
  expect([...packageFolders('@x/z', [inner])]).toEqual([]);
});
