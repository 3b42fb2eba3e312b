import { describe, expect, test } from 'vitest';
import { type GuardRule, isPutBack, type Reaction, violationOf, violations } from '../../src/core/guard.ts';

const rule = (name: GuardRule['name'], reaction: Reaction, ...paths: string[]): GuardRule => ({
  name,
  reaction,
  because: `${name} says so`,
  paths,
  matches: (path) => paths.includes(path),
});

describe('an edit that a rule matches is a violation', () => {
  test('with the name, the reaction and the reason of the rule', () => {
    expect(violationOf('a', [rule('spec', 'error', 'a')])).toEqual({
      rule: 'spec',
      reaction: 'error',
      path: 'a',
      because: 'spec says so',
    });
  });

  test('of the first rule that matches', () => {
    const rules = [rule('spec', 'error', 'a'), rule('evaluator', 'revert', 'a', 'b')];
    expect(violations(['a', 'b', 'c'], rules).map((v) => v.rule)).toEqual(['spec', 'evaluator']);
  });

  test('unless that rule is off, and then of the next one', () => {
    expect(violationOf('a', [rule('spec', 'off', 'a')])).toBeUndefined();
    expect(violationOf('a', [rule('spec', 'off', 'a'), rule('protected', 'revert', 'a')])?.rule).toBe(
      'protected',
    );
  });

  test('and no other edit is', () => {
    expect(violations(['b'], [rule('spec', 'error', 'a')])).toEqual([]);
    expect(violations(['a'], [])).toEqual([]);
  });
});

test('an edit is put back by error and revert, not by warn', () => {
  const back = (reaction: Reaction) =>
    violations(['a'], [rule('evaluator', reaction, 'a')]).map((violation) => isPutBack(violation));
  expect([back('error'), back('revert'), back('warn'), back('off')]).toEqual([[true], [true], [false], []]);
});
