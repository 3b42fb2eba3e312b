import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { which } from '../../src/system/which.ts';
import { linksBackInto } from '../../src/workspace/links-back.ts';
import { git, put } from '../workspace/support.ts';
import { hasBwrap, runIn, said, site } from './support.ts';

const kinds = hasBwrap ? (['bound', 'folder'] as const) : (['folder'] as const);
const has = (tool: string) => which(tool, process.env) !== undefined;
const mark = (kind: string) => (kind === 'bound' ? ' [needs bwrap]' : '');

/** A project with a `src` layout, installed into its own virtual environment so that it can be edited. */
function editable(dir: string): void {
  put(dir, 'src/calc/__init__.py', 'def add(a, b):\n    return a - b\n');
  put(dir, 'tests/test_calc.py', 'from calc import add\n\ndef test_add():\n    assert add(2, 3) == 5\n');
  const venv = join(dir, '.venv');
  execFileSync('python3', ['-m', 'venv', '--without-pip', '--system-site-packages', venv]);
  const lib = readdirSync(join(venv, 'lib'))[0] ?? '';
  writeFileSync(join(venv, 'lib', lib, 'site-packages/__editable__.calc.pth'), `${join(dir, 'src')}\n`);
}

describe('a project with an editable install', () => {
  const pytest = '.venv/bin/python -m pytest -q';

  test.skipIf(!hasBwrap || !has('pytest'))(
    'is tested in a bound room, not in the workspace [needs bwrap]',
    async () => {
      await using s = await site();
      editable(s.dir);
      const { room, workspace } = await s.start();
      const bound = await room('bound');
      expect(await said(bound, pytest)).toMatch(/^exit 1: [\s\S]*1 failed/);
      put(s.dir, 'src/calc/__init__.py', 'def add(a, b):\n    return a + b\n');
      await workspace.carry(bound.workdir, workspace.start, await workspace.snapshot(), () => true);
      expect(await said(bound, pytest)).toMatch(/^exit 0: [\s\S]*1 passed/);
      // The other way round: the workspace is broken again, and the room does not care.
      put(s.dir, 'src/calc/__init__.py', 'raise SystemExit(3)\n');
      expect(await said(bound, pytest)).toMatch(/^exit 0: [\s\S]*1 passed/);
      expect(readdirSync(s.dir).sort()).toEqual(['.venv', 'src', 'tests']);
    },
  );

  test.skipIf(!has('pytest'))(
    'would be tested in the workspace from a folder of its own, which is known',
    async () => {
      await using s = await site();
      editable(s.dir);
      const leadsBack = linksBackInto(s.dir, s.dir);
      const { room, rooms } = await s.start({ leadsBack });
      expect(rooms.available()).toContainEqual({ kind: 'folder', because: leadsBack });
      expect(leadsBack).toContain('is an editable install of');
      const folder = await room('folder');
      put(s.dir, 'src/calc/__init__.py', 'def add(a, b):\n    return a + b\n');
      expect(await said(folder, pytest)).toMatch(/^exit 0/);
    },
  );
});

describe.each(kinds)('a room of the kind %s', (kind) => {
  test(`finds packages that are hoisted above the workspace${mark(kind)}`, async () => {
    await using s = await site({}, 'repo/packages/app');
    const repo = join(s.root, 'repo');
    put(repo, 'node_modules/left/index.js', "module.exports = 'left'");
    put(repo, 'package.json', '{"workspaces":["packages/*"]}');
    put(s.dir, 'node_modules/own/index.js', "module.exports = 'own'");
    put(
      s.dir,
      'index.js',
      "console.log(require('left'), require('own'), require('../../package.json').workspaces[0])",
    );
    git(repo, 'init', '-q');
    const { room } = await s.start();
    expect(await said(await room(kind), 'node index.js')).toBe('exit 0: left own packages/*');
  });

  test.skipIf(!has('go'))(
    `builds a Go module offline with a warm cache [needs go]${mark(kind)}`,
    async () => {
      await using s = await site({
        'go.mod': 'module example.com/m\n\ngo 1.19\n',
        'm.go': 'package main\n\nimport "fmt"\n\nfunc main() { fmt.Println("built") }\n',
      });
      const { room, rooms } = await s.start();
      const env = { GOFLAGS: '-mod=mod', GOPROXY: 'off' };
      const first = await room(kind);
      expect(await said(first, 'go build -o m . && ./m', { env })).toBe('exit 0: built');
      await rooms.snapshotCaches(first);
      const fresh = await room(kind);
      const cached = "go build -x -o m . 2>&1 | grep -c '/compile' ; ./m";
      // At another path, the project's own package is another one.
      const compiled = kind === 'bound' ? 0 : 1;
      expect(await said(fresh, cached, { env })).toBe(`exit 0: ${compiled}\nbuilt`);
      expect(existsSync(join(s.dir, 'm'))).toBe(false);
    },
    180_000,
  );

  test(`lets a build write into a folder that git ignores${mark(kind)}`, async () => {
    await using s = await site({ x: 'app', '.gitignore': 'dist\n', 'dist/old.js': 'old' });
    const { room } = await s.start();
    const build = "sh -c 'mkdir -p dist && cp x dist/app.js && test -f dist/app.js && cat dist/old.js'";
    expect(await said(await room(kind), build)).toBe('exit 0: old');
    expect(readdirSync(join(s.dir, 'dist'))).toEqual(['old.js']);
  });

  test(`has the repository as it was at the start, and lets a check write to it${mark(kind)}`, async () => {
    await using s = await site({ 'a.txt': 'one' });
    git(s.dir, 'init', '-q', '-b', 'main');
    git(s.dir, 'add', '.');
    git(s.dir, 'commit', '-qm', 'first');
    git(s.dir, 'tag', 'v1.2.3');
    const { room } = await s.start();
    put(s.dir, 'a.txt', 'cheat');
    git(s.dir, 'commit', '-qam', 'second');
    git(s.dir, 'tag', 'v9');
    const own = await room(kind);
    expect(await said(own, 'git describe --tags; git status --porcelain')).toBe('exit 0: v1.2.3\n M a.txt');
    expect(
      await said(own, 'git checkout -q HEAD -- a.txt && cat a.txt && git commit -qm x --allow-empty'),
    ).toBe('exit 0: one');
    expect(git(s.dir, 'describe', '--tags').trim()).toBe('v9');
    expect(git(s.dir, 'log', '-1', '--format=%s').trim()).toBe('second');
  });

  test(`works in a worktree${mark(kind)}`, async () => {
    await using s = await site({}, 'main');
    put(s.dir, 'a.txt', 'one');
    git(s.dir, 'init', '-q', '-b', 'main');
    git(s.dir, 'add', '.');
    git(s.dir, 'commit', '-qm', 'first');
    git(s.dir, 'tag', 'v1');
    await using tree = await site({}, 'tree');
    git(s.dir, 'worktree', 'add', '-q', '-b', 'other', tree.dir);
    const { room } = await tree.start();
    expect(
      await said(await room(kind), 'git describe --tags && git branch --show-current && git status -s'),
    ).toBe('exit 0: v1\nother');
  });

  test(`works in a folder below a repository${mark(kind)}`, async () => {
    await using s = await site({ 'a.txt': 'one' }, 'repo/sub/deep');
    const repo = join(s.root, 'repo');
    put(repo, 'other/b.txt', 'two');
    git(repo, 'init', '-q', '-b', 'main');
    git(repo, 'add', '.');
    git(repo, 'commit', '-qm', 'first');
    git(repo, 'tag', 'v1');
    const { room } = await s.start();
    git(repo, 'tag', '-d', 'v1');
    expect(
      await said(
        await room(kind),
        'git describe --tags && cat ../../other/b.txt && git commit -qm x --allow-empty',
      ),
    ).toBe('exit 0: v1\ntwo');
    expect(git(repo, 'log', '--format=%s').trim()).toBe('first');
  });

  test(`runs vitest with a configuration, though packages are not the room's own${mark(kind)}`, async () => {
    await using s = await site({
      'package.json': '{"type":"module"}',
      'vitest.config.ts': "import { defineConfig } from 'vitest/config';\nexport default defineConfig({});\n",
      'a.test.ts': "import { expect, test } from 'vitest';\ntest('a', () => expect(1).toBe(1));\n",
    });
    mkdirSync(join(s.dir, 'node_modules/.bin'), { recursive: true });
    const installed = realpathSync('node_modules');
    for (const name of readdirSync(installed).filter((one) => !one.startsWith('.')))
      symlinkSync(join(installed, name), join(s.dir, 'node_modules', name));
    symlinkSync('../vitest/vitest.mjs', join(s.dir, 'node_modules/.bin/vitest'));
    const { room, rooms } = await s.start();
    const result = await said(await room(kind), { file: 'node_modules/.bin/vitest', args: ['run'] });
    expect(result).toMatch(/^exit 0: [\s\S]*1 passed/);
    await rooms.close();
    expect(readdirSync(join(s.dir, 'node_modules')).filter((name) => name.startsWith('.'))).toEqual(['.bin']);
  });

  test(`does not load what was planted in a user's home${mark(kind)}`, async () => {
    await using s = await site({ 'a.txt': '' });
    const { room, workspace, rooms } = await s.start();
    const own = await room(kind);
    await own.close();
    const home = join(s.root, 'home');
    put(home, '.bash_profile', 'echo planted\n');
    const version = execFileSync(
      'python3',
      ['-c', "import sys; print('python%d.%d' % sys.version_info[:2])"],
      { encoding: 'utf8' },
    ).trim();
    put(home, `.local/lib/${version}/site-packages/usercustomize.py`, "print('planted')\n");
    const env = { HOME: home };
    const line = 'bash -lc true; /usr/bin/env python3 -c "print(1)"';
    const at = await workspace.snapshot();
    const control = await rooms.make('workspace', async () => {});
    expect((await said(control, line, { env })).match(/planted/g)).toHaveLength(2);
    const checked = await rooms.make(kind, (dir) => workspace.materialise(dir, at, () => true));
    expect(await said(checked, line, { env })).toBe('exit 0: 1');
  });
});

test('no room can be bound without bubblewrap, and the others remain', async () => {
  await using s = await site({ 'a.txt': 'one' });
  const bin = join(s.root, 'bin');
  mkdirSync(bin);
  const { room, rooms } = await s.start({ env: { ...process.env, PATH: bin } });
  expect(rooms.available()).toMatchObject([
    { kind: 'bound', because: expect.stringContaining('bubblewrap') },
    { kind: 'folder' },
    { kind: 'workspace' },
  ]);
  await expect(room('bound')).rejects.toThrow('bubblewrap');
  expect(await said(await room('folder'), 'cat a.txt; basename $PWD')).toBe('exit 0: oneproject');
  expect(readFileSync(join(s.dir, 'a.txt'), 'utf8')).toBe('one');
});

test('a folder maps the paths of the environment and of a program into itself', async () => {
  await using s = await site({ 'bin/tool': '#!/bin/sh\ncat "$(dirname "$0")/../a.txt"\n', 'a.txt': 'room' });
  execFileSync('chmod', ['+x', join(s.dir, 'bin/tool')]);
  const { room } = await s.start();
  const folder = await room('folder');
  put(s.dir, 'a.txt', 'workspace');
  const env = { PATH: `${s.dir}/bin:${process.env['PATH']}` };
  expect(await said(folder, 'tool', { env })).toBe('exit 0: room');
  expect(await said(folder, { file: join(s.dir, 'bin/tool'), args: [] })).toBe('exit 0: room');
  expect(await runIn(folder, 'test "$HOME" != "$TMPDIR" && touch ~/x $TMPDIR/x')).toMatchObject({ code: 0 });
});
