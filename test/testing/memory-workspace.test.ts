import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { memoryWorkspace } from '../../src/testing/index.ts';
import { tempDir } from '../support/temp-dir.ts';

describe('a workspace in memory', () => {
  test('has the same tree id for the same contents', async () => {
    const workspace = memoryWorkspace({ 'a.txt': '1' });
    workspace.files.set('a.txt', '2');
    const changed = await workspace.snapshot();
    expect(changed.tree).not.toBe(workspace.start.tree);
    workspace.files.set('a.txt', '1');
    expect((await workspace.snapshot()).tree).toBe(workspace.start.tree);
    expect(memoryWorkspace({ 'a.txt': '1' }).start.tree).toBe(workspace.start.tree);
  });

  test('tells names from contents in a tree id', () => {
    expect(memoryWorkspace({ a: 'b' }).start.tree).not.toBe(memoryWorkspace({ b: 'a' }).start.tree);
  });

  test('says what was added, modified and deleted, in order', async () => {
    const workspace = memoryWorkspace({ b: '1', c: '1', d: '1' });
    workspace.files.set('b', '2').set('a', '1').delete('d');
    const changes = workspace.changes(workspace.start, await workspace.snapshot());
    expect(changes.map(({ path, change }) => `${change} ${path}`)).toEqual([
      'added a',
      'modified b',
      'deleted d',
    ]);
    expect(changes.every((change) => change.work && !change.byChecks)).toBe(true);
  });

  test('sees ignored paths but does not count them as work', async () => {
    const workspace = memoryWorkspace({}, { ignore: (path) => path.endsWith('.log') });
    workspace.files.set('x.log', '1');
    const now = await workspace.snapshot();
    expect(now.tree).toBe(workspace.start.tree);
    expect(workspace.changes(workspace.start, now)).toMatchObject([{ path: 'x.log', work: false }]);
    expect((await workspace.diff(workspace.start, now, 100)).patch).toBe('');
  });

  test('tells what the checks changed from what the agent changed', async () => {
    const workspace = memoryWorkspace({ a: '1' });
    await workspace.whileChecking(async () => workspace.files.set('cache', 'x').set('a', '2'));
    const after = await workspace.snapshot();
    expect(workspace.changes(workspace.start, after).map((change) => change.byChecks)).toEqual([true, true]);
    workspace.files.set('a', '3');
    const later = await workspace.snapshot();
    expect(workspace.changes(after, later)).toEqual([
      { path: 'a', change: 'modified', work: true, byChecks: false },
    ]);
  });

  test('puts back all, or only what is named', async () => {
    const workspace = memoryWorkspace({ a: '1', b: '1' });
    workspace.files.set('a', '2').set('new', 'x').delete('b');
    const now = await workspace.snapshot();
    const some = await workspace.restore(now, workspace.start, ['b']);
    expect(Object.fromEntries(workspace.files)).toEqual({ a: '2', b: '1', new: 'x' });
    const all = await workspace.restore(some, workspace.start);
    expect(Object.fromEntries(workspace.files)).toEqual({ a: '1', b: '1' });
    expect(all.tree).toBe(workspace.start.tree);
  });

  test('keeps patches by the name of their file', async () => {
    const workspace = memoryWorkspace({ a: '1\n' });
    workspace.files.set('a', '2\n').set('b', '1\n');
    const file = await workspace.savePatch(workspace.start, await workspace.snapshot(), '/records/x.patch', [
      'a',
    ]);
    expect(workspace.patches.get(file)).toContain('+2');
    expect(workspace.patches.get(file)).not.toContain('b/b');
  });

  test('writes and deletes inside only', async () => {
    const workspace = memoryWorkspace();
    await workspace.write('dir/a', 'x');
    await workspace.remove('dir/a');
    await workspace.remove('never there');
    expect(workspace.files.size).toBe(0);
    for (const path of ['../x', '/etc/passwd', 'a/../../x', ''])
      await expect(workspace.write(path, 'x')).rejects.toMatchObject({ code: 'outside-workspace' });
  });

  test('writes a room of the start and of what is accepted, and brings it in step', async () => {
    await using dir = await tempDir();
    const workspace = memoryWorkspace({ 'src/a': '1', 'test/a': 'judge' });
    workspace.files.set('src/a', '2').set('test/a', 'cheat').set('b', 'new');
    const first = await workspace.snapshot();
    const accepts = ({ path }: { readonly path: string }) => path !== 'test/a';
    const read = (path: string) => readFileSync(join(dir.path, path), 'utf8');
    await workspace.materialise(dir.path, first, accepts);
    expect(['src/a', 'test/a', 'b'].map(read)).toEqual(['2', 'judge', 'new']);
    workspace.files.set('src/a', '3').delete('b');
    await workspace.carry(dir.path, first, await workspace.snapshot(), accepts);
    expect(['src/a', 'test/a'].map(read)).toEqual(['3', 'judge']);
    expect(existsSync(join(dir.path, 'b'))).toBe(false);
  });

  test('does not know the snapshots of another one', async () => {
    const stranger = memoryWorkspace();
    const workspace = memoryWorkspace();
    expect(() => workspace.changes(stranger.start, workspace.start)).toThrow('another workspace');
  });
});
