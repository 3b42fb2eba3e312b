import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Event, Happening } from '../../src/core/event.ts';
import { readOptions } from '../../src/core/options.ts';
import { builtInObservers } from '../../src/observers/index.ts';
import { jsonl, jsonlObserver } from '../../src/observers/jsonl.ts';
import { createTraceRecorder, type TraceRecord } from '../../src/observers/trace.ts';
import { tempDir } from '../support/temp-dir.ts';
import { agentStory, runStarted, stamped } from './story.ts';

async function write(file: string, events: readonly Event[]): Promise<void> {
  const observer = jsonlObserver(file);
  for (const event of events) await observer.onEvent(event);
  await observer.close?.();
}

async function read(file: string): Promise<TraceRecord[]> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => JSON.parse(line) as TraceRecord);
}

describe('jsonl', () => {
  test('a run becomes the five kinds of record in order', async () => {
    await using dir = await tempDir();
    const file = join(dir.path, 'trace.jsonl');
    await write(file, stamped(agentStory));
    const records = await read(file);
    expect(records.map((record) => record.type)).toEqual([
      'run.start',
      'agent.event',
      'agent.event',
      'signal',
      'iteration.end',
      'agent.event',
      'iteration.end',
      'run.end',
    ]);
    expect(records[0]).toMatchObject({ runId: 'run-1', at: '2026-04-28T02:20:50.810Z', spec: 'add-retry' });
    expect(records[1]).toMatchObject({ iteration: 1, kind: 'tool', tool: 'edit', input: 'src/fetch.py' });
    expect(records[2]).toMatchObject({ iteration: 1, kind: 'result', result: { stopReason: 'completed' } });
    expect(records[4]).toMatchObject({
      iteration: 1,
      refused: [{ path: 'test_a.py', rule: 'evaluator', putBack: true }],
      checks: [
        { name: 'tests', status: 'fail', tests: { total: 1, failing: [{ id: 'test_a.py::test_one' }] } },
      ],
      verdict: { status: 'fail' },
    });
    expect(records[6]).toMatchObject({
      iteration: 2,
      confirmation: { how: 'rerun', verdict: { status: 'pass' } },
    });
    expect(records[7]).toMatchObject({
      outcome: 'success',
      success: true,
      iterations: 2,
      baseline: { verdict: { status: 'fail' } },
      totalUsage: { inputTokens: 2400, outputTokens: 680 },
    });
  });

  test('a warning that comes twice is one signal', async () => {
    const recorder = createTraceRecorder();
    for (const event of stamped(agentStory)) await recorder.onEvent(event);
    expect(recorder.records.filter((record) => record.type === 'signal')).toHaveLength(1);
  });

  test('records are in the file as soon as they happen', async () => {
    await using dir = await tempDir();
    const file = join(dir.path, 'trace.jsonl');
    const observer = jsonlObserver(file);
    for (const event of stamped(agentStory.slice(0, 8))) await observer.onEvent(event);
    expect((await read(file)).map((record) => record.type)).toEqual(['run.start', 'agent.event']);
    await observer.close?.();
  });

  test('NUL, half characters and odd line ends stay one valid line', async () => {
    await using dir = await tempDir();
    const file = join(dir.path, 'trace.jsonl');
    const odd = 'a\0b\n\r\u2028\u0085\ud800c\u001b[31m';
    await write(file, stamped([runStarted(), { type: 'warned', message: odd }]));
    const records = await read(file);
    expect(records[1]).toMatchObject({ type: 'signal', message: odd });
    const text = await readFile(file, 'utf8');
    expect(/[\0\u0085\u2028\u2029]/.test(text)).toBe(false);
  });

  test('a new run replaces the trace of an earlier one, a run that goes on adds to it', async () => {
    await using dir = await tempDir();
    const file = join(dir.path, 'trace.jsonl');
    const end: Happening = { type: 'run.finished', outcome: { kind: 'aborted' } };
    await write(file, stamped([runStarted(), end]));
    await write(file, stamped([runStarted(), end]));
    expect(await read(file)).toHaveLength(2);
    await write(file, stamped([end]));
    expect(await read(file)).toHaveLength(3);
  });

  test.runIf(process.platform === 'linux')('a full disk is thrown', async () => {
    const observer = jsonlObserver('/dev/full');
    const [first] = stamped([runStarted()]);
    await expect(observer.onEvent(first as Event)).rejects.toThrow(/ENOSPC/);
    await observer.close?.();
  });

  test('closing before the first event, and after a failed open, is quiet', async () => {
    await using dir = await tempDir();
    await jsonlObserver(join(dir.path, 'a.jsonl')).close?.();
    const observer = jsonlObserver(join(dir.path, 'none', 'a.jsonl'));
    const [first] = stamped([runStarted()]);
    await expect(observer.onEvent(first as Event)).rejects.toThrow(/ENOENT/);
    await observer.close?.();
  });

  test('preflight names a missing folder and a folder in place of the file', async () => {
    await using dir = await tempDir();
    const errors = async (...parts: string[]) => await jsonlObserver(join(dir.path, ...parts)).preflight?.();
    expect(await errors('none', 't.jsonl')).toEqual([expect.stringContaining('there is no such folder')]);
    await mkdir(join(dir.path, 'folder'));
    expect(await errors('folder')).toEqual([expect.stringContaining('it is a folder')]);
    expect(await errors('t.jsonl')).toEqual([]);
    await writeFile(join(dir.path, 't.jsonl'), '');
    expect(await errors('t.jsonl')).toEqual([]);
    expect(await errors('t.jsonl', 'x')).toEqual([
      expect.stringContaining('a part of the path is no folder'),
    ]);
  });

  test('options: the file is relative to the folder of the spec, by default loopgen-trace.jsonl', async () => {
    const defaults = await readOptions(jsonl.options, {});
    expect(defaults).toEqual({ value: { file: 'loopgen-trace.jsonl' } });
    const observer = jsonl.create({ file: 'out/t.jsonl' }, { specDir: '/project' });
    expect(observer.files).toEqual(['/project/out/t.jsonl']);
    expect(await readOptions(jsonl.options, { fil: 'x' })).toHaveProperty('issues');
  });

  test('it is a built-in observer', async () => {
    const [entry] = builtInObservers;
    expect(await entry?.load()).toBe(jsonl);
  });
});
