import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bench, put } from './support.ts';

test('a file is seen at every look, whatever became of it at the looks before', async () => {
  await using b = await bench({ 'src/a.txt': 'start', 'src/b.txt': 'b' });
  const ws = await b.open();
  const path = join(b.dir, 'src/a.txt');
  const remove = () => rmSync(path, { recursive: true });
  const replace = (by: () => void) => {
    remove();
    by();
  };
  const steps: readonly [expected: string, action: () => void][] = [
    ['', () => {}],
    ['modified src/a.txt', () => put(b.dir, 'src/a.txt', 'second')],
    ['deleted src/a.txt', remove],
    ['', () => {}],
    ['added src/a.txt', () => put(b.dir, 'src/a.txt', 'third')],
    ['modified src/a.txt', () => put(b.dir, 'src/a.txt', 'fourth')],
    ['added src/a.txt/in.txt, deleted src/a.txt', () => replace(() => put(b.dir, 'src/a.txt/in.txt', 'in'))],
    ['modified src/a.txt/in.txt', () => put(b.dir, 'src/a.txt/in.txt', 'in again')],
    ['added src/a.txt, deleted src/a.txt/in.txt', () => replace(() => symlinkSync('b.txt', path))],
    ['deleted src/a.txt', () => replace(() => mkdirSync(path))],
    ['added src/a.txt', () => replace(() => put(b.dir, 'src/a.txt', 'last'))],
    ['', () => {}],
  ];
  let before = ws.start;
  for (const [expected, action] of steps) {
    action();
    const now = await ws.snapshot();
    const seen = ws.changes(before, now).map((one) => `${one.change} ${one.path}`);
    expect(seen.sort().join(', ')).toBe(expected);
    before = now;
  }
});

test('a file that a restore takes away or brings back is seen when it changes again', async () => {
  await using b = await bench({ 'kept.txt': 'start' });
  const ws = await b.open();
  for (const text of ['one', 'two', 'three']) {
    put(b.dir, 'new.txt', text);
    put(b.dir, 'kept.txt', text);
    const now = await ws.snapshot();
    expect(ws.changes(ws.start, now).map((one) => one.path)).toEqual(['kept.txt', 'new.txt']);
    await ws.restore(now, ws.start);
    rmSync(join(b.dir, 'kept.txt'));
    const without = await ws.snapshot();
    expect(ws.changes(ws.start, without)).toMatchObject([{ path: 'kept.txt', change: 'deleted' }]);
    await ws.restore(without, ws.start);
    expect(ws.changes(ws.start, await ws.snapshot())).toEqual([]);
  }
});

test('a diff of a file that is too large to be kept leaves it out and shows the others', async () => {
  await using b = await bench({ 'large.txt': 'x'.repeat(5000), 'small.txt': 'a\n' });
  const ws = await b.open({ limits: { fileBytes: 1000 } });
  put(b.dir, 'large.txt', 'y'.repeat(5000));
  put(b.dir, 'small.txt', 'b\n');
  const now = await ws.snapshot();
  const { stat, patch } = await ws.diff(ws.start, now, 6000);
  expect(stat).toContain('small.txt');
  expect(patch).toContain('+b');
  expect(stat + patch).not.toMatch(/large|not kept/);
});
