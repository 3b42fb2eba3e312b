import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Happening } from '../../src/core/event.ts';
import {
  type Attempt,
  artefactsDirName,
  artefactsObserver,
  type Summary,
} from '../../src/observers/artefacts.ts';
import { tempDir } from '../support/temp-dir.ts';
import { challengeStory, recording, stamped, verdict } from './story.ts';

async function play(dir: string, story: readonly Happening[]): Promise<void> {
  const observer = artefactsObserver({
    dir,
    challenge: 'challenges/04_lru_cache',
    model: 'mistral:7b-instruct',
    maxAttempts: 4,
  });
  for (const event of stamped(story)) await observer.onEvent(event);
  await observer.close?.();
}

const json = async <T>(dir: string, name: string) => JSON.parse(await readFile(join(dir, name), 'utf8')) as T;

describe('artefacts', () => {
  test('the recorded run is written in the format of its recording', async () => {
    await using dir = await tempDir();
    await play(dir.path, challengeStory);
    expect((await readdir(dir.path)).sort()).toEqual([
      'attempt_01.json',
      'attempt_01.py',
      'attempt_02.json',
      'attempt_02.py',
      'attempt_03.json',
      'attempt_03.py',
      'summary.json',
    ]);
    const summary = await json<Summary>(dir.path, 'summary.json');
    expect(Object.keys(summary)).toEqual(Object.keys(recording));
    expect(summary).toMatchObject({
      challenge: 'challenges/04_lru_cache',
      model: 'mistral:7b-instruct',
      max_attempts: 4,
      final_status: 'solved',
      started_at: '2026-04-28T02:20:50.810Z',
    });
    expect(summary.attempts.map(({ result: { passed, failed, total } }) => [passed, failed, total])).toEqual([
      [0, 1, 1],
      [0, 8, 8],
      [8, 0, 8],
    ]);
    expect(summary.attempts.map(({ status, cause }) => [status, cause])).toEqual([
      ['unusable', 'collection'],
      ['fail', null],
      ['pass', null],
    ]);
    for (const [i, recorded] of recording.attempts.entries()) {
      const attempt = await json<Attempt>(dir.path, `attempt_0${i + 1}.json`);
      expect(attempt).toEqual(summary.attempts[i]);
      expect(Object.keys(attempt)).toEqual(expect.arrayContaining(Object.keys(recorded)));
      expect(Object.keys(attempt.result)).toEqual(Object.keys(recorded.result));
      expect(attempt).toMatchObject({ n: recorded.n, reasoning: recorded.reasoning, code: recorded.code });
      expect(await readFile(join(dir.path, `attempt_0${i + 1}.py`), 'utf8')).toBe(recorded.code);
    }
    expect(summary.attempts[1]?.result.first_traceback).toContain('assert None == 1');
    expect(summary.attempts[0]?.result.first_traceback).toContain('SyntaxError');
    expect(summary.attempts[2]?.result.first_traceback).toBeNull();
  });

  test('attempts and the summary are there while the run goes on', async () => {
    await using dir = await tempDir();
    const second = challengeStory.findIndex((h) => h.type === 'iteration.started' && h.iteration === 1);
    await play(dir.path, challengeStory.slice(0, second));
    expect(await json<Summary>(dir.path, 'summary.json')).toMatchObject({
      attempts: [{ n: 1, status: 'unusable' }],
      final_status: null,
      ended_at: null,
    });
    expect(await readdir(dir.path)).toContain('attempt_01.py');
  });

  test('the code of an attempt is kept before it is judged, and judged as aborted where the run stops', async () => {
    await using dir = await tempDir();
    const turn = challengeStory.slice(0, 4);
    await play(dir.path, [...turn, { type: 'run.finished', outcome: { kind: 'aborted' } }]);
    expect(await readFile(join(dir.path, 'attempt_01.py'), 'utf8')).toBe(recording.attempts[0]?.code);
    expect(await json<Summary>(dir.path, 'summary.json')).toMatchObject({
      attempts: [{ n: 1, status: 'unusable', result: { passed: 0, failed: 1, total: 1 } }],
      final_status: 'error',
    });
  });

  test('a reply that could not be read is an attempt with its problem, no reply is none', async () => {
    await using dir = await tempDir();
    await play(dir.path, [
      ...challengeStory.slice(0, 2),
      { type: 'iteration.started', iteration: 0, driver: 'ollama' },
      {
        type: 'agent.finished',
        iteration: 0,
        durationMs: 1,
        result: { stopReason: 'completed', summary: '', problem: 'the reply is no JSON' },
      },
      { type: 'iteration.judged', iteration: 0, verdict: verdict('fail', 'tests fails') },
      { type: 'iteration.started', iteration: 1, driver: 'ollama' },
      {
        type: 'agent.finished',
        iteration: 1,
        durationMs: 1,
        result: { stopReason: 'gave-up', summary: 'nothing left to replay' },
      },
      { type: 'iteration.judged', iteration: 1, verdict: verdict('fail', 'tests fails') },
      { type: 'run.finished', outcome: { kind: 'gave-up', summary: 'nothing left to replay' } },
    ]);
    const summary = await json<Summary>(dir.path, 'summary.json');
    expect(summary.attempts).toMatchObject([
      { n: 1, code: '', reasoning: '', problem: 'the reply is no JSON' },
    ]);
    expect(summary.final_status).toBe('exhausted');
    expect((await readdir(dir.path)).sort()).toEqual(['attempt_01.json', 'summary.json']);
  });

  test('a run that never came to an attempt has a summary too', async () => {
    await using dir = await tempDir();
    const errors = ['the model is not pulled'];
    await play(join(dir.path, 'runs', 'new'), [
      ...challengeStory.slice(0, 1),
      { type: 'preflight.finished', errors },
      { type: 'run.finished', outcome: { kind: 'preflight-failed', errors } },
    ]);
    expect(await json<Summary>(join(dir.path, 'runs', 'new'), 'summary.json')).toMatchObject({
      attempts: [],
      final_status: 'error',
    });
  });

  test('a green that does not hold is marked', async () => {
    await using dir = await tempDir();
    await play(dir.path, [
      ...challengeStory.slice(0, -1),
      { type: 'confirmation.judged', iteration: 2, how: 'rerun', verdict: verdict('fail', 'tests fails') },
      { type: 'run.finished', outcome: { kind: 'unconfirmed', reason: 'tests fails' } },
    ]);
    const summary = await json<Summary>(dir.path, 'summary.json');
    expect(summary.attempts).toHaveLength(3);
    expect(summary.attempts[2]).toMatchObject({ status: 'pass', confirmed: false });
    expect(summary.final_status).toBe('exhausted');
  });

  test('attempts of an earlier run in the same folder are replaced, other files stay', async () => {
    await using dir = await tempDir();
    for (const name of ['attempt_04.py', 'attempt_04.json', 'notes.txt'])
      await writeFile(join(dir.path, name), 'old');
    await play(dir.path, challengeStory);
    const names = await readdir(dir.path);
    expect(names).not.toContain('attempt_04.py');
    expect(names).not.toContain('attempt_04.json');
    expect(names).toContain('notes.txt');
  });

  test('the folder is named by the time and the challenge', () => {
    expect(
      artefactsDirName(new Date(Date.UTC(2026, 3, 28, 2, 20, 50, 810)), 'challenges/04_lru_cache/'),
    ).toBe('20260428T022050Z-04_lru_cache');
  });
});
