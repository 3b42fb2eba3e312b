import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { put } from '../workspace/support.ts';
import { hasBwrap, said, site } from './support.ts';

const kinds = hasBwrap ? (['bound', 'folder'] as const) : (['folder'] as const);

describe.each(kinds)('caches of a room (%s)', (kind) => {
  test(`are private, and a later room begins with them as they were kept${kind === 'bound' ? ' [needs bwrap]' : ''}`, async () => {
    await using s = await site({ 'Cargo.toml': '', 'target/debug/old': 'start' });
    put(s.dir, 'node_modules/lib/index.js', '');
    put(s.dir, 'node_modules/.cache/poison', 'planted');
    const { room, rooms } = await s.start();
    // The agent plants something into what tools write to.
    put(s.dir, 'target/debug/old', 'planted');
    const first = await room(kind);
    const look = 'cat target/debug/old ~/.cache/kept target/new node_modules/.cache/* 2>/dev/null; true';
    expect(await said(first, look)).toBe('exit 0: start');
    const write =
      'mkdir -p ~/.cache node_modules/.cache; for f in ~/.cache/kept target/new node_modules/.cache/mine; do echo baseline > $f; done';
    expect(await said(first, write)).toBe('exit 0: ');
    await rooms.snapshotCaches(first);
    expect(await said(first, 'echo later > ~/.cache/kept; echo later > target/new')).toBe('exit 0: ');
    const fresh = await room(kind);
    expect(await said(fresh, 'cat target/debug/old ~/.cache/kept target/new')).toBe(
      'exit 0: startbaseline\nbaseline',
    );
    expect(existsSync(join(s.dir, 'target/new'))).toBe(false);
    expect(readFileSync(join(s.dir, 'node_modules/.cache/poison'), 'utf8')).toBe('planted');
  });
});

describe.skipIf(!hasBwrap)('dependencies of a bound room [needs bwrap]', () => {
  test("are the workspace's own, read-only, with what was installed since", async () => {
    await using s = await site({ 'index.js': "console.log(require('lib'), require('more'))" });
    put(s.dir, 'node_modules/lib/index.js', "module.exports = 'lib'");
    const { room, rooms } = await s.start();
    put(s.dir, 'node_modules/more/index.js', "module.exports = 'more'");
    const bound = await room('bound');
    expect(await said(bound, 'node index.js')).toBe('exit 0: lib more');
    expect(await said(bound, 'echo x >> node_modules/lib/index.js')).toMatch(/Read-only file system$/);
    expect(rooms.dependenciesChanged()).toBeUndefined();
    put(s.dir, 'node_modules/lib/index.js', "module.exports = 'cheat'");
    expect(rooms.dependenciesChanged()).toContain('node_modules/lib/index.js was changed');
  });
});
