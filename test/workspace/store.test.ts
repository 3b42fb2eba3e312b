import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { State } from '../../src/workspace/manifest.ts';
import { Store } from '../../src/workspace/store.ts';
import { WorkTree } from '../../src/workspace/work-tree.ts';
import { tempDir } from '../support/temp-dir.ts';
import { git, put } from './support.ts';

const bodies = [
  Buffer.alloc(0),
  Buffer.from('hello\n'),
  Buffer.from([0, 255, 13, 10]),
  randomBytes(4095),
  randomBytes(4096),
  Buffer.alloc(200_000, 'abc'),
];

function readByGit(store: string, oid: string): Buffer {
  return execFileSync('git', ['--git-dir', store, 'cat-file', 'blob', oid]);
}

const state = (oid: string, mode = 0o644, type: State['type'] = 'file'): State => ({
  type,
  mode,
  oid,
  kept: true,
  work: true,
  uid: 0,
  gid: 0,
});

describe('the store', () => {
  test.each([
    ['few objects, in files of their own', 0],
    ['many objects, in a pack', 300],
  ])('%s: git and the store read back what was put in', async (_, more) => {
    await using dir = await tempDir();
    const store = new Store(dir.path);
    const all = [...bodies, ...Array.from({ length: more }, (_, n) => Buffer.from(`number ${n}\n`))];
    const oids = all.map((body) => store.add('blob', body));
    expect(all.map((body) => store.add('blob', body))).toEqual(oids);
    const early = store.read(oids[5] ?? '');
    store.flush();
    expect(early.equals(all[5] ?? Buffer.alloc(0))).toBe(true);
    for (const [index, body] of all.entries()) expect(store.read(oids[index] ?? '').equals(body)).toBe(true);
    for (const index of bodies.keys()) {
      expect(readByGit(dir.path, oids[index] ?? '').equals(all[index] ?? Buffer.alloc(0))).toBe(true);
    }
    expect(git(dir.path, '--git-dir', dir.path, 'fsck', '--full', '--strict')).not.toMatch(/error|missing/);
    const packs = git(dir.path, '--git-dir', dir.path, 'count-objects', '-v');
    expect(packs).toContain(`packs: ${more > 0 ? 1 : 0}`);
  });

  test('a tree has the id that git gives to the same files', async () => {
    await using dir = await tempDir();
    const repository = join(dir.path, 'repo');
    mkdirSync(repository);
    const files = ['a', 'a.b', 'a/x', 'ab/y', 'a-b', 'z/deep/er/f', 'ü/é.txt'].filter((path) => path !== 'a');
    git(repository, 'init', '-q');
    const store = new Store(join(dir.path, 'store'));
    const tree = new WorkTree(store);
    for (const path of files) {
      put(repository, path, path);
      tree.set(Buffer.from(path).toString('latin1'), state(store.add('blob', Buffer.from(path))));
    }
    git(repository, 'add', '-A');
    expect(tree.id()).toBe(git(repository, 'write-tree').trim());

    git(repository, 'rm', '-q', '--cached', 'z/deep/er/f', 'a-b');
    tree.set('z/deep/er/f', undefined);
    tree.set('a-b', undefined);
    expect(tree.id()).toBe(git(repository, 'write-tree').trim());
  });

  test('an empty tree is the empty tree of git', async () => {
    await using dir = await tempDir();
    expect(new WorkTree(new Store(dir.path)).id()).toBe('4b825dc642cb6eb9a060e54bf8d69288fbee4904');
  });
});
