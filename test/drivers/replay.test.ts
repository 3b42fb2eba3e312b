import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { replayDriver } from '../../src/drivers/replay.ts';
import { tempDir } from '../support/temp-dir.ts';
import { optionsOf, turnIn } from './turn.ts';

const RECORDING = fileURLToPath(new URL('../../recordings/lru-cache-mistral-7b.json', import.meta.url));

async function turn(dir: string, options: Record<string, unknown>, iteration = 0) {
  return await turnIn(dir, await optionsOf(replayDriver, options), { iteration });
}

describe('a recording', () => {
  test('gives its replies one an iteration, whatever results it holds, and gives up after the last', async () => {
    await using dir = await tempDir();
    const recorded = JSON.parse(await readFile(RECORDING, 'utf8'));
    for (const [iteration, attempt] of recorded.attempts.entries()) {
      const t = await turn(dir.path, { file: RECORDING }, iteration);
      expect(await replayDriver.run(t)).toMatchObject({
        stopReason: 'completed',
        usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 },
        proposal: { reasoning: attempt.reasoning },
      });
      expect(await readFile(join(t.workdir, 'solution.py'), 'utf8')).toBe(attempt.code);
    }
    expect(await replayDriver.run(await turn(dir.path, { file: RECORDING }, 3))).toEqual({
      stopReason: 'gave-up',
      summary: 'the recording has no reply beyond its 3',
    });
  });

  test('may lie in the workspace, and be written into another target', async () => {
    await using dir = await tempDir();
    const t = await turn(dir.path, { file: 'summary.json', target: 'src/lru.py' });
    await writeFile(
      join(t.workdir, 'summary.json'),
      '\uFEFF{"attempts": [{"reasoning": "r", "code": "x = 1\\n"}]}',
    );
    await replayDriver.run(t);
    expect(await readFile(join(t.workdir, 'src/lru.py'), 'utf8')).toBe('x = 1\n');
  });

  test('of a reply without code is a reply without code', async () => {
    await using dir = await tempDir();
    const t = await turn(dir.path, { file: 'summary.json' });
    await writeFile(join(t.workdir, 'summary.json'), '{"attempts": [{"reasoning": null, "code": null}, {}]}');
    expect(await replayDriver.run(t)).toMatchObject({
      problem: expect.stringContaining('"code" is missing'),
    });
  });
});

describe('a file that is no recording', () => {
  test.each([
    ['missing', undefined, /summary.json cannot be replayed: there is no such file/],
    ['no JSON', '{"attempts": [', /cannot be replayed: not JSON/],
    ['without attempts', '{"attempt": []}', /cannot be replayed: attempts: /],
    ['with a wrong attempt', '{"attempts": [{"code": 3}]}', /cannot be replayed: attempts.0.code: /],
  ])('(%s) is told before the run and at it', async (_, text, expected) => {
    await using dir = await tempDir();
    const t = await turn(dir.path, { file: 'summary.json' });
    if (text !== undefined) await writeFile(join(t.workdir, 'summary.json'), text);
    const errors = await replayDriver.preflight?.({
      workdir: t.workdir,
      options: t.options,
      env: {},
      signal: t.signal,
    });
    expect(errors).toEqual([expect.stringMatching(expected)]);
    await expect(replayDriver.run(t)).rejects.toThrow(expected);
  });

  test('a good one passes preflight', async () => {
    await using dir = await tempDir();
    const t = await turn(dir.path, { file: RECORDING });
    expect(
      await replayDriver.preflight?.({ workdir: t.workdir, options: t.options, env: {}, signal: t.signal }),
    ).toEqual([]);
  });
});
