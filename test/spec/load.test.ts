import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { loadSpec } from '../../src/spec/load.ts';
import { tempDir } from '../support/temp-dir.ts';
import { SMALL } from './example-spec.ts';

test('a file is read, and its name stands in the places of its parts', async () => {
  await using dir = await tempDir();
  const file = path.join(dir.path, 'a.loop.yaml');
  await writeFile(file, SMALL);
  const { spec, source } = await loadSpec(file);
  expect(spec.name).toBe('small');
  expect(source.locate(['driver', 'uses'])).toMatchObject({ file, line: 3, column: 17 });
});

test('a file that is not there is told with the nearest name', async () => {
  await using dir = await tempDir();
  await writeFile(path.join(dir.path, 'retry.loop.yaml'), SMALL);
  await expect(loadSpec(path.join(dir.path, 'rety.loop.yaml'))).rejects.toMatchObject({
    code: 'spec-not-found',
    hint: `did you mean ${path.join(dir.path, 'retry.loop.yaml')}?`,
  });
});

test('a file in a folder that is not there is told too', async () => {
  await using dir = await tempDir();
  await expect(loadSpec(path.join(dir.path, 'no', 'a.yaml'))).rejects.toMatchObject({
    code: 'spec-not-found',
  });
});

test('a folder is told with the specs in it', async () => {
  await using dir = await tempDir();
  await writeFile(path.join(dir.path, 'a.loop.yaml'), SMALL);
  await mkdir(path.join(dir.path, 'sub'));
  await expect(loadSpec(dir.path)).rejects.toMatchObject({
    code: 'spec-unreadable',
    hint: 'in it there is a.loop.yaml',
  });
  await expect(loadSpec(path.join(dir.path, 'sub'))).rejects.toMatchObject({ code: 'spec-unreadable' });
});

test.each([
  ['a device', async () => '/dev/null', 'not a regular file'],
  ['a link to itself', linkToItself, 'cannot be read'],
  [
    'bytes that are no UTF-8',
    (dir: string) => fileOf(dir, Buffer.from('a: 1\nb: \xff\n', 'latin1')),
    'line 2',
  ],
  ['a file of 5 MB', (dir: string) => fileOf(dir, Buffer.alloc(5 * 1024 * 1024, 35)), 'larger than 4 MB'],
])('%s is refused with a reason', async (_, make, message) => {
  await using dir = await tempDir();
  const file = await make(dir.path);
  await expect(loadSpec(file)).rejects.toMatchObject({
    code: 'spec-unreadable',
    message: expect.stringContaining(message),
  });
});

test('an empty file is told to be empty', async () => {
  await using dir = await tempDir();
  const file = await fileOf(dir.path, Buffer.from('# nothing yet\n'));
  await expect(loadSpec(file)).rejects.toMatchObject({
    code: 'bad-spec',
    message: expect.stringMatching(/^is empty/),
  });
});

async function linkToItself(dir: string): Promise<string> {
  const link = path.join(dir, 'loop.yaml');
  await symlink(link, link);
  return link;
}

async function fileOf(dir: string, bytes: Buffer): Promise<string> {
  const file = path.join(dir, 'a.loop.yaml');
  await writeFile(file, bytes);
  return file;
}
