import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { wholeFilePatch } from '../../src/core/whole-file-patch.ts';
import { tempDir } from '../support/temp-dir.ts';

function apply(dir: string, patch: string, ...flags: string[]): void {
  execFileSync('git', ['apply', '--whitespace=nowarn', ...flags, '-'], {
    cwd: dir,
    input: patch,
    env: { PATH: process.env['PATH'], GIT_CEILING_DIRECTORIES: dirname(dir), HOME: dir },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);

describe('git applies the patch, and takes it back', () => {
  const table: [string, string, string | undefined, string | undefined][] = [
    ['a changed file', 'a.py', 'x = 1\ny = 2\n', 'x = 1\ny = 3\nz = 4\n'],
    ['a new file', 'src/deep/a.py', undefined, 'x = 1\n'],
    ['a deleted file', 'a.py', 'x = 1\n', undefined],
    ['a file that gets its first line', 'a.py', '', 'x\n'],
    ['a file that is emptied', 'a.py', 'x\ny\n', ''],
    ['a new empty file', 'pkg/__init__.py', undefined, ''],
    ['a deleted empty file', 'pkg/__init__.py', '', undefined],
    ['no newline at the end, before', 'a.py', 'x', 'x\n'],
    ['no newline at the end, after', 'a.py', 'x\n', 'x\ny'],
    ['no newline at either end', 'a.py', 'x', 'y'],
    ['CRLF', 'a.txt', 'a\r\nb\r\n', 'a\r\nc\r\n'],
    [
      'lines that look like a patch',
      'a.txt',
      '--- a/b\n+++ b/b\n@@ -1 +1 @@\n',
      '\\ No newline at end of file\n',
    ],
    ['a name with spaces', 'my file.txt', 'a\n', 'b\n'],
    ['a new name with spaces', 'my new file.txt', undefined, 'b\n'],
    ['a name with quotes and backslashes', 'q"x\\y.txt', 'a\n', 'b\n'],
    ['a name with a newline and a tab', 'n\nl\t.txt', undefined, 'b\n'],
    ['a name beyond ASCII', 'ü ß/日本.txt', 'a\n', 'b\n'],
    ['a name that begins with a dash', '-rf', 'a\n', 'b\n'],
  ];
  test.each(table)('%s', async (_, path, before, after) => {
    await using dir = await tempDir();
    const file = join(dir.path, path);
    mkdirSync(dirname(file), { recursive: true });
    if (before !== undefined) writeFileSync(file, before);
    const patch = wholeFilePatch(path, before, after);
    apply(dir.path, patch);
    expect(read(file)).toBe(after);
    apply(dir.path, patch, '-R');
    expect(read(file)).toBe(before);
  });

  test('several files in one', async () => {
    await using dir = await tempDir();
    writeFileSync(join(dir.path, 'a'), 'one\n');
    const patch =
      wholeFilePatch('a', 'one\n', 'two\n') +
      wholeFilePatch('b', undefined, '') +
      wholeFilePatch('c d', undefined, 'x\n');
    apply(dir.path, patch);
    expect(['a', 'b', 'c d'].map((name) => read(join(dir.path, name)))).toEqual(['two\n', '', 'x\n']);
  });
});

test('no difference is no patch', () => {
  expect(wholeFilePatch('a', 'x\n', 'x\n')).toBe('');
  expect(wholeFilePatch('a', undefined, undefined)).toBe('');
});
