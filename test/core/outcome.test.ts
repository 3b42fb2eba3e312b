import { describe, expect, test } from 'vitest';
import { EXIT_CODES } from '../../src/core/exit-codes.ts';
import {
  count,
  exitCodeOf,
  FACE_WORDS,
  type Outcome,
  describe as sentenceOf,
} from '../../src/core/outcome.ts';

const outcomes: [Outcome, number, string, string, RegExp][] = [
  [{ kind: 'success' }, 0, 'fixed', 'solved', /met/],
  [
    { kind: 'no-progress', cause: 'same-failure', times: 3 },
    1,
    'no_progress',
    'exhausted',
    /same failure 3 times/,
  ],
  [
    { kind: 'no-progress', cause: 'tree-seen-before', times: 3 },
    1,
    'no_progress',
    'exhausted',
    /there before/,
  ],
  [
    { kind: 'no-progress', cause: 'nothing-changed', times: 1 },
    1,
    'no_progress',
    'exhausted',
    /nothing changed in 1 iteration$/,
  ],
  [{ kind: 'no-progress', cause: 'only-refused-edits', times: 2 }, 1, 'no_progress', 'exhausted', /refused/],
  [{ kind: 'gave-up', summary: 'too hard' }, 1, 'gave_up', 'exhausted', /gave up: too hard/],
  [{ kind: 'gave-up', summary: '' }, 1, 'gave_up', 'exhausted', /gave up$/],
  [{ kind: 'max-iterations', limit: 5 }, 1, 'budget', 'exhausted', /5 iterations.*limits\.maxIterations/],
  [
    { kind: 'budget-exceeded', resource: 'cost', used: 5.129, limit: 5 },
    1,
    'budget',
    'exhausted',
    /\$5\.13 of \$5\.00 \(limits\.maxCostUsd\)/,
  ],
  [
    { kind: 'budget-exceeded', resource: 'tokens', used: 12, limit: 10 },
    1,
    'budget',
    'exhausted',
    /12 tokens of 10 tokens/,
  ],
  [
    { kind: 'budget-exceeded', resource: 'time', used: 1500, limit: 1000 },
    1,
    'budget',
    'exhausted',
    /1\.5 s of 1\.0 s/,
  ],
  [{ kind: 'budget-exceeded', resource: 'cost', limit: 5 }, 1, 'budget', 'exhausted', /reports no usage/],
  [
    { kind: 'unconfirmed', reason: 'tests fails' },
    1,
    'unconfirmed',
    'exhausted',
    /green once, but not again: tests fails/,
  ],
  [{ kind: 'flaky', reason: 'tests fails' }, 1, 'flaky', 'exhausted', /same files/],
  [{ kind: 'baseline-vacuous' }, 3, 'already_green', 'error', /before any work/],
  [{ kind: 'unrunnable', reason: 'no pytest' }, 3, 'unrunnable', 'error', /no pytest/],
  [{ kind: 'preflight-failed', errors: ['a', 'b'] }, 3, 'preflight_failed', 'error', /a; b/],
  [{ kind: 'spec-tampered', files: ['s.yaml'] }, 4, 'tampered', 'error', /s\.yaml/],
  [{ kind: 'evaluator-tampered', files: ['t.py'] }, 4, 'tampered', 'error', /t\.py/],
  [
    { kind: 'driver-failed', reason: 'no log-in', times: 3 },
    5,
    'driver_failed',
    'error',
    /3 turns running: no log-in/,
  ],
  [{ kind: 'aborted' }, 130, 'aborted', 'error', /user/],
  [{ kind: 'error', message: 'disk full' }, 70, 'error', 'error', /disk full/],
];

describe('every outcome', () => {
  test.each(outcomes)(
    '%o has an exit code, a word per face and a sentence',
    (outcome, exit, fix, tdd, sentence) => {
      expect(exitCodeOf(outcome.kind)).toBe(exit);
      expect(FACE_WORDS[outcome.kind]).toEqual({ fix, tdd });
      expect(sentenceOf(outcome)).toMatch(sentence);
    },
  );

  test('is in this table', () => {
    expect(new Set(outcomes.map(([outcome]) => outcome.kind))).toEqual(new Set(Object.keys(EXIT_CODES)));
  });
});

test('counts agree with their noun', () => {
  expect([count(0, 'test'), count(1, 'test'), count(2, 'test')]).toEqual(['0 tests', '1 test', '2 tests']);
});
