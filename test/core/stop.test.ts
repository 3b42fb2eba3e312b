import { describe, expect, test } from 'vitest';
import type { Confirmation, History } from '../../src/core/history.ts';
import { describe as describeOutcome } from '../../src/core/outcome.ts';
import type { Limits } from '../../src/core/spec.ts';
import { defaultPolicy, firstOf } from '../../src/core/stop.ts';
import { verdictOf } from '../../src/core/verdict.ts';
import { defaultLimits } from '../support/spec.ts';
import { green, red, suite, unusable } from './checks.ts';
import { historyOf, type Sketch } from './histories.ts';

const loud = [red('c', 'expected 1')];
const pass = [green('c')];
const crash: Sketch = { tree: 'start', checks: loud, agent: { stopReason: 'error', summary: 'no log-in' } };
const heldBack: Sketch = { ...crash, agent: { stopReason: 'rate-limited', summary: 'usage limit' } };
const times = (n: number, sketch: Sketch): Sketch[] => Array.from({ length: n }, () => sketch);
const won: Sketch = { checks: pass, confirm: pass };
const unconfirmed: Sketch = { checks: pass, confirm: loud };

function ruling(
  sketches: readonly Sketch[],
  more: Parameters<typeof historyOf>[1] & { readonly limits?: Partial<Limits> } = {},
) {
  const { limits, ...rest } = more;
  return defaultPolicy({ ...defaultLimits, ...limits })(historyOf(sketches, { before: loud, ...rest }));
}

const spent = { usage: { costUsd: 9, inputTokens: 900 } };
const broke = { limits: { maxCostUsd: 5 }, ...spent };
const givesUp: Sketch['agent'] = { stopReason: 'gave-up', summary: 'no idea' };

describe('where several rules would speak, the first in the order does', () => {
  const table: [string, ReturnType<typeof ruling>, string | undefined][] = [
    [
      'a missing tool comes before an abort',
      ruling([], { preflightErrors: ['x'], aborted: true }),
      'preflight-failed',
    ],
    ['an abort before an error', ruling([], { aborted: true, failure: 'disk full' }), 'aborted'],
    ['an abort before a success', ruling([won], { aborted: true }), 'aborted'],
    [
      'an error before what cannot run',
      ruling([], { failure: 'disk full', baseline: { checks: [], unrunnable: 'x' } }),
      'error',
    ],
    ['an error before a success', ruling([won], { failure: 'disk full' }), 'error'],
    [
      'what cannot run before what is green before',
      ruling([], {
        baseline: { ...historyOf([], { before: pass }).baseline, checks: pass, unrunnable: 'x' },
      }),
      'unrunnable',
    ],
    ['green before any work', ruling([], { before: pass }), 'baseline-vacuous'],
    [
      'green before any work, but only warned of',
      ruling([], { before: pass, limits: { baseline: 'warn' } }),
      undefined,
    ],
    [
      'an edit of the spec before success',
      ruling([{ ...won, refused: [{ rule: 'spec', reaction: 'error' }] }]),
      'spec-tampered',
    ],
    [
      'an edit of the judge before success',
      ruling([{ ...won, refused: [{ reaction: 'error' }] }]),
      'evaluator-tampered',
    ],
    [
      'an edit of the spec before one of the judge',
      ruling([{ ...won, refused: [{ reaction: 'error' }, { rule: 'spec', reaction: 'error' }] }]),
      'spec-tampered',
    ],
    [
      'the same edit while red goes on',
      ruling([{ checks: loud, refused: [{ reaction: 'error' }] }]),
      undefined,
    ],
    [
      'a clean green after it is a success',
      ruling([{ checks: loud, refused: [{ reaction: 'error' }] }, won]),
      'success',
    ],
    [
      'an edit that is put back does not hold a green up',
      ruling([{ ...won, refused: [{ reaction: 'revert' }] }]),
      'success',
    ],
    ['nor does one that is warned of', ruling([{ ...won, refused: [{ reaction: 'warn' }] }]), 'success'],
    ['success before giving up', ruling([{ ...won, agent: givesUp }]), 'success'],
    ['success before a spent budget', ruling([won], broke), 'success'],
    ['success before the last iteration', ruling([...times(4, { checks: loud }), won]), 'success'],
    ['a green that was not tried again is none yet', ruling([{ checks: pass }]), undefined],
    [
      'a green that need not be tried again',
      ruling([{ checks: pass }], { limits: { confirm: 'off' } }),
      'success',
    ],
    [
      'two rooms that differ before giving up',
      ruling([{ checks: pass, confirm: loud, differs: true, agent: givesUp }]),
      'flaky',
    ],
    ['giving up before a spent budget', ruling([{ checks: loud, agent: givesUp }], broke), 'gave-up'],
    [
      'giving up before spinning',
      ruling([...times(2, { checks: loud }), { checks: loud, agent: givesUp }]),
      'gave-up',
    ],
    ['an agent that cannot be run before a spent budget', ruling(times(3, crash), broke), 'driver-failed'],
    ['the same before spinning', ruling(times(3, crash), { limits: { maxIterations: 3 } }), 'driver-failed'],
    ['two such turns are not enough', ruling(times(2, crash)), undefined],
    ['nor three that are not in a row', ruling([crash, crash, { checks: loud }, crash]), undefined],
    ['a spent budget before an unconfirmed green', ruling(times(3, unconfirmed), broke), 'budget-exceeded'],
    ['a spent budget before spinning', ruling(times(3, { checks: loud }), broke), 'budget-exceeded'],
    [
      'an unconfirmed green before spinning',
      ruling([unconfirmed, ...times(3, { checks: loud })]),
      'unconfirmed',
    ],
    [
      'an unconfirmed green before the last resort',
      ruling([unconfirmed, { checks: [red('c', 'other')] }], { limits: { maxIterations: 2 } }),
      'unconfirmed',
    ],
    ['an unconfirmed green alone goes on', ruling([unconfirmed]), undefined],
    [
      'spinning before the last resort',
      ruling(times(3, { checks: loud }), { limits: { maxIterations: 3 } }),
      'no-progress',
    ],
    ['the last resort', ruling([{ checks: loud }], { limits: { maxIterations: 1 } }), 'max-iterations'],
    [
      'a turn that a usage limit kept from doing anything is none of the iterations',
      ruling([heldBack, { checks: loud }], { limits: { maxIterations: 2 } }),
      undefined,
    ],
    [
      'which others are',
      ruling([crash, { checks: loud }], { limits: { maxIterations: 2 } }),
      'max-iterations',
    ],
    ['three in a row are an agent that cannot be run', ruling(times(3, heldBack)), 'driver-failed'],
    ['nothing to say', ruling([{ checks: loud }]), undefined],
    ['unusable is no green', ruling([{ checks: [unusable('c')] }]), undefined],
  ];
  test.each(table)('%s', (_, outcome, kind) => {
    expect(outcome?.kind).toBe(kind);
  });
});

describe('budgets', () => {
  test('name what was spent, how much, and the limit', () => {
    expect(ruling([{ checks: loud }], broke)).toEqual({
      kind: 'budget-exceeded',
      resource: 'cost',
      used: 9,
      limit: 5,
    });
    expect(ruling([{ checks: loud }], { limits: { maxTokens: 900 }, ...spent })).toMatchObject({
      resource: 'tokens',
      used: 900,
    });
    expect(ruling([], { limits: { maxDurationMs: 10 }, elapsedMs: 10 })).toMatchObject({
      resource: 'time',
      used: 10,
    });
  });

  test('under the limit they are silent', () => {
    const under = {
      limits: { maxCostUsd: 9.01, maxTokens: 901, maxDurationMs: 11 },
      elapsedMs: 10,
      ...spent,
    };
    expect(
      ruling([{ checks: loud, agent: { usage: { costUsd: 9, inputTokens: 900 } } }], under),
    ).toBeUndefined();
  });

  const blind: Sketch = { checks: loud, agent: { usage: { agentTurns: 3 } } };
  test('an unknown use is not zero', () => {
    expect(ruling([blind], { limits: { maxCostUsd: 5 } })).toEqual({
      kind: 'budget-exceeded',
      resource: 'cost',
      limit: 5,
    });
    expect(ruling([blind], { limits: { maxTokens: 5 } })).toMatchObject({ resource: 'tokens' });
  });

  test('an unknown use can be accepted', () => {
    const limits = { maxCostUsd: 5, maxTokens: 5, unknownUsage: 'ignore' } as const;
    expect(ruling([blind], { limits })).toBeUndefined();
  });

  test('an unknown use does not matter where nothing is limited', () => {
    expect(ruling([blind])).toBeUndefined();
  });

  test('an agent that could not be run is told of as that', () => {
    const dead: Sketch = { ...crash, agent: { stopReason: 'error', summary: 'no log-in', usage: {} } };
    expect(ruling(times(2, dead), { limits: { maxCostUsd: 5 } })).toBeUndefined();
    expect(ruling(times(3, dead), { limits: { maxCostUsd: 5 } })?.kind).toBe('driver-failed');
  });
});

describe('a turn in which the agent could not be run', () => {
  const failing = (agent: Sketch['agent'], more: Sketch = {}) =>
    ruling(times(3, { ...crash, checks: [suite('s', [])], ...more, agent: { ...agent } }))?.kind ===
    'driver-failed';
  test.each(['error', 'stalled', 'rate-limited'] as const)('ended by %s', (stopReason) => {
    expect(failing({ stopReason }, { checks: loud })).toBe(true);
  });
  test.each(['completed', 'max-turns', 'truncated', 'refused', 'timed-out'] as const)(
    'did not end by %s',
    (stopReason) => {
      expect(failing({ stopReason }, { checks: loud })).toBe(false);
    },
  );
  test('did no work', () => {
    expect(failing({ stopReason: 'error' }, { tree: 'other', changed: true, checks: loud })).toBe(false);
    expect(failing({ stopReason: 'error' }, { refused: [{}], checks: loud })).toBe(false);
  });
});

describe('a confirmation', () => {
  const confirmedBy = (change: Partial<Confirmation>, limits: Partial<Limits> = {}) => {
    const history = historyOf([won], { before: loud });
    const iterations = history.iterations.map((it) => ({
      ...it,
      ...(it.confirmation && { confirmation: { ...it.confirmation, how: 'room' as const, ...change } }),
    }));
    return defaultPolicy({ ...defaultLimits, ...limits })({ ...history, iterations });
  };
  const failed = verdictOf({ type: 'all-pass' }, loud);

  test('in a fresh room makes a success', () => {
    expect(confirmedBy({ canary: [{ check: 'c', result: 'right' }] })).toEqual({ kind: 'success' });
    expect(confirmedBy({ canary: [{ check: 'c', result: 'none' }] })).toEqual({ kind: 'success' });
  });

  test('with a canary that did not fail never does, even where its verdict passes', () => {
    expect(confirmedBy({ canary: [{ check: 'c', result: 'wrong' }] })).toBeUndefined();
  });

  test('by rooms that differ is flaky, even where the last one passes, and says in what', () => {
    expect(confirmedBy({ differs: true, difference: '"c" is green in one' })).toEqual({
      kind: 'flaky',
      reason: '"c" is green in one',
    });
    expect(confirmedBy({ differs: true, verdict: failed })).toEqual({ kind: 'flaky', reason: 'c fails' });
  });

  test('that failed in a room says so in the last word', () => {
    const outcome = confirmedBy({ verdict: failed }, { maxIterations: 1 });
    expect(outcome).toEqual({ kind: 'unconfirmed', reason: 'c fails', how: 'room' });
    expect(outcome && describeOutcome(outcome)).toBe('green, but not confirmed in a fresh room: c fails');
  });

  test('that failed in a rerun keeps its words', () => {
    const outcome = ruling([unconfirmed], { limits: { maxIterations: 1 } });
    expect(outcome).toEqual({ kind: 'unconfirmed', reason: 'c fails' });
    expect(outcome && describeOutcome(outcome)).toContain('green once, but not again: c fails');
  });
});

test('a policy of the user can speak first', () => {
  const mine = (history: History) =>
    history.iterations.length > 0 ? ({ kind: 'gave-up', summary: 'mine' } as const) : undefined;
  const policy = firstOf(mine, defaultPolicy(defaultLimits));
  expect(policy(historyOf([{ checks: loud }]))).toEqual({ kind: 'gave-up', summary: 'mine' });
  expect(policy(historyOf([], { before: pass }))?.kind).toBe('baseline-vacuous');
});
