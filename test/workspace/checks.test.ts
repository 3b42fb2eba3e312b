import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { bench, put } from './support.ts';

const named = (changes: readonly { path: string; byChecks: boolean }[]) =>
  Object.fromEntries(changes.map(({ path, byChecks }) => [path, byChecks ? 'checks' : 'agent']));

describe('what changes while checks run', () => {
  test("is not the agent's: added, edited and deleted files; what comes right before and after is", async () => {
    await using b = await bench({
      'old.txt': '1',
      'dir/gone.txt': '1',
      'mine.txt': '1',
      'src/both.txt': '1',
    });
    const ws = await b.open();
    for (let turn = 0; turn < 5; turn++) {
      put(b.dir, 'mine.txt', `before ${turn}`);
      const before = await ws.snapshot();
      put(b.dir, 'dir/gone.txt', '1');
      const prepared = await ws.snapshot();
      await ws.whileChecking(async () => {
        put(b.dir, 'report.txt', `${turn}`);
        put(b.dir, 'old.txt', `checks ${turn}`);
        rmSync(join(b.dir, 'dir/gone.txt'));
      });
      put(b.dir, `agent-${turn}.txt`, 'x');
      put(b.dir, 'mine.txt', `after ${turn}`);
      const after = await ws.snapshot();
      expect(named(ws.changes(prepared, after))).toEqual({
        'report.txt': 'checks',
        'old.txt': 'checks',
        'dir/gone.txt': 'checks',
        [`agent-${turn}.txt`]: 'agent',
        'mine.txt': 'agent',
      });
      expect(named(ws.changes(before, after))['mine.txt']).toBe('agent');
    }
  });

  test("is the agent's as well where the agent changed it in another turn", async () => {
    await using b = await bench({ a: '1' });
    const ws = await b.open();
    put(b.dir, 'a', '2');
    const first = await ws.snapshot();
    await ws.whileChecking(async () => put(b.dir, 'a', '3'));
    const second = await ws.snapshot();
    expect(named(ws.changes(first, second))).toEqual({ a: 'checks' });
    expect(named(ws.changes(ws.start, second))).toEqual({ a: 'agent' });
  });

  test('after a restore only what came later counts', async () => {
    await using b = await bench({ a: '1' });
    const ws = await b.open();
    put(b.dir, 'a', '2');
    const first = await ws.snapshot();
    const back = await ws.restore(first, ws.start);
    await ws.whileChecking(async () => put(b.dir, 'a', '3'));
    const last = await ws.snapshot();
    expect(named(ws.changes(back, last))).toEqual({ a: 'checks' });
    expect(named(ws.changes(ws.start, last))).toEqual({ a: 'checks' });
    await ws.restore(last, ws.start);
    expect(readFileSync(join(b.dir, 'a'), 'utf8')).toBe('1');
  });

  test('is known also where the checks throw', async () => {
    await using b = await bench();
    const ws = await b.open();
    const failing = ws.whileChecking(async () => {
      put(b.dir, 'a', '1');
      throw new Error('the check broke');
    });
    await expect(failing).rejects.toThrow('the check broke');
    expect(named(ws.changes(ws.start, await ws.snapshot()))).toEqual({ a: 'checks' });
  });

  test("counts as the agent's where the wall clock was set meanwhile", async () => {
    await using b = await bench();
    const ws = await b.open();
    const now = vi.spyOn(Date, 'now');
    try {
      await ws.whileChecking(async () => put(b.dir, 'a', '1'));
      const real = performance.timeOrigin + performance.now();
      now.mockReturnValue(real - 3_600_000);
      expect(named(ws.changes(ws.start, await ws.snapshot()))).toEqual({ a: 'agent' });
    } finally {
      now.mockRestore();
    }
  });
});
