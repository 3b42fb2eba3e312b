import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findInterrupted } from '../../src/workspace/interrupted.ts';
import { holder } from './holder.ts';
import { bench, git, picture, put } from './support.ts';

const FILES = { 'a.txt': 'one\r\ntwo\n', 'gone.txt': 'gone\n', 'src/b.py': 'b\n', 'bin.dat': '\0\x01' };

/** With settings of a user that change what git does with line ends. */
function paste(command: string, home: string): void {
  put(home, '.gitconfig', '[core]\n\tautocrlf = input\n\twhitespace = fix\n[apply]\n\twhitespace = error\n');
  execFileSync('sh', ['-c', command], {
    cwd: '/',
    env: { PATH: process.env['PATH'], HOME: home },
    stdio: 'pipe',
  });
}

function work(dir: string): void {
  put(dir, 'a.txt', 'one\r\nTWO  \n');
  put(dir, 'new/c.txt', 'new');
  put(dir, 'bin.dat', Buffer.from([0, 2, 3]));
  rmSync(join(dir, 'gone.txt'));
}

describe('a run in place that was killed', () => {
  test.each(['no repository', 'a repository', 'a sub-folder of a repository'])(
    'leaves its patch, and a command that brings the start back when pasted: %s',
    async (kind) => {
      await using b = await bench({ ...FILES, '.gitattributes': '*.txt text eol=lf\n' }, "it's a ws");
      const repository = kind === 'a repository' ? b.dir : kind === 'no repository' ? undefined : b.root;
      if (repository) {
        git(repository, 'init', '-q');
        put(repository, '.gitignore', 'new/\n');
      }
      const start = picture(b.dir);
      await using other = await holder(b);
      expect(await findInterrupted(b.userState, b.dir)).toBeUndefined();
      work(b.dir);
      await other.kill();

      const found = await findInterrupted(b.userState, join(b.dir, 'src', '..'));
      expect(found?.runId).toBe(other.runId);
      expect(found?.stat).toContain('4 files changed');
      expect(found?.patch).toContain('+TWO');
      expect(found?.restoreCommand.startsWith(`cd '${b.dir.replace("'", "'\\''")}' && git --git-dir=`)).toBe(
        true,
      );
      paste(found?.restoreCommand ?? 'false', join(b.root, 'home'));
      expect(picture(b.dir)).toEqual(start);

      expect(await findInterrupted(b.userState, b.dir)).toBeUndefined();
    },
  );

  test('is told again until it is acknowledged, and the command works afterwards', async () => {
    await using b = await bench(FILES);
    await using other = await holder(b);
    work(b.dir);
    await other.kill();
    expect(await findInterrupted(b.userState, b.dir)).toBeDefined();
    const found = await findInterrupted(b.userState, b.dir);
    found?.acknowledge();
    expect(await findInterrupted(b.userState, b.dir)).toBeUndefined();
    const ws = await b.open();
    await ws.close();
    paste(found?.restoreCommand ?? 'false', join(b.root, 'home'));
    expect(readFileSync(join(b.dir, 'a.txt'), 'utf8')).toBe(FILES['a.txt']);
    expect(existsSync(join(b.dir, 'new/c.txt'))).toBe(false);
  });

  test('that changed nothing is nothing to tell, and neither is one that ended in order', async () => {
    await using b = await bench(FILES);
    await using other = await holder(b);
    await other.kill();
    put(b.dir, 'debug.log', 'an artefact');
    expect(await findInterrupted(b.userState, b.dir)).toBeUndefined();
    const ws = await b.open();
    work(b.dir);
    await ws.close();
    expect(await findInterrupted(b.userState, b.dir)).toBeUndefined();
    expect(existsSync(join(b.root, 'stores', 'run-x'))).toBe(false);
  });

  test('of another folder is not told here', async () => {
    await using b = await bench(FILES);
    await using other = await holder(b);
    work(b.dir);
    await other.kill();
    expect(await findInterrupted(b.userState, b.root)).toBeUndefined();
    expect(await findInterrupted(b.userState, b.dir)).toBeDefined();
  });
});
