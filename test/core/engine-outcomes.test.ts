import { describe, expect, test } from 'vitest';
import type { UnusableCause } from '../../src/core/check.ts';
import { EXIT_CODES } from '../../src/core/exit-codes.ts';
import type { GuardRule } from '../../src/core/guard.ts';
import type { Judge, Scripted } from '../../src/testing/index.ts';
import type { MemoryRun } from '../support/memory-run.ts';
import { outcomeOf, play } from './play.ts';

/** Green once `a.txt` says `done`. */
const done: Judge = async (read) => {
  const text = await read('a.txt');
  return { passed: text === 'done', feedback: `a.txt says ${text}` };
};
const write = (text: string): Scripted => ({ write: { 'a.txt': text } });
const simple = { files: { 'a.txt': 'todo' }, checks: { done } };
const said = (result: object): Scripted => ({ result });
const cannot =
  (cause: UnusableCause): Judge =>
  () => ({ passed: false, ok: false, cause, feedback: 'no' });
const judgeRule = (name: GuardRule['name'], path: string): GuardRule => ({
  name,
  reaction: 'error',
  because: 'it judges',
  paths: [path],
  matches: (other) => other === path,
});

/** Green in the baseline's and iterations' rounds as listed, one entry a call. */
function inTurn(...rounds: boolean[]): Judge {
  let call = 0;
  return () => ({ passed: rounds[call++] ?? false, feedback: `round ${call}` });
}

const runs: [keyof typeof EXIT_CODES, string, () => MemoryRun, object?][] = [
  ['success', 'the checks are met and met again', () => ({ ...simple, steps: [write('done')] })],
  ['success', 'in a later iteration', () => ({ ...simple, steps: [write('x'), write('done')] })],
  [
    'no-progress',
    'nothing changes',
    () => ({ ...simple, steps: [] }),
    { cause: 'nothing-changed', times: 3 },
  ],
  [
    'no-progress',
    'the same failure comes each time',
    () => ({
      ...simple,
      checks: { c: () => ({ passed: false, feedback: 'no' }) },
      steps: ['a', 'b', 'c'].map(write),
    }),
    { cause: 'same-failure', times: 3 },
  ],
  [
    'no-progress',
    'files come back to what they were',
    () => ({ ...simple, checks: { c: () => false }, steps: ['a', 'b', 'a'].map(write) }),
    { cause: 'tree-seen-before' },
  ],
  [
    'no-progress',
    'only edits that are refused',
    () => ({
      ...simple,
      checks: { c: () => false },
      limits: { evaluatorGuard: 'revert' },
      rules: [{ ...judgeRule('evaluator', 'judge.sh'), reaction: 'revert' }],
      steps: ['a', 'b', 'c'].map((text) => ({ write: { 'judge.sh': text } })),
    }),
    { cause: 'only-refused-edits', times: 3 },
  ],
  [
    'gave-up',
    'the driver says so',
    () => ({ ...simple, steps: [said({ stopReason: 'gave-up', summary: 'too hard' })] }),
    { summary: 'too hard' },
  ],
  [
    'max-iterations',
    'the last resort',
    () => ({ ...simple, steps: ['1', '2', '3', '4', '5'].map(write) }),
    { limit: 5 },
  ],
  [
    'budget-exceeded',
    'cost',
    () => ({
      ...simple,
      limits: { maxCostUsd: 1 },
      steps: [{ write: { 'a.txt': 'x' }, result: { usage: { costUsd: 1.5 } } }],
    }),
    { resource: 'cost', used: 1.5, limit: 1 },
  ],
  [
    'unconfirmed',
    'green once, red again, then the last resort',
    () => ({
      ...simple,
      checks: { c: inTurn(false, true, false, false) },
      limits: { maxIterations: 2 },
      steps: [write('x'), write('y')],
    }),
  ],
  ['baseline-vacuous', 'green before any work', () => ({ ...simple, files: { 'a.txt': 'done' }, steps: [] })],
  [
    'unrunnable',
    'a tool is missing',
    () => ({ ...simple, checks: { done, lint: cannot('not-found') }, steps: [] }),
  ],
  [
    'unrunnable',
    'the whole check times out',
    () => ({ ...simple, checks: { c: cannot('timeout') }, steps: [] }),
  ],
  [
    'unrunnable',
    'a suite that does not load, in fix',
    () => ({ ...simple, face: 'fix', checks: { c: cannot('collection') }, steps: [] }),
  ],
  [
    'unrunnable',
    'the workspace itself is an obstacle',
    () => ({ ...simple, steps: [], ports: { obstacle: () => 'it tests another tree' } }),
  ],
  [
    'preflight-failed',
    'something is missing',
    () => ({ ...simple, steps: [], ports: { preflight: async () => ['no log-in'] } }),
    { errors: ['no log-in'] },
  ],
  [
    'spec-tampered',
    'green, and the spec was edited',
    () => ({
      ...simple,
      rules: [judgeRule('spec', 'spec.yaml')],
      steps: [{ write: { 'a.txt': 'done', 'spec.yaml': 'x' } }],
    }),
    { files: ['spec.yaml'] },
  ],
  [
    'evaluator-tampered',
    'green, and the judge was edited',
    () => ({
      ...simple,
      rules: [judgeRule('evaluator', 'judge.sh')],
      steps: [{ write: { 'a.txt': 'done', 'judge.sh': 'x' } }],
    }),
    { files: ['judge.sh'] },
  ],
  [
    'driver-failed',
    'three turns running',
    () => ({ ...simple, steps: Array(3).fill(said({ stopReason: 'error', summary: 'no log-in' })) }),
    { reason: 'no log-in', times: 3 },
  ],
  [
    'driver-failed',
    'a driver that throws',
    () => ({ ...simple, steps: Array(3).fill(() => Promise.reject(new Error('bang'))) }),
    { reason: 'bang' },
  ],
  ['aborted', 'the user', () => ({ ...simple, steps: [], signal: AbortSignal.abort() })],
  [
    'error',
    'the records cannot be written',
    () => ({ ...simple, steps: [], ports: { failure: () => 'disk full' } }),
    { message: 'disk full' },
  ],
];

describe('a run ends with', () => {
  test.each(runs)('%s: %s', async (kind, _, run, parts = {}) => {
    const result = await play(run());
    expect(outcomeOf(result)).toMatchObject({ kind, ...parts });
    expect(result.exitCode).toBe(EXIT_CODES[kind]);
    expect(result.report).toMatchObject({ outcome: kind, success: kind === 'success' });
    expect(result.report.reason).not.toBe('');
    expect(result.report.trust.grade === 'none').toBe(kind !== 'success');
  });

  test('every outcome that this version reaches by running is in the table', () => {
    const reached = new Set(runs.map(([kind]) => kind));
    expect(Object.keys(EXIT_CODES).filter((kind) => !reached.has(kind as keyof typeof EXIT_CODES))).toEqual([
      'flaky',
    ]);
  });
});

describe('no turn is spent', () => {
  const before = ['baseline-vacuous', 'unrunnable', 'preflight-failed'];
  test.each(runs.filter(([kind]) => before.includes(kind)))('on %s: %s', async (_, __, run) => {
    const { report, prompts } = await play(run());
    expect(report.iterations).toEqual([]);
    expect(prompts).toEqual([]);
  });
});

describe('the baseline', () => {
  const vacuous = { ...simple, files: { 'a.txt': 'done' } };

  test('that is green only warns where it is not strict', async () => {
    const { report } = await play({ ...vacuous, limits: { baseline: 'warn' }, steps: [write('done')] });
    expect(report.success).toBe(true);
    expect(report.warnings).toContain('the checks pass before any work (baseline: true)');
    expect(report.trust.grade).toBe('unproven');
  });

  test('can be left out, which leaves a green unproven', async () => {
    const { report, events } = await play({ ...simple, limits: { baseline: 'off' }, steps: [write('done')] });
    expect(events.some((event) => event.type === 'baseline.started')).toBe(false);
    expect(report.baseline).toBeUndefined();
    expect(report.trust.grade).toBe('unproven');
  });

  test('runs as often as asked, and the first round that is not green counts', async () => {
    const often = (...rounds: boolean[]) =>
      play({
        ...simple,
        checks: { c: inTurn(...rounds) },
        limits: { baselineRuns: 3, maxIterations: 1 },
        steps: [write('x')],
      });
    const rounds = (events: Awaited<ReturnType<typeof play>>['events']) =>
      events.filter((event) => event.type === 'check.finished' && event.phase === 'baseline').length;
    const vacuousRun = await often(true, true, true);
    expect([vacuousRun.report.outcome, rounds(vacuousRun.events)]).toEqual(['baseline-vacuous', 3]);
    const flakyRun = await often(true, false);
    expect([flakyRun.report.outcome, rounds(flakyRun.events)]).toEqual(['max-iterations', 2]);
  });

  test('that does not load counts as red where a test may be written first', async () => {
    const suite: Judge = async (read) =>
      (await read('a.txt')) === 'done'
        ? { passed: true, feedback: '', judgedBy: 'test-ids', tests: [{ id: 't', status: 'passed' }] }
        : { passed: false, ok: false, cause: 'collection', feedback: 'no module' };
    const { report } = await play({ ...simple, checks: { suite }, steps: [write('done')] });
    expect(report.success).toBe(true);
    expect(report.trust.shown[0]).toContain('does not load (collection)');
    expect(report.trust.grade).toBe('plausible');
  });

  test('that could not run is told with what may have kept it', async () => {
    const ports = { unusableHint: () => 'DB_URL is set, but not passed' };
    const dead = await play({ ...simple, checks: { c: cannot('not-found') }, steps: [], ports });
    expect(dead.report.reason).toContain('DB_URL is set, but not passed');
  });
});

describe('the first prompt', () => {
  test('is the initial one, with what the baseline found; the next one goes on', async () => {
    const { prompts } = await play({ ...simple, steps: [write('x'), write('done')] });
    expect(prompts[0]).toMatch(/^begin\n\nBefore any work: not done yet/);
    expect(prompts[0]).toContain('a.txt says todo');
    expect(prompts[1]).toMatch(/^go on\n\nAfter iteration 1: not done yet/);
    expect(prompts[1]).toContain('a.txt says x');
    expect(prompts[1]).toContain(' a.txt | modified');
  });
});

test('the report counts iterations, files, use and warnings', async () => {
  const use = (inputTokens: number) => ({ usage: { inputTokens, costUsd: 0.25 } });
  const { report } = await play({
    ...simple,
    steps: [
      { write: { 'a.txt': 'x', 'b.txt': 'new' }, result: use(10) },
      { write: { 'a.txt': 'done' }, remove: ['b.txt'], result: use(5) },
    ],
    ports: { takeWarnings: () => ['careful'] },
  });
  expect(report.iterations.map((it) => it.satisfied)).toEqual([false, true]);
  expect(report.iterations[0]?.changedFiles.map((file) => file.path)).toEqual(['a.txt', 'b.txt']);
  expect(report.changedFiles).toEqual([{ path: 'a.txt', change: 'modified' }]);
  expect(report.totalUsage).toEqual({ inputTokens: 15, costUsd: 0.5 });
  expect(report.warnings.filter((warning) => warning === 'careful')).toHaveLength(1);
  expect(report.snapshot).toBeNull();
});
