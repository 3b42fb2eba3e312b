import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Outside, repositoryOf } from '../../src/room/outside.ts';
import { tempDir } from '../support/temp-dir.ts';
import { put } from '../workspace/support.ts';

describe('what lies around the workspace', () => {
  test('is compared with the start, without the workspace, packages, caches and own state', async () => {
    await using temp = await tempDir();
    const top = temp.path;
    const workspaceDir = join(top, 'packages/app');
    for (const path of ['a.py', 'b.py', 'packages/lib/c.py', 'packages/app/d.py', 'node_modules/x/i.js'])
      put(top, path, '');
    const outside = new Outside({ workspaceDir, top, stateDirs: [join(top, 'state')] });
    for (const path of [
      'packages/app/d.py',
      'node_modules/x/i.js',
      '.git/HEAD',
      'state/x',
      '__pycache__/a.pyc',
    ])
      put(top, path, 'new');
    expect(outside.changed()).toEqual([]);
    put(top, 'packages/lib/c.py', 'cheat');
    put(top, 'conftest.py', 'cheat');
    rmSync(join(top, 'b.py'));
    expect(outside.changed()).toEqual(['b.py', 'conftest.py', 'packages/lib/c.py']);
  });

  test('is nothing where the workspace is the repository, but for folders that are named', async () => {
    await using temp = await tempDir();
    const workspaceDir = join(temp.path, 'app');
    const also = join(temp.path, 'site-packages');
    put(workspaceDir, 'a.py', '');
    put(also, 'x.py', '');
    const outside = new Outside({ workspaceDir, top: workspaceDir, stateDirs: [], also: [also] });
    put(workspaceDir, 'a.py', 'new');
    expect(outside.changed()).toEqual([]);
    put(also, 'usercustomize.py', '');
    expect(outside.changed()).toEqual([join(also, 'usercustomize.py')]);
  });

  test('is the nearest repository, unless that is a home', async () => {
    await using temp = await tempDir();
    const inner = join(temp.path, 'repo/a/b');
    put(inner, 'x', '');
    put(temp.path, '.git/HEAD', '');
    expect(repositoryOf(inner, [])).toBe(temp.path);
    expect(repositoryOf(inner, [temp.path])).toBeUndefined();
    put(temp.path, 'repo/.git', 'gitdir: elsewhere');
    expect(repositoryOf(inner, [temp.path])).toBe(join(temp.path, 'repo'));
  });
});
