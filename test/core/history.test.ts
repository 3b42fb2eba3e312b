import { describe, expect, test } from 'vitest';
import type { Check } from '../../src/core/check.ts';
import type { Event, Happening } from '../../src/core/event.ts';
import { emptyHistory, record, roundOf } from '../../src/core/history.ts';
import { checkAgainstLedger } from '../../src/core/ledger.ts';
import { reportOf } from '../../src/core/report.ts';
import { verdictOf } from '../../src/core/verdict.ts';
import { green, red, suite } from './checks.ts';
import { historyOf, iteration, runStarted } from './histories.ts';

const fold = (...happenings: Happening[]) =>
  happenings
    .map((happening, seq): Event => ({ runId: 'r', seq, at: 1_000 + seq, elapsedMs: seq * 10, ...happening }))
    .reduce(record, emptyHistory);

const started: Happening = { type: 'iteration.started', iteration: 0, driver: 'd' };
const finished = (check: Check, phase: 'baseline' | 'iteration' | 'confirm' = 'iteration'): Happening => ({
  type: 'check.finished',
  phase,
  check,
});
const verdict = verdictOf({ type: 'all-pass' }, [red('c')]);

describe('the history', () => {
  test('begins with the run, and keeps time by the clock that cannot jump', () => {
    const history = fold(runStarted(), started);
    expect(history).toMatchObject({ runId: 'r', startedAt: 1_000, elapsedMs: 10 });
    expect(history.run).toEqual(runStarted());
  });

  test('keeps the last result of a check that ran twice in one round', () => {
    const history = fold(started, finished(red('c')), finished(green('d')), finished(green('c')));
    expect(history.iterations[0]?.checks.map((check) => `${check.name} ${check.status}`)).toEqual([
      'd pass',
      'c pass',
    ]);
  });

  test('keeps the rounds of baseline, iteration and confirmation apart', () => {
    const history = fold(
      { type: 'baseline.started' },
      finished(red('c'), 'baseline'),
      started,
      finished(green('c')),
      finished(red('c'), 'confirm'),
      { type: 'confirmation.judged', iteration: 0, how: 'room', verdict, differs: true },
    );
    expect(history.baseline?.checks[0]?.status).toBe('fail');
    expect(history.iterations[0]?.checks[0]?.status).toBe('pass');
    expect(history.iterations[0]?.confirmation).toMatchObject({
      how: 'room',
      differs: true,
      checks: [{ status: 'fail' }],
    });
  });

  test('keeps what was settled of the room, and what a confirmation found', () => {
    const room = { kind: 'folder', because: 'no bubblewrap' } as const;
    const found = {
      how: 'room',
      difference: 'x',
      room: { kind: 'folder' },
      canary: [{ check: 'c', result: 'right' }],
      caveats: ['y'],
      allowed: ['z'],
    } as const;
    const history = fold({ type: 'baseline.started' }, { type: 'baseline.judged', verdict, room }, started, {
      type: 'confirmation.judged',
      iteration: 0,
      verdict,
      ...found,
    });
    expect(history.baseline?.room).toEqual(room);
    expect(history.iterations[0]?.confirmation).toEqual({ ...found, checks: [], verdict });
    const report = reportOf(history);
    expect(report.baseline).toMatchObject({ room, status: 'fail' });
    expect(report.iterations[0]?.confirmation).toMatchObject({ ...found, status: 'fail', evaluations: [] });
  });

  test('keeps of the losses of past iterations their counts and a few names', () => {
    const lost = checkAgainstLedger(suite('s', [], 1), suite('s', [], 2_000));
    const [past] = fold(started, finished(lost), { ...started, iteration: 1 }).iterations;
    expect(past?.checks[0]?.ledger).toMatchObject({ vanished: { count: 1_999, ids: { length: 5 } } });
  });

  test('tells a warning once, and with the iteration in which it came', () => {
    const warned: Happening = { type: 'warned', message: 'careful' };
    const history = fold(warned, started, warned, { type: 'warned', message: 'new' });
    expect(history.warnings).toEqual(['careful', 'new']);
    expect(history.iterations[0]?.warnings).toEqual(['new']);
  });

  test('keeps of past iterations only what the report shows', () => {
    const big = suite(
      's',
      Array.from({ length: 5 }, (_, i) => ({
        id: `t${i}`,
        status: 'failed' as const,
        detail: 'd'.repeat(10_000),
      })),
    );
    const proposal = { reasoning: 'r', files: [{ path: 'a', content: 'c'.repeat(100_000) }] };
    const one: Happening[] = [
      started,
      {
        type: 'agent.finished',
        iteration: 0,
        result: { stopReason: 'completed', summary: 's', proposal },
        durationMs: 1,
      },
      finished({ ...big, feedback: 'f'.repeat(50_000) }),
    ];
    expect(JSON.stringify(fold(...one)).length).toBeGreaterThan(150_000);
    expect(JSON.stringify(fold(...one, { ...started, iteration: 1 })).length).toBeLessThan(3_000);
  });

  test('does not mind events of no iteration', () => {
    expect(fold({ type: 'iteration.judged', iteration: 0, verdict }).iterations).toEqual([]);
  });
});

test('an iteration came to its confirmation, where that was not green', () => {
  const of = (confirm?: Check[]) =>
    roundOf(iteration({ checks: [green('c')], ...(confirm && { confirm }) }, 0, 'start')).checks[0]?.status;
  expect([of(), of([green('c')]), of([red('c')])]).toEqual(['pass', 'pass', 'fail']);
});

describe('the report', () => {
  test('of a run that was cut off says so', () => {
    expect(reportOf(historyOf([{ checks: [red('c')] }]))).toMatchObject({
      outcome: 'error',
      success: false,
      reason: 'the run did not finish',
    });
  });

  test('leaves out proposals, and the list of all ids', () => {
    const proposal = { reasoning: 'r', files: [] };
    const report = reportOf(
      historyOf([{ checks: [suite('s', ['t'], 3)], agent: { proposal } }], { before: [suite('s', ['t'])] }),
    );
    expect(JSON.stringify(report)).not.toContain('proposal');
    expect(report.iterations[0]?.evaluations[0]?.tests).toMatchObject({ total: 4, passed: 3 });
    expect(report.iterations[0]?.evaluations[0]?.tests).not.toHaveProperty('all');
    expect(report.baseline?.evaluations[0]?.tests).not.toHaveProperty('all');
  });

  test('calls an iteration satisfied only when its green counts', () => {
    const pass = [green('c')];
    const satisfied = (sketch: Parameters<typeof historyOf>[0][number], confirm: 'room' | 'off' = 'room') => {
      const limits = { ...runStarted().limits, confirm };
      return reportOf(historyOf([sketch], { run: runStarted({ limits }) })).iterations[0]?.satisfied;
    };
    expect(satisfied({ checks: pass, confirm: pass })).toBe(true);
    expect(satisfied({ checks: pass })).toBe(false);
    expect(satisfied({ checks: pass }, 'off')).toBe(true);
    expect(satisfied({ checks: pass, confirm: [red('c')] })).toBe(false);
    expect(satisfied({ checks: pass, confirm: pass, refused: [{ reaction: 'error' }] })).toBe(false);
    expect(satisfied({ checks: pass, confirm: pass, refused: [{ reaction: 'revert' }] })).toBe(true);
    expect(satisfied({ checks: [red('c')] })).toBe(false);
  });
});
