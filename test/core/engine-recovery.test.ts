import { describe, expect, test } from 'vitest';
import type { RevertPolicy } from '../../src/core/spec.ts';
import type { Judge, Scripted } from '../../src/testing/index.ts';
import { play } from './play.ts';

/** `score.txt` says how many of ten tests pass; what is no number does not load. */
const suite: Judge = async (read) => {
  const passing = Number(await read('score.txt'));
  if (Number.isNaN(passing))
    return { passed: false, ok: false, cause: 'collection', feedback: 'it does not load' };
  const tests = Array.from({ length: 10 }, (_, i) => ({
    id: `t${i}`,
    status: i < passing ? ('passed' as const) : ('failed' as const),
  }));
  return { passed: passing === 10, feedback: `${passing} pass`, tests, judgedBy: 'test-ids' };
};
const to = (score: string): Scripted => ({ write: { 'score.txt': score } });
const run = (revert: RevertPolicy, scores: readonly string[], more: object = {}) =>
  play({
    files: { 'score.txt': '3' },
    checks: { suite },
    revert,
    kind: 'one-shot',
    steps: scores.map(to),
    ...more,
  });

describe('an iteration that makes it worse', () => {
  test('is undone where the policy says so, and the next prompt tells it and why', async () => {
    const { report, prompts, events } = await run('regression', ['5', '4', '10']);
    expect(report.iterations.map((it) => it.reverted)).toEqual([undefined, 'regression', undefined]);
    expect(prompts[2]).toContain('undone, because fewer tests passed');
    expect(report.success).toBe(true);
    const undone = events.find((event) => event.type === 'workspace.reverted');
    const first = events.find((event) => event.type === 'tree.changed');
    expect(undone?.tree).toBe(first?.tree);
  });

  test('stands under never: the control', async () => {
    const { report, workspace } = await run('never', ['5', '4'], { limits: { maxIterations: 2 } });
    expect(report.iterations.map((it) => it.reverted)).toEqual([undefined, undefined]);
    expect(workspace.files.get('score.txt')).toBe('4');
  });

  test('stands under unusable as long as the checks run', async () => {
    const { workspace } = await run('unusable', ['5', '4'], { limits: { maxIterations: 2 } });
    expect(workspace.files.get('score.txt')).toBe('4');
  });
});

describe('an iteration after which the checks cannot run', () => {
  test.each(['unusable', 'regression'] as const)('is undone under %s', async (revert) => {
    const { report, prompts, workspace } = await run(revert, ['5', 'broken', '6'], {
      limits: { maxIterations: 3 },
    });
    expect(report.iterations.map((it) => it.reverted)).toEqual([undefined, 'unusable', undefined]);
    expect(prompts[2]).toContain('undone, because after it the checks could not run');
    expect(workspace.files.get('score.txt')).toBe('6');
  });

  test('stands under never: the control', async () => {
    const { workspace } = await run('never', ['broken'], { limits: { maxIterations: 1 } });
    expect(workspace.files.get('score.txt')).toBe('broken');
  });

  test('stands where what was before could not run either, so that a first version is not lost', async () => {
    const { report } = await run('regression', ['broken', 'broken too'], {
      files: {},
      limits: { maxIterations: 2 },
    });
    expect(report.iterations.map((it) => it.reverted)).toEqual([undefined, undefined]);
  });
});

test('what is undone leaves what was accepted before, and the report counts only that', async () => {
  const { report, workspace } = await play({
    files: { 'score.txt': '3', 'mine.txt': 'of the user' },
    checks: { suite },
    revert: 'regression',
    steps: [
      { write: { 'score.txt': '5', 'new.txt': 'x' } },
      { write: { 'score.txt': '1', 'junk.txt': 'x' }, remove: ['new.txt'] },
    ],
    limits: { maxIterations: 2 },
  });
  expect(Object.fromEntries(workspace.files)).toEqual({
    'score.txt': '5',
    'new.txt': 'x',
    'mine.txt': 'of the user',
  });
  expect(report.changedFiles.map((file) => file.path)).toEqual(['new.txt', 'score.txt']);
});

test('undone iterations that repeat themselves end the run', async () => {
  const { report } = await run('regression', ['1', '1', '1', '1', '1']);
  expect(report.outcome).toBe('no-progress');
  expect(report.iterations).toHaveLength(3);
});

describe('the best state', () => {
  test('is kept as a patch against the start, and named where it is not the last one', async () => {
    const { report, workspace } = await run('never', ['5', '7', '4'], { limits: { maxIterations: 3 } });
    expect(report.best).toEqual({ iteration: 1, patch: '/records/best.patch' });
    expect(workspace.patches.get('/records/best.patch')).toContain('+7');
  });

  test('is not named where it is the last one, or where there is none', async () => {
    expect((await run('never', ['5', '10'])).report.best).toBeUndefined();
    expect((await run('never', ['1'], { limits: { maxIterations: 1 } })).report.best).toBeUndefined();
  });
});

test('each iteration that changed something leaves its patch', async () => {
  const { workspace } = await play({
    files: { 'score.txt': '3' },
    checks: { suite },
    steps: [to('4'), {}, to('10')],
  });
  expect([...workspace.patches.keys()].filter((name) => name.includes('iteration'))).toEqual([
    '/records/iteration-01.patch',
    '/records/iteration-03.patch',
  ]);
});
