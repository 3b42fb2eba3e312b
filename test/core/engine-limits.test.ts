import { describe, expect, test } from 'vitest';
import type { AgentResult, Phase } from '../../src/core/event.ts';
import type { Judge, Scripted } from '../../src/testing/index.ts';
import { fakeClock, type MemoryRun } from '../support/memory-run.ts';
import { outcomeOf, play } from './play.ts';

const done: Judge = async (read) => {
  const text = await read('a.txt');
  return { passed: text === 'done', feedback: `a.txt says ${text}` };
};
const simple = { files: { 'a.txt': 'todo' }, checks: { done } };
const turn = (text: string, result: Partial<AgentResult> = {}): Scripted => ({
  write: { 'a.txt': text },
  result,
});
const cost = (costUsd: number) => ({ usage: { costUsd } });

describe('a cost limit', () => {
  test('counts all turns together', async () => {
    const steps = [turn('1', cost(0.4)), turn('2', cost(0.4)), turn('3', cost(0.4)), turn('4', cost(0.4))];
    const { report } = await play({ ...simple, limits: { maxCostUsd: 1 }, steps });
    expect(report.outcome).toBe('budget-exceeded');
    expect(report.iterations).toHaveLength(3);
    expect(report.reason).toContain('$1.20 of $1.00');
  });

  test('loses against a green', async () => {
    const { report } = await play({ ...simple, limits: { maxCostUsd: 1 }, steps: [turn('done', cost(9))] });
    expect(report.success).toBe(true);
  });

  test('stops after the first turn of a driver that tells no cost', async () => {
    const { report } = await play({
      ...simple,
      limits: { maxCostUsd: 1 },
      steps: [turn('1', { usage: {} }), turn('2')],
    });
    expect(report.outcome).toBe('budget-exceeded');
    expect(report.iterations).toHaveLength(1);
    expect(report.reason).toContain('limits.unknownUsage');
  });

  test('goes on with such a driver where that is accepted', async () => {
    const limits = { maxCostUsd: 1, unknownUsage: 'ignore' } as const;
    const { report } = await play({ ...simple, limits, steps: [turn('1', { usage: {} }), turn('done')] });
    expect(report.success).toBe(true);
  });
});

test('a token limit counts input and output', async () => {
  const use = { usage: { inputTokens: 30, outputTokens: 30 } };
  const { report } = await play({
    ...simple,
    limits: { maxTokens: 100 },
    steps: [turn('1', use), turn('2', use)],
  });
  expect(report.reason).toContain('120 tokens of 100 tokens');
});

describe('a time limit', () => {
  /** Each turn takes 40 ms by the clock that cannot jump. */
  const slow =
    (clock: ReturnType<typeof fakeClock>, text: string): Scripted =>
    () => {
      clock.elapsed += 40;
      return { write: { 'a.txt': text } };
    };

  test('ends the run', async () => {
    const clock = fakeClock();
    const steps = ['1', '2', '3', '4'].map((text) => slow(clock, text));
    const { report } = await play({ ...simple, clock, limits: { maxDurationMs: 100 }, steps });
    expect(
      outcomeOf(await play({ ...simple, clock: fakeClock(), limits: { maxDurationMs: 0 }, steps: [] })),
    ).toMatchObject({
      kind: 'budget-exceeded',
      resource: 'time',
    });
    expect(report.outcome).toBe('budget-exceeded');
    expect(report.iterations).toHaveLength(3);
    expect(report.durationMs).toBe(120);
  });

  test('is handed on to turns and to checks as what is left', async () => {
    const clock = fakeClock();
    const left: (number | undefined)[] = [];
    const played = await play({
      ...simple,
      clock,
      limits: { maxDurationMs: 100 },
      steps: [slow(clock, '1'), slow(clock, 'done')],
    });
    expect(played.report.success).toBe(true);
    await play({
      ...simple,
      clock: fakeClock(),
      limits: { maxDurationMs: 100, maxIterations: 1 },
      steps: [],
      ports: {
        evaluate: async ({ timeLeftMs }) => {
          left.push(timeLeftMs);
          return { checks: [], keptOut: [] };
        },
        drive: async ({ timeLeftMs }) => {
          left.push(timeLeftMs);
          return { stopReason: 'completed', summary: '' };
        },
      },
    });
    expect(left).toEqual([100, 100, 100]);
  });

  test('loses against a green that came in its last turn', async () => {
    const clock = fakeClock();
    const late: Scripted = () => {
      clock.elapsed += 500;
      return { write: { 'a.txt': 'done' } };
    };
    const { report } = await play({ ...simple, clock, limits: { maxDurationMs: 100 }, steps: [late] });
    expect(report.success).toBe(true);
  });

  test('that cuts the baseline short is what ends the run, not checks that cannot run', async () => {
    const clock = fakeClock();
    const cut: Judge = () => {
      clock.elapsed = 100;
      return { passed: false, ok: false, cause: 'aborted', feedback: 'stopped' };
    };
    for (const face of ['run', 'fix'] as const) {
      clock.elapsed = 0;
      const { report } = await play({
        checks: { cut },
        face,
        clock,
        limits: { maxDurationMs: 100 },
        steps: [],
      });
      expect(report.outcome).toBe('budget-exceeded');
      expect(report.iterations).toEqual([]);
    }
  });

  test('that cuts the checks of an iteration short does not undo its work', async () => {
    const clock = fakeClock();
    let round = 0;
    const cut: Judge = () => {
      if (round++ === 0) return { passed: false, feedback: 'red' };
      clock.elapsed = 100;
      return { passed: false, ok: false, cause: 'aborted', feedback: 'stopped' };
    };
    const { report, workspace } = await play({
      checks: { cut },
      clock,
      revert: 'regression',
      limits: { maxDurationMs: 100 },
      steps: [turn('work')],
    });
    expect(report.outcome).toBe('budget-exceeded');
    expect(workspace.files.get('a.txt')).toBe('work');
  });
});

describe('the user stops the run', () => {
  const at: [string, (stop: () => void) => Partial<MemoryRun>][] = [
    [
      'before it began',
      (stop) => {
        stop();
        return {};
      },
    ],
    [
      'in preflight, whatever that then finds missing',
      (stop) => ({
        ports: {
          preflight: async () => {
            stop();
            return ['the probe was stopped'];
          },
        },
      }),
    ],
    ['in the baseline', (stop) => ({ checks: { c: stopIn(stop, 'baseline') } })],
    ['in a turn', (stop) => ({ steps: [stopping(stop)] })],
    ['in the checks of an iteration', (stop) => ({ checks: { c: stopIn(stop, 'iteration') } })],
    ['while a green is tried again', (stop) => ({ checks: { c: stopIn(stop, 'confirm') } })],
  ];

  function stopping(stop: () => void): Scripted {
    return () => {
      stop();
      return { write: { 'a.txt': 'done' } };
    };
  }

  /** Red, then green; stops the run in one phase. */
  function stopIn(stop: () => void, phase: Phase): Judge {
    return (_, context) => {
      if (context.phase === phase) stop();
      return { passed: context.phase !== 'baseline', feedback: '' };
    };
  }

  test.each(at)('%s', async (_, change) => {
    const controller = new AbortController();
    const run = change(() => controller.abort());
    const { report, exitCode, prompts } = await play({
      ...simple,
      steps: [turn('x'), turn('y')],
      signal: controller.signal,
      ...run,
    });
    expect([report.outcome, exitCode]).toEqual(['aborted', 130]);
    expect(prompts.length).toBeLessThanOrEqual(1);
    expect(report.iterations.every((it) => !it.satisfied)).toBe(true);
  });

  test('what the turn did to the judge is put back all the same', async () => {
    const controller = new AbortController();
    const { workspace } = await play({
      files: { 'a.txt': 'todo', 'judge.txt': 'strict' },
      checks: { done },
      rules: [
        {
          name: 'evaluator',
          reaction: 'error',
          because: 'it judges',
          paths: [],
          matches: (path) => path === 'judge.txt',
        },
      ],
      steps: [
        () => {
          controller.abort();
          return { write: { 'judge.txt': 'mild', 'a.txt': 'half' } };
        },
      ],
      signal: controller.signal,
    });
    expect(Object.fromEntries(workspace.files)).toEqual({ 'a.txt': 'half', 'judge.txt': 'strict' });
  });
});

test('a clock that is set back during the run keeps durations and the end right', async () => {
  const clock = fakeClock();
  const start = clock.now;
  const jump: Scripted = () => {
    clock.now -= 3_600_000;
    clock.elapsed += 250;
    return { write: { 'a.txt': 'done' } };
  };
  const { report } = await play({ ...simple, clock, steps: [jump] });
  expect(report.durationMs).toBe(250);
  expect(report.iterations[0]?.durationMs).toBe(250);
  expect(report.startedAt).toBe(new Date(start).toISOString());
  expect(report.endedAt).toBe(new Date(start + 250).toISOString());
});
