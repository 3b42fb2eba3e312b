import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TreeChange } from '../../src/core/workspace.ts';
import { dependencyFolders } from '../../src/workspace/dependencies.ts';
import { bench, git, picture, put } from './support.ts';

const all = () => true;
const but =
  (...paths: readonly string[]) =>
  (change: TreeChange) =>
    !paths.includes(change.path);

function folderIn(root: string, name = 'room'): string {
  const dir = join(root, name);
  mkdirSync(dir);
  return dir;
}

/** The files of a tree with what they hold. */
function contents(dir: string): Record<string, string> {
  const files = Object.entries(picture(dir)).filter(([key, value]) => key !== '' && !value.startsWith('dir'));
  return Object.fromEntries(files.map(([key, value]) => [key.slice(1), value.replace(/^file \d+ /, '')]));
}

describe('materialise', () => {
  test('writes bytes, modes, links, odd names and empty folders as they are', async () => {
    await using b = await bench({
      'a.txt': 'a',
      'd/b.sh': 'b',
      'd/e/c': 'c'.repeat(9000),
      'ü/ö': 'x',
      '.env': '1',
    });
    chmodSync(join(b.dir, 'd/b.sh'), 0o751);
    chmodSync(join(b.dir, '.env'), 0o400);
    mkdirSync(join(b.dir, 'empty'));
    symlinkSync('no/where', join(b.dir, 'dangling'));
    writeFileSync(Buffer.concat([Buffer.from(`${b.dir}/`), Buffer.from([0x66, 0xff])]), 'not utf-8');
    put(b.dir, 'locked/f', 'x');
    chmodSync(join(b.dir, 'locked'), 0o555);
    const ws = await b.open();
    const room = folderIn(b.root);
    await ws.materialise(room, ws.start, all);
    expect(picture(room)).toEqual(picture(b.dir));
    chmodSync(join(room, 'locked'), 0o755);
  });

  test('keeps the times of files, so that outputs look no newer than their sources', async () => {
    await using b = await bench({ 'src.c': '1', 'src.o': '1' });
    utimesSync(join(b.dir, 'src.o'), 1e9, 1e9);
    const ws = await b.open();
    const room = folderIn(b.root);
    await ws.materialise(room, ws.start, all);
    expect(lstatSync(join(room, 'src.o')).mtimeMs).toBe(1e12);
  });

  test('leaves out dependencies, caches and the git directory', async () => {
    const files = { 'a.py': '', '__pycache__/a.pyc': '', 'node_modules/x/i.js': '', '.venv/pyvenv.cfg': '' };
    await using b = await bench(files);
    git(b.dir, 'init', '-q');
    const ws = await b.open();
    const room = folderIn(b.root);
    await ws.materialise(room, ws.start, all);
    expect(readdirSync(room)).toEqual(['a.py']);
    expect(dependencyFolders(b.dir)).toEqual(['.venv', 'node_modules']);
  });

  test('takes the accepted changes, and the start for the others', async () => {
    await using b = await bench({ 'a.py': '1', 'test_a.py': 'judge', 'helper.py': 'judge', 'old.py': 'x' });
    const ws = await b.open();
    put(b.dir, 'a.py', '2');
    put(b.dir, 'test_a.py', 'cheat');
    put(b.dir, 'conftest.py', 'cheat');
    put(b.dir, 'pytest/__init__.py', 'cheat');
    put(b.dir, 'new/b.py', '3');
    for (const path of ['helper.py', 'old.py']) rmSync(join(b.dir, path));
    const now = await ws.snapshot();
    const room = folderIn(b.root);
    const refused = ['test_a.py', 'conftest.py', 'helper.py', 'pytest/__init__.py'];
    await ws.materialise(room, now, but(...refused));
    expect(contents(room)).toEqual({
      'a.py': '2',
      'test_a.py': 'judge',
      'helper.py': 'judge',
      'new/b.py': '3',
    });
    expect(readdirSync(room)).not.toContain('pytest');
  });

  test('has the start where a refused path lies in what the agent replaced', async () => {
    await using b = await bench({ 'tests/t.py': 'judge', 'tests/u.py': 'judge', 'check.sh': 'judge' });
    const ws = await b.open();
    rmSync(join(b.dir, 'tests'), { recursive: true });
    put(b.dir, 'elsewhere/t.py', 'cheat');
    symlinkSync('elsewhere', join(b.dir, 'tests'));
    rmSync(join(b.dir, 'check.sh'));
    put(b.dir, 'check.sh/inside', 'cheat');
    const now = await ws.snapshot();
    const room = folderIn(b.root);
    await ws.materialise(room, now, but('tests/t.py', 'check.sh'));
    expect(contents(room)).toEqual({ 'tests/t.py': 'judge', 'check.sh': 'judge', 'elsewhere/t.py': 'cheat' });
    expect(lstatSync(join(room, 'tests')).isDirectory()).toBe(true);
  });

  test('is not misled by what the workspace has become since', async () => {
    await using b = await bench({ 'a.py': '1' });
    const ws = await b.open();
    put(b.dir, 'a.py', '2');
    const first = await ws.snapshot();
    put(b.dir, 'a.py', '3');
    await ws.snapshot();
    const [one, two] = [folderIn(b.root, 'one'), folderIn(b.root, 'two')];
    await ws.materialise(one, first, all);
    await ws.materialise(two, ws.start, all);
    expect([contents(one), contents(two)]).toEqual([{ 'a.py': '2' }, { 'a.py': '1' }]);
  });

  test.each(['judge0', 'judge199'])('refuses a store that was tampered with at %s', async (text) => {
    const big = (fill: string) => Array.from({ length: 200 }, (_, n) => [`f${n}`, `${fill}${n}`]);
    await using b = await bench(Object.fromEntries(big('judge')));
    const ws = await b.open();
    const packs = join(b.root, 'stores');
    const pack = readdirSync(packs, { recursive: true, encoding: 'utf8' }).find((name) =>
      name.endsWith('.pack'),
    );
    const file = join(packs, pack ?? '');
    const bytes = readFileSync(file);
    bytes.write('cheat', bytes.indexOf(text));
    // The pack's own sum is made to fit.
    createHash('sha1')
      .update(bytes.subarray(0, -20))
      .digest()
      .copy(bytes, bytes.length - 20);
    chmodSync(file, 0o600);
    writeFileSync(file, bytes);
    await expect(ws.materialise(folderIn(b.root), ws.start, all)).rejects.toMatchObject({
      code: 'store-damaged',
    });
  });

  test('copies what is too large to be kept, as long as it is what it was', async () => {
    await using b = await bench({ 'model.bin': 'x'.repeat(5000), 'a.py': '1' });
    const ws = await b.open({ limits: { fileBytes: 1000 } });
    const room = folderIn(b.root);
    await ws.materialise(room, ws.start, all);
    expect(picture(room)).toEqual(picture(b.dir));
    put(b.dir, 'model.bin', 'y'.repeat(5000));
    const late = folderIn(b.root, 'late');
    await expect(ws.materialise(late, ws.start, all)).rejects.toMatchObject({ code: 'cannot-materialise' });
    await ws.snapshot();
    await expect(ws.materialise(folderIn(b.root, 'later'), ws.start, all)).rejects.toMatchObject({
      code: 'cannot-materialise',
    });
  });
});

describe('carry', () => {
  test('brings a room in step, and leaves what checks wrote', async () => {
    await using b = await bench({
      'a.py': '1',
      'test_a.py': 'judge',
      'd/old.py': 'x',
      'big.bin': 'x'.repeat(3000),
    });
    const ws = await b.open({ limits: { fileBytes: 2000 } });
    const room = folderIn(b.root);
    const accepts = but('test_a.py');
    await ws.materialise(room, ws.start, accepts);
    put(room, 'out/report.txt', "the check's");
    put(b.dir, 'a.py', '2');
    put(b.dir, 'test_a.py', 'cheat');
    put(b.dir, 'e/new.py', 'n');
    put(b.dir, 'big.bin', 'y'.repeat(3000));
    rmSync(join(b.dir, 'd'), { recursive: true });
    const first = await ws.snapshot();
    await ws.carry(room, ws.start, first, accepts);
    const common = { 'test_a.py': 'judge', 'out/report.txt': "the check's" };
    expect(contents(room)).toEqual({ ...common, 'a.py': '2', 'e/new.py': 'n', 'big.bin': 'y'.repeat(3000) });
    put(b.dir, 'a.py', '1');
    put(b.dir, 'd/old.py', 'x');
    rmSync(join(b.dir, 'e'), { recursive: true });
    await ws.carry(room, first, await ws.snapshot(), accepts);
    expect(contents(room)).toEqual({ ...common, 'a.py': '1', 'd/old.py': 'x', 'big.bin': 'y'.repeat(3000) });
  });

  test('gives what a fresh room of the same tree holds', async () => {
    await using b = await bench({ 'tests/t.py': 'judge', 'a.py': '1', x: 'file' });
    const ws = await b.open();
    const kept = folderIn(b.root, 'kept');
    const accepts = but('tests/t.py', 'x');
    await ws.materialise(kept, ws.start, accepts);
    const edits: readonly (() => void)[] = [
      () => put(b.dir, 'tests/t.py', 'cheat'),
      () => rmSync(join(b.dir, 'tests'), { recursive: true }),
      () => symlinkSync('.', join(b.dir, 'tests')),
      () => rmSync(join(b.dir, 'x')),
      () => put(b.dir, 'x/y', 'in a folder now'),
      () => chmodSync(join(b.dir, 'a.py'), 0o755),
    ];
    let last = ws.start;
    for (const [turn, edit] of edits.entries()) {
      edit();
      const now = await ws.snapshot();
      await ws.carry(kept, last, now, accepts);
      last = now;
      const fresh = folderIn(b.root, `fresh-${turn}`);
      await ws.materialise(fresh, now, accepts);
      expect(picture(kept)).toEqual(picture(fresh));
    }
  });
});
