import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bench, picture, put, short } from './support.ts';

/** A reproducible source of numbers below `n`. */
function dice(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** Does something to the tree, as an agent might. */
function edit(dir: string, roll: (n: number) => number): void {
  const all = Object.keys(picture(dir)).filter((key) => key !== '');
  const pick = () => join(dir, Buffer.from(all[roll(all.length)] ?? '/a', 'latin1').toString());
  const at = pick();
  const fresh = join(dir, ['new', 'd1', 'd1/d2', 'deep/er'][roll(4)] ?? '', `n${roll(1000)}`);
  const stats = lstatSync(at, { throwIfNoEntry: false });
  const clear = () => rmSync(at, { recursive: true, force: true });
  const edits: readonly (() => void)[] = [
    () => put(fresh, '../x', 'fresh'),
    clear,
    () => stats?.isFile() && writeFileSync(at, `edited ${roll(1e6)}`),
    () => stats?.isFile() && chmodSync(at, [0o600, 0o644, 0o755, 0o444, 0o400][roll(5)] ?? 0o644),
    () => stats?.isDirectory() && chmodSync(at, [0o700, 0o755, 0o500, 0o555, 0o777][roll(5)] ?? 0o755),
    () => clear() ?? symlinkSync(['..', '/tmp', 'no/where', 'd1'][roll(4)] ?? '..', at),
    () => clear() ?? put(at, 'inside/f', 'a folder now'),
    () => clear() ?? writeFileSync(at, 'a file now'),
    () => renameSync(at, `${at}.moved`),
    () => mkdirSync(`${at}.empty`),
  ];
  tryTo(edits[roll(edits.length)] ?? clear);
}

function tryTo(action: () => void): void {
  try {
    action();
  } catch {
    // An agent's commands fail too.
  }
}

function prepare(dir: string): void {
  for (const path of ['a.txt', 'b.sh', 'd1/c.txt', 'd1/d2/e.txt', 'd3/f.txt', 'd3/g.log', 'ü/ö.txt'])
    put(dir, path, path);
  mkdirSync(join(dir, 'empty'));
  symlinkSync('d1/c.txt', join(dir, 'link'));
  symlinkSync('no/where', join(dir, 'dangling'));
  chmodSync(join(dir, 'b.sh'), 0o755);
  chmodSync(join(dir, 'a.txt'), 0o600);
  chmodSync(join(dir, 'd3/f.txt'), 0o444);
  chmodSync(join(dir, 'd3'), 0o555);
}

describe('restore', () => {
  test.each(Array.from({ length: 30 }, (_, n) => n + 1))(
    'after any edits the tree is as it was, byte for byte (script %i)',
    async (seed) => {
      const roll = dice(seed);
      await using b = await bench();
      prepare(b.dir);
      const start = picture(b.dir);
      const ws = await b.open();
      let middle = { snapshot: ws.start, seen: start };
      for (let turn = 0; turn < 3; turn++) {
        for (let n = roll(8); n >= 0; n--) edit(b.dir, roll);
        const snapshot = await ws.snapshot();
        if (turn === 1) middle = { snapshot, seen: picture(b.dir) };
      }
      const now = await ws.restore(await ws.snapshot(), middle.snapshot);
      expect(picture(b.dir)).toEqual(middle.seen);
      const back = await ws.restore(now, ws.start);
      expect(picture(b.dir)).toEqual(start);
      expect(back.tree).toBe(ws.start.tree);
      expect(ws.changes(ws.start, await ws.snapshot())).toEqual([]);
    },
  );

  test('named paths go back, and nothing else does', async () => {
    await using b = await bench({ 'tests/t.py': 'judge', 'src/a.py': '1' });
    const ws = await b.open();
    put(b.dir, 'tests/t.py', 'cheat');
    put(b.dir, 'tests/added/x.py', 'cheat');
    put(b.dir, 'src/a.py', '2');
    const now = await ws.snapshot();
    const back = await ws.restore(now, ws.start, ['tests/t.py', 'tests/added/x.py']);
    expect(short(ws.changes(ws.start, back))).toBe('~src/a.py');
    expect(readdirSync(join(b.dir, 'tests'))).toEqual(['t.py']);
    expect(short(ws.changes(back, await ws.snapshot()))).toBe('');
  });

  test('a named file comes back where its folder was replaced by a link that leads outside', async () => {
    await using b = await bench({ 'tests/t.py': 'judge', 'tests/u.py': 'judge' });
    put(b.root, 'outside/t.py', "the user's");
    const ws = await b.open();
    rmSync(join(b.dir, 'tests'), { recursive: true });
    symlinkSync(join(b.root, 'outside'), join(b.dir, 'tests'));
    const now = await ws.snapshot();
    expect(short(ws.changes(ws.start, now))).toBe('+tests -tests/t.py -tests/u.py');
    await ws.restore(now, ws.start, ['tests/t.py']);
    expect(readFileSync(join(b.dir, 'tests/t.py'), 'utf8')).toBe('judge');
    expect(readdirSync(join(b.dir, 'tests'))).toEqual(['t.py']);
    expect(readFileSync(join(b.root, 'outside/t.py'), 'utf8')).toBe("the user's");
  });

  test('a named file comes back where a folder with more in it has taken its place', async () => {
    await using b = await bench({ 'check.sh': 'judge' });
    const ws = await b.open();
    rmSync(join(b.dir, 'check.sh'));
    put(b.dir, 'check.sh/a/b', 'x');
    put(b.dir, 'check.sh/node_modules/c', 'x');
    const back = await ws.restore(await ws.snapshot(), ws.start, ['check.sh']);
    expect(readFileSync(join(b.dir, 'check.sh'), 'utf8')).toBe('judge');
    expect(back.tree).toBe(ws.start.tree);
  });

  test('other names of a file keep their bytes', async () => {
    await using b = await bench({ 'a.txt': 'old' });
    const ws = await b.open();
    const outside = join(b.root, 'other-name');
    rmSync(join(b.dir, 'a.txt'));
    writeFileSync(outside, 'outside');
    linkSync(outside, join(b.dir, 'a.txt'));
    await ws.restore(await ws.snapshot(), ws.start);
    expect(readFileSync(join(b.dir, 'a.txt'), 'utf8')).toBe('old');
    expect(readFileSync(outside, 'utf8')).toBe('outside');
  });

  test('files that the user adds after the last look stay', async () => {
    await using b = await bench({ 'a.txt': 'old' });
    const ws = await b.open();
    put(b.dir, 'a.txt', 'new');
    const now = await ws.snapshot();
    put(b.dir, 'notes.txt', 'mine');
    await ws.restore(now, ws.start);
    expect(readFileSync(join(b.dir, 'notes.txt'), 'utf8')).toBe('mine');
    expect(short(ws.changes(ws.start, await ws.snapshot()))).toBe('+notes.txt');
  });

  test('files in folders without any right come back, and the folders keep their modes', async () => {
    await using b = await bench({ 'locked/in/a.txt': 'old' });
    chmodSync(join(b.dir, 'locked/in'), 0o555);
    chmodSync(join(b.dir, 'locked'), 0o500);
    const start = picture(b.dir);
    const ws = await b.open();
    chmodSync(join(b.dir, 'locked'), 0o700);
    chmodSync(join(b.dir, 'locked/in'), 0o700);
    put(b.dir, 'locked/in/a.txt', 'new');
    put(b.dir, 'locked/in/b.txt', 'new');
    const now = await ws.snapshot();
    chmodSync(join(b.dir, 'locked/in'), 0o000);
    await ws.restore(now, ws.start);
    expect(picture(b.dir)).toEqual(start);
    chmodSync(join(b.dir, 'locked'), 0o700);
    chmodSync(join(b.dir, 'locked/in'), 0o700);
  });
});
