import { describe, expect, test } from 'vitest';
import type { Judge, Scripted } from '../../src/testing/index.ts';
import { play } from './play.ts';

/** Green in the rounds that are listed so; red in all later ones. */
function inTurn(...rounds: boolean[]): { judge: Judge; calls: () => number } {
  let calls = 0;
  return {
    judge: () => ({ passed: rounds[calls++] ?? false, feedback: `round ${calls} is red` }),
    calls: () => calls,
  };
}

const write = (text: string): Scripted => ({ write: { 'a.txt': text } });
const steps = ['1', '2', '3', '4', '5'].map(write);

describe('a green', () => {
  test.each(['room', 'rerun'] as const)('must come again under confirm: %s', async (confirm) => {
    const { judge, calls } = inTurn(false, true, true);
    const { report } = await play({ checks: { judge }, limits: { confirm }, steps });
    expect(report.success).toBe(true);
    expect(calls()).toBe(3);
    expect(report.iterations[0]?.confirmation).toMatchObject({ satisfied: true });
    expect(report.trust).toMatchObject({ grade: 'plausible' });
    expect(report.trust.shown).toContain('green again in a rerun');
  });

  test('counts at once under confirm: off, and is unproven', async () => {
    const { judge, calls } = inTurn(false, true);
    const { report } = await play({ checks: { judge }, limits: { confirm: 'off' }, steps });
    expect(report.success).toBe(true);
    expect(calls()).toBe(2);
    expect(report.trust.grade).toBe('unproven');
  });

  test('must come as often as asked', async () => {
    const often = inTurn(false, true, true, true, true);
    const good = await play({ checks: { judge: often.judge }, limits: { confirmRuns: 3 }, steps });
    expect([good.report.success, often.calls()]).toEqual([true, 5]);
    const once = inTurn(false, true, true, false);
    const bad = await play({
      checks: { judge: once.judge },
      limits: { confirmRuns: 3, maxIterations: 1 },
      steps,
    });
    expect([bad.report.outcome, once.calls()]).toEqual(['unconfirmed', 4]);
  });
});

describe('a green that does not come again', () => {
  test('goes on, and the agent is told what was red', async () => {
    const { judge } = inTurn(false, true, false, true, true);
    const { report, prompts } = await play({ checks: { judge }, steps });
    expect(report.iterations.map((it) => it.satisfied)).toEqual([false, true]);
    expect(prompts[1]).toContain('green once, but red when they ran again');
    expect(prompts[1]).toContain('round 3 is red');
    expect(report.success).toBe(true);
  });

  test('is how the run ends where nothing better comes', async () => {
    const { judge } = inTurn(false, true, false);
    const { report, exitCode } = await play({ checks: { judge }, limits: { maxIterations: 3 }, steps });
    expect(report).toMatchObject({ outcome: 'unconfirmed', success: false });
    expect(report.reason).toContain('green once, but not again');
    expect(exitCode).toBe(1);
  });
});

test('two fresh rooms that differ end the run as flaky, before what comes later in the order', async () => {
  const { judge } = inTurn(false, true, false);
  const { report, exitCode } = await play({
    checks: { judge },
    steps,
    policy: (history) => {
      const last = history.iterations.at(-1)?.confirmation;
      return last?.verdict?.status === 'fail' ? { kind: 'flaky', reason: last.verdict.reason } : undefined;
    },
  });
  expect([report.outcome, exitCode]).toEqual(['flaky', 1]);
});
