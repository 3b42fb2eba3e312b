import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { linkedPlaces } from '../../src/room/linked.ts';
import { put } from '../workspace/support.ts';
import { hasBwrap, said, site } from './support.ts';

describe('links of the workspace that leave it', () => {
  test('are followed to where they lead, but not to a whole system or into the workspace', async () => {
    await using s = await site({ 'a.txt': '' });
    put(s.root, 'common/data.txt', 'data');
    mkdirSync(join(s.root, 'packages'));
    const links = {
      data: '../common',
      node_modules: '../packages',
      self: 'a.txt',
      all: '/',
      tmp: '/tmp',
      gone: 'x',
    };
    for (const [name, target] of Object.entries(links)) symlinkSync(target, join(s.dir, name));
    expect(linkedPlaces(s.dir, Object.keys(links))).toEqual([
      { target: join(s.root, 'common'), holdsPackages: false },
      { target: join(s.root, 'packages'), holdsPackages: true },
    ]);
  });

  test.skipIf(!hasBwrap)('are seen in a bound room, read-only [needs bwrap]', async () => {
    await using s = await site();
    put(s.root, 'common/tool/run.sh', 'echo ran');
    symlinkSync('../common', join(s.dir, 'node_modules'));
    const { room, workspace } = await s.start();
    // The control: a room that is not told of the link.
    expect(await said(await room('bound'), 'sh node_modules/tool/run.sh')).toMatch(/^exit 2/);
    expect(workspace.startLinks()).toEqual(['node_modules']);
    await using t = await site();
    put(t.root, 'common/tool/run.sh', 'echo ran');
    symlinkSync('../common', join(t.dir, 'node_modules'));
    const bound = await (await t.start({ links: ['node_modules'] })).room('bound');
    expect(await said(bound, 'sh node_modules/tool/run.sh')).toBe('exit 0: ran');
    expect(await said(bound, 'touch node_modules/x')).toMatch(/^exit 1/);
    expect(existsSync(join(t.root, 'common/x'))).toBe(false);
  });

  test('are watched where they lead to packages', async () => {
    await using s = await site();
    put(s.root, 'common/tool/index.js', 'real');
    put(s.root, 'data/table.csv', 'one');
    symlinkSync('../common', join(s.dir, 'node_modules'));
    symlinkSync('../data', join(s.dir, 'data'));
    const { rooms } = await s.start({ links: ['node_modules', 'data'] });
    put(s.root, 'data/table.csv', 'two');
    expect(rooms.aroundChanged()).toBeUndefined();
    put(s.root, 'common/tool/index.js', 'fake');
    expect(rooms.aroundChanged()).toContain('tool/index.js was changed');
  });
});
