import { describe, expect, test } from 'vitest';
import type { Ports } from '../../src/core/ports.ts';
import type { RoomKind } from '../../src/core/room.ts';
import type { Judge, Scripted } from '../../src/testing/index.ts';
import { check } from './checks.ts';
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

/** Checks that run in rooms: red at first, then as listed, in this order. */
function inRooms(kind: RoomKind, ...rounds: boolean[]): Pick<Ports, 'evaluate'> {
  return {
    evaluate: async ({ phase, finished }) => {
      const passed = phase === 'baseline' ? false : (rounds.shift() ?? false);
      const checks = [check('judge', { passed, judgedBy: 'test-ids' })];
      for (const each of checks) finished(each);
      const fresh = { canary: [], caveats: [], allowed: [], doubts: [] };
      return { checks, keptOut: [], room: { kind }, ...(phase === 'confirm' && { fresh }) };
    },
  };
}

describe('two fresh rooms of the same files that differ end the run as flaky', () => {
  const checks = { judge: () => false };

  test('in one confirmation', async () => {
    const ports = inRooms('folder', true, true, false);
    const { report, exitCode } = await play({ checks, steps, ports, limits: { confirmRuns: 2 } });
    expect([report.outcome, exitCode, report.iterations.length]).toEqual(['flaky', 1, 1]);
    expect(report.reason).toContain('"judge" is green in one fresh room and red in another');
  });

  test('in two iterations between which nothing changed', async () => {
    const ports = inRooms('folder', true, false, true, true);
    const { report } = await play({ checks, steps: [write('1'), {}], ports });
    expect([report.outcome, report.iterations.length]).toEqual(['flaky', 2]);
    expect(report.reason).toContain('"judge" is red in one fresh room and green in another');
  });

  test('but not where the work went on between them', async () => {
    const ports = inRooms('folder', true, false, true, true);
    const { report } = await play({ checks, steps, ports });
    expect([report.outcome, report.iterations.length]).toEqual(['success', 2]);
  });
});

describe('a network that was to be held back', () => {
  const spec = { evaluation: { concurrency: 1, network: 'off' } } as const;

  test.each(['folder', 'workspace'] as const)('is told once where the checks run in a %s', async (kind) => {
    const { events } = await play({
      ...{ checks: { judge: () => false }, spec, steps },
      ports: inRooms(kind, false, false, true, true),
    });
    const told = events.filter((event) => event.type === 'warned' && /network: off/.test(event.message));
    expect(told).toHaveLength(1);
  });

  test('is no word where they run behind walls, or where it was not asked for', async () => {
    const walls = await play({
      checks: { judge: () => false },
      spec,
      steps,
      ports: inRooms('bound', true, true),
    });
    const on = await play({ checks: { judge: () => false }, steps, ports: inRooms('folder', true, true) });
    for (const { report } of [walls, on]) expect(report.warnings.join()).not.toContain('network');
  });
});
