import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  contains,
  indexRun,
  makeRunDir,
  newRunId,
  stateDirOf,
  userStateDir,
} from '../../src/journal/state.ts';
import { tempDir } from '../support/temp-dir.ts';

describe('runs are kept', () => {
  test('where it is asked for', async () => {
    await using dir = await tempDir();
    const asked = join(dir.path, 'x');
    expect(stateDirOf({ asked, specDir: dir.path, workspace: dir.path, env: {} })).toBe(asked);
  });

  test('beside the spec, where that lies outside of the workspace', async () => {
    await using dir = await tempDir();
    const workspace = join(dir.path, 'target');
    mkdirSync(workspace);
    expect(stateDirOf({ specDir: dir.path, workspace, env: {} })).toBe(join(dir.path, '.loopgen'));
  });

  test("in the user's state folder, where the agent could reach them beside the spec", async () => {
    await using dir = await tempDir();
    const env = { XDG_STATE_HOME: '/state' };
    expect(stateDirOf({ specDir: dir.path, workspace: dir.path, env })).toBe('/state/loopgen');
    mkdirSync(join(dir.path, 'sub'));
    symlinkSync(join(dir.path, 'sub'), join(dir.path, 'link'));
    expect(stateDirOf({ specDir: join(dir.path, 'link'), workspace: join(dir.path, 'sub'), env })).toBe(
      '/state/loopgen',
    );
    expect(stateDirOf({ workspace: dir.path, env })).toBe('/state/loopgen');
  });

  test("in the user's state folder by default, relative settings ignored", () => {
    expect(userStateDir({ HOME: '/home/me' })).toBe('/home/me/.local/state/loopgen');
    expect(userStateDir({ HOME: '/home/me', XDG_STATE_HOME: 'rel' })).toBe('/home/me/.local/state/loopgen');
  });
});

test('a folder contains itself and what lies below it, links and folders yet to be made included', async () => {
  await using dir = await tempDir();
  mkdirSync(join(dir.path, 'a/b'), { recursive: true });
  symlinkSync(join(dir.path, 'a'), join(dir.path, 'link'));
  const inside = (outer: string, inner: string) => contains(join(dir.path, outer), join(dir.path, inner));
  expect([
    inside('a', 'a'),
    inside('a', 'a/b'),
    inside('link', 'a/b'),
    inside('a', 'link/new/deeper'),
  ]).toEqual([true, true, true, true]);
  expect([inside('a/b', 'a'), inside('a', 'ab'), inside('a', '..a'), inside('a', 'b/c')]).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test('the id of a run sorts by time, names the spec, and is its own', () => {
  const at = new Date(Date.UTC(2026, 10, 29, 19, 45, 0, 123));
  const id = newRunId('Add retry to fetchUser() — ü!', at);
  expect(id).toMatch(/^20261129T194500Z-add-retry-to-fetchuser-[0-9a-f]{4}$/);
  expect(newRunId('../../etc', at)).toMatch(/^20261129T194500Z-etc-[0-9a-f]{4}$/);
  expect(newRunId('日本', at)).toMatch(/^20261129T194500Z-[0-9a-f]{4}$/);
  expect(newRunId('x'.repeat(300), at).length).toBeLessThan(70);
});

test('the folder of a run is made, private, and keeps itself out of git', async () => {
  await using dir = await tempDir();
  const state = join(dir.path, '.loopgen');
  const run = makeRunDir(state, 'r1');
  expect(run).toBe(join(state, 'runs', 'r1'));
  expect(existsSync(join(run, 'logs'))).toBe(true);
  expect(statSync(run).mode & 0o077).toBe(0);
  expect(readFileSync(join(state, '.gitignore'), 'utf8')).toBe('*\n');
  writeFileSync(join(state, '.gitignore'), 'mine\n');
  makeRunDir(state, 'r2');
  expect(readFileSync(join(state, '.gitignore'), 'utf8')).toBe('mine\n');
});

test('every run is found by one index', async () => {
  await using dir = await tempDir();
  const entry = (runId: string) => ({ runId, dir: `/d/${runId}`, spec: 's', startedAt: 'now' });
  indexRun(join(dir.path, 'user'), entry('a'));
  indexRun(join(dir.path, 'user'), entry('b'));
  const lines = readFileSync(join(dir.path, 'user/runs.jsonl'), 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).runId)).toEqual(['a', 'b']);
});
