import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { holder } from './holder.ts';
import { bench } from './support.ts';

describe('one run per tree', () => {
  test('a second run is refused by every spelling, and told by whom and since when', async () => {
    await using b = await bench({ 'sub/a': '1' });
    symlinkSync(b.dir, join(b.root, 'link'));
    const ws = await b.open({ runId: 'the-first' });
    for (const dir of [b.dir, `${b.dir}/`, join(b.root, 'link'), join(b.dir, 'sub', '..')]) {
      const second = b.open({ dir });
      await expect(second).rejects.toMatchObject({ code: 'workspace-busy' });
      await expect(second).rejects.toThrow(
        new RegExp(`process ${process.pid}, since 20\\d\\d-.*Z, run the-first`),
      );
    }
    await ws.close();
    const third = await b.open();
    expect(third.dir).toBe(b.dir);
  });

  test('a tree above or below is refused, a neighbour is not', async () => {
    await using b = await bench({ 'sub/a': '1' });
    mkdirSync(join(b.root, 'ws-other'));
    const ws = await b.open();
    await expect(b.open({ dir: join(b.dir, 'sub') })).rejects.toMatchObject({ code: 'workspace-busy' });
    const storeDir = join(b.root, '..', `${Date.now()}-unused`);
    await expect(b.open({ dir: b.root, storeDir })).rejects.toMatchObject({ code: 'workspace-busy' });
    await (await b.open({ dir: join(b.root, 'ws-other') })).close();
    await ws.close();
    await (await b.open({ dir: join(b.dir, 'sub') })).close();
    expect(readdirSync(join(b.userState, 'locks'))).toEqual([]);
  });

  test('copies of one tree do not exclude one another', async () => {
    await using b = await bench({ a: '1' });
    const [one, other] = await Promise.all(
      ['one', 'other'].map((name) => b.open({ mode: 'copy', copyTo: join(b.root, name) })),
    );
    expect(one?.origin).toBe(other?.origin);
  });

  test('the lock of another process holds while it lives, and is taken over once it is dead', async () => {
    await using b = await bench({ a: '1' });
    await using other = await holder(b);
    await expect(b.open()).rejects.toThrow(`process ${other.pid}`);
    await other.kill();
    const ws = await b.open();
    expect(readFileSync(join(b.userState, 'locks', lockFile(b.userState)), 'utf8')).toContain(
      `"pid":${process.pid}`,
    );
    await ws.close();
    expect(readdirSync(join(b.userState, 'locks'))).toEqual([]);
  });

  test('a pid that is used again does not keep a dead lock alive', async () => {
    await using b = await bench({ a: '1' });
    const ws = await b.open();
    const file = join(b.userState, 'locks', lockFile(b.userState));
    const held = readFileSync(file, 'utf8');
    await ws.close();
    // This process's pid, but another start time: whoever wrote it is gone.
    writeFileSync(file, held.replace(/"owner":"(\d+)\.\d+/, '"owner":"$1.1'));
    await (await b.open()).close();
  });

  test('of many that come at once one gets in', async () => {
    await using b = await bench({ a: '1' });
    const all = await Promise.allSettled(Array.from({ length: 8 }, () => b.open()));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('a run that cannot be opened gives its lock back', async () => {
    await using b = await bench({ a: '1' });
    writeFileSync(join(b.root, 'file'), '');
    await expect(b.open({ storeDir: join(b.root, 'file', 'store') })).rejects.toThrow();
    await (await b.open()).close();
  });
});

function lockFile(userState: string): string {
  return readdirSync(join(userState, 'locks'))[0] ?? '';
}
