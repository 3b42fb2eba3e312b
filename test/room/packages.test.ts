import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git, put } from '../workspace/support.ts';
import { hasBwrap, said, site } from './support.ts';

const kinds = hasBwrap ? (['bound', 'folder'] as const) : (['folder'] as const);

describe.each(kinds)('packages in a room of the kind %s', (kind) => {
  const mark = kind === 'bound' ? ' [needs bwrap]' : '';

  test(`that are sources of the workspace itself are the room's${mark}`, async () => {
    await using s = await site({
      'package.json': '{"workspaces":["packages/*"]}',
      'packages/a/index.js': "module.exports = 'room'",
      'packages/b/index.js': "module.exports = 'room'",
      'packages/c/index.js': "module.exports = 'room'",
      'index.js': "console.log(require('a'), require('@s/b'), require('c'), require('lib'))",
    });
    put(s.dir, 'node_modules/lib/index.js', "module.exports = 'lib'");
    mkdirSync(join(s.dir, 'node_modules/@s'));
    symlinkSync('../packages/a', join(s.dir, 'node_modules/a'));
    symlinkSync('../../packages/b', join(s.dir, 'node_modules/@s/b'));
    symlinkSync(join(s.dir, 'packages/c'), join(s.dir, 'node_modules/c'));
    const { room } = await s.start();
    const own = await room(kind);
    for (const name of ['a', 'b', 'c'])
      put(s.dir, `packages/${name}/index.js`, "module.exports = 'workspace'");
    expect(await said(own, 'node index.js')).toBe('exit 0: room room room lib');
  });

  test(`above the workspace can be the workspace itself, and more of them can come${mark}`, async () => {
    await using s = await site({ 'index.js': "module.exports = 'room'" }, 'repo/packages/app');
    const repo = join(s.root, 'repo');
    put(repo, 'package.json', '{"workspaces":["packages/*"]}');
    mkdirSync(join(repo, 'node_modules'));
    symlinkSync('../packages/app', join(repo, 'node_modules/app'));
    git(repo, 'init', '-q');
    const { room, rooms } = await s.start();
    const own = await room(kind);
    put(s.dir, 'index.js', "module.exports = 'workspace'");
    put(repo, 'node_modules/more/index.js', "module.exports = 'more'");
    put(repo, 'package-lock.json', '{}');
    expect(await said(own, `node -p "require('app') + ' ' + require('more')"`)).toBe('exit 0: room more');
    expect(rooms.aroundChanged()).toBeUndefined();
    put(repo, 'node_modules/more/index.js', 'later');
    expect(rooms.aroundChanged()).toBeUndefined();
  });
});

test('what is installed above the workspace must stay what it was', async () => {
  await using s = await site({ 'index.js': '' }, 'repo/packages/app');
  const repo = join(s.root, 'repo');
  put(repo, 'node_modules/runner/index.js', '1');
  git(repo, 'init', '-q');
  const { rooms } = await s.start();
  expect(rooms.aroundChanged()).toBeUndefined();
  put(repo, 'node_modules/runner/index.js', '2');
  expect(rooms.aroundChanged()).toContain('node_modules/runner/index.js was changed');
  expect(rooms.dependenciesChanged()).toBeUndefined();
});
