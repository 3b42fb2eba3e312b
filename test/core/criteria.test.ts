import { describe, expect, test } from 'vitest';
import { canBeMet, decidingIn, describeCriteria, judge } from '../../src/core/criteria.ts';
import { checkAgainstLedger } from '../../src/core/ledger.ts';
import type { Criteria } from '../../src/core/spec.ts';
import { verdictOf } from '../../src/core/verdict.ts';
import { green, red, suite, unusable } from './checks.ts';

const checks = [green('G', { score: 0.8 }), red('R', 'red', { score: 3 }), unusable('U')];
const pass = (...evaluators: string[]): Criteria => ({ type: 'pass', evaluators });
const all = (...of: Criteria[]): Criteria => ({ type: 'all', of });
const any = (...of: Criteria[]): Criteria => ({ type: 'any', of });
const not = (of: Criteria): Criteria => ({ type: 'not', of });
const score = (evaluator: string, bounds: { gte?: number; lte?: number; eq?: number }): Criteria => ({
  type: 'score',
  evaluator,
  ...bounds,
});

describe('a check that lost a test of the start', () => {
  const lost = {
    ...checkAgainstLedger(suite('T', [], 2), suite('T', [], 3)),
    score: { value: 1, better: 'up' },
  } as const;

  test('is red by whatever it is judged', () => {
    for (const criteria of [pass('T'), score('T', { gte: 0.5 }), { type: 'all-pass' } as const]) {
      expect(judge(criteria, [lost])).toEqual({
        status: 'fail',
        reason: 'T fails against the start (1 vanished)',
      });
    }
  });

  test('does not make a not green: it was taken away, not made red', () => {
    expect(judge(not(pass('T')), [lost]).status).toBe('fail');
    expect(judge(not(any(pass('T'), pass('R'))), [lost, ...checks]).status).toBe('fail');
    expect(judge(not(pass('T')), [suite('T', ['ok-0'], 0)]).status).toBe('pass');
  });

  test('counts the missing tests as failures, and names the failure by them', () => {
    const verdict = verdictOf({ type: 'all-pass' }, [lost]);
    expect(verdict.tally).toEqual({ passedTests: 2, failedTests: 1, passedChecks: 0 });
    expect(verdict.signature).toMatchObject({ byTests: true, informative: true });
    expect(verdict.signature?.text).toContain('vanished ok-2');
  });
});

describe('a pass rests on', () => {
  const some = [green('A'), green('B'), red('R')];
  const table: [string, Criteria, string[]][] = [
    ['the checks that are named', pass('A'), ['A']],
    ['those of every part', all(pass('A'), score('B', { gte: 0 })), ['A', 'B']],
    ['those of the parts that pass', any(pass('R'), pass('B')), ['B']],
    ['what must not pass, too', all(pass('A'), not(pass('R'))), ['A', 'R']],
    ['all of them', { type: 'all-pass' }, ['A', 'B', 'R']],
  ];
  test.each(table)('%s', (_, criteria, names) => {
    expect(decidingIn(criteria, some)).toEqual(names);
  });

  test('checks that a verdict names where it is not all of them', () => {
    expect(verdictOf(pass('A'), some).deciding).toEqual(['A']);
    expect(verdictOf({ type: 'all-pass' }, [green('A'), green('B')])).not.toHaveProperty('deciding');
  });
});

describe('criteria are three-valued', () => {
  const table: [string, Criteria, string][] = [
    ['a green check passes', pass('G'), 'pass'],
    ['a red check fails', pass('R'), 'fail'],
    ['an unusable check is unusable', pass('U'), 'unusable'],
    ['a check that did not run is unusable', pass('X'), 'unusable'],
    ['red outweighs unusable', pass('U', 'R', 'G'), 'fail'],
    ['unusable outweighs green', pass('U', 'G'), 'unusable'],
    ['all checks pass only when each does', { type: 'all-pass' }, 'fail'],
    ['not of green is red', not(pass('G')), 'fail'],
    ['not of red is green', not(pass('R')), 'pass'],
    ['not of unusable is unusable', not(pass('U')), 'unusable'],
    ['not of a missing check is unusable', not(pass('X')), 'unusable'],
    ['not over something unusable is unusable though a red is beside it', not(pass('R', 'U')), 'unusable'],
    ['the same nested', not(all(pass('R'), pass('U'))), 'unusable'],
    ['the same under any', not(any(pass('R'), pass('U'))), 'unusable'],
    ['the same under two nots', not(not(pass('U'))), 'unusable'],
    ['two nots are none', not(not(pass('G'))), 'pass'],
    ['any needs one green', any(pass('R'), pass('G')), 'pass'],
    ['any with a green beside something unusable passes', any(pass('U'), pass('G')), 'pass'],
    ['any of red and unusable is unusable', any(pass('R'), pass('U')), 'unusable'],
    ['any of reds is red', any(pass('R'), score('R', { gte: 5 })), 'fail'],
    ['all of greens is green', all(pass('G'), not(pass('R'))), 'pass'],
    ['nested freely', any(all(pass('R')), all(pass('G'), any(score('G', { gte: 0.5 })))), 'pass'],
    ['no parts under all', all(), 'unusable'],
    ['no parts under any', any(), 'unusable'],
    ['a score within its bounds', score('G', { gte: 0.8, lte: 0.9 }), 'pass'],
    ['a score below', score('G', { gte: 0.81 }), 'fail'],
    ['a score above', score('R', { lte: 2.9 }), 'fail'],
    ['an exact score', score('R', { eq: 3 }), 'pass'],
    ['another exact score', score('R', { eq: 3.1 }), 'fail'],
    ['a score of a red check counts by itself', score('R', { gte: 3 }), 'pass'],
    ['a score without bounds decides nothing', score('R', {}), 'unusable'],
    ['a score over an unusable check', score('U', { gte: 0 }), 'unusable'],
    ['not of a score over an unusable check', not(score('U', { gte: 0 })), 'unusable'],
    ['a score over a missing check', score('X', { gte: 0 }), 'unusable'],
  ];
  test.each(table)('%s', (_, criteria, status) => {
    expect(judge(criteria, checks).status).toBe(status);
  });

  test('a check without a score cannot meet a score', () => {
    expect(judge(score('A', { gte: 0 }), [green('A')]).status).toBe('unusable');
  });

  test('no checks at all are no pass', () => {
    expect(judge({ type: 'all-pass' }, []).status).toBe('unusable');
  });

  test('no criteria turn an unusable check alone into a pass', () => {
    const only = [unusable('U')];
    const leaves: Criteria[] = [pass('U'), score('U', { gte: 0 }), { type: 'all-pass' }];
    let shapes = leaves;
    for (let depth = 0; depth < 3; depth++) {
      shapes = [
        ...leaves,
        ...shapes.flatMap((shape) => [not(shape), all(shape, shape), any(shape, pass('U'))]),
      ];
      for (const shape of shapes) expect(judge(shape, only).status).toBe('unusable');
    }
  });
});

describe('the reason of a ruling', () => {
  test('names what failed and what could not run', () => {
    expect(judge({ type: 'all-pass' }, checks).reason).toBe('R fails, U is unusable (crash)');
  });

  test('says what a score was and what was wanted', () => {
    expect(judge(score('G', { gte: 1, lte: 0.5 }), checks).reason).toBe(
      'score of G is 0.8, wanted >= 1 and <= 0.5',
    );
  });
});

test('criteria can be described in one line', () => {
  const criteria = all(pass('a', 'b'), any(score('s', { gte: 1, lte: 2 }), not(score('t', { eq: 0 }))));
  expect(describeCriteria(criteria)).toBe(
    'all of (a passes and b passes; any of (score of s >= 1 and <= 2; not (score of t = 0)))',
  );
  expect(describeCriteria({ type: 'all-pass' })).toBe('every check passes');
});

describe('whether criteria can be met while some checks cannot run', () => {
  const table: [string, Criteria, boolean][] = [
    ['a dead check that is needed', pass('G', 'U'), false],
    ['a dead check that is not named', pass('G'), true],
    ['every check is needed', { type: 'all-pass' }, false],
    ['a way around it', any(pass('U'), pass('G')), true],
    ['no way around it', any(pass('U'), all(pass('G'), pass('U'))), false],
    ['under a not', all(not(pass('U')), pass('G')), false],
    ['a score of it', score('U', { gte: 0 }), false],
    ['a red check beside a not does not matter', all(not(pass('R')), pass('G')), true],
  ];
  test.each(table)('%s', (_, criteria, met) => {
    expect(canBeMet(criteria, ['G', 'R', 'U'], new Set(['U']))).toBe(met);
  });
});
