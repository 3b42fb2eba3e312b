import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { outsidePathsIn } from '../../src/core/outside-paths.ts';
import { namedOutside } from '../../src/room/named-outside.ts';
import { put } from '../workspace/support.ts';
import { hasBwrap, said, site } from './support.ts';

describe('what a check names outside the workspace', () => {
  test.each([
    ['test "$(cat ../sig)" = 1 && python3 ../judge/verify.py', ['../sig', '../judge/verify.py']],
    ['python3 -m pytest --rootdir=/srv/x ~/y/test_a.py', ['/srv/x', '~/y/test_a.py']],
    ['pytest --junitxml=../report.xml > /tmp/log 2>&1', []],
    ['cd .. && make', []],
    ['grep -q a/b src/c.txt', []],
  ])('is read from its line: %s', (line, paths) => {
    expect(outsidePathsIn(line)).toEqual(paths);
  });

  test('is what is there, and neither in the workspace nor around it', async () => {
    await using s = await site({ 'a.txt': '' });
    put(s.root, 'sig', '1');
    mkdirSync(join(s.root, 'judge'));
    const paths = ['sig', 'judge', 'project/a.txt', 'gone', '.'].map((path) => join(s.root, path));
    expect(namedOutside(s.dir, [...paths, '/', '/tmp', '/dev/null'])).toEqual([
      { place: join(s.root, 'sig'), isFile: true },
      { place: join(s.root, 'judge'), isFile: false },
    ]);
  });

  test.skipIf(!hasBwrap)('is seen in a bound room, read-only [needs bwrap]', async () => {
    await using s = await site({ 'a.txt': '' });
    put(s.root, 'sig', '1');
    const bound = await (await s.start({ named: [join(s.root, 'sig')] })).room('bound');
    expect(await said(bound, 'cat ../sig')).toBe('exit 0: 1');
    expect(await said(bound, 'echo 2 > ../sig')).toMatch(/^exit 1/);
    await using t = await site({ 'a.txt': '' });
    put(t.root, 'sig', '1');
    // The control: nobody names it.
    expect(await said(await (await t.start()).room('bound'), 'cat ../sig')).toMatch(/^exit 1/);
  });

  test('takes a green back where it changed since the baseline', async () => {
    await using s = await site({ 'a.txt': '' });
    put(s.root, 'verify.py', 'assert False');
    const { rooms, room } = await s.start({ named: [join(s.root, 'verify.py')] });
    put(s.root, 'verify.py', 'assert 0');
    await rooms.snapshotCaches(await room('folder'));
    expect(rooms.aroundChanged()).toBeUndefined();
    put(s.root, 'verify.py', 'assert 1');
    expect(rooms.aroundChanged()).toContain('verify.py');
  });
});
