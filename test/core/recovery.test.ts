import { describe, expect, test } from 'vitest';
import { reasonToRevert } from '../../src/core/recovery.ts';
import type { RevertPolicy } from '../../src/core/spec.ts';
import { green, red, suite, unusable } from './checks.ts';
import { historyOf, type Sketch } from './histories.ts';

const before = [suite('s', ['a', 'b'], 3)];
const worse: Sketch = { checks: [suite('s', ['a', 'b', 'c'], 2)] };
const broken: Sketch = { checks: [unusable('s', 'collection')] };
const better: Sketch = { checks: [suite('s', ['a'], 4)] };

const reason = (policy: RevertPolicy, sketches: readonly Sketch[], start = before) =>
  reasonToRevert(historyOf(sketches, { before: start }), policy);

describe('an iteration is undone', () => {
  test('where the policy asks for it', () => {
    expect(['never', 'unusable', 'regression'].map((p) => reason(p as RevertPolicy, [broken]))).toEqual([
      undefined,
      'unusable',
      'unusable',
    ]);
    expect(['never', 'unusable', 'regression'].map((p) => reason(p as RevertPolicy, [worse]))).toEqual([
      undefined,
      undefined,
      'regression',
    ]);
  });

  test('where fewer tests pass than in what stood before, not than at the start', () => {
    expect(reason('regression', [better, { checks: before }])).toBe('regression');
  });

  test('compared with the last iteration that was not undone itself', () => {
    const undone: Sketch = { ...worse, reverted: 'regression' };
    expect(reason('regression', [undone, { checks: before }])).toBeUndefined();
    expect(reason('regression', [undone, worse])).toBe('regression');
  });

  test('where fewer checks pass, if no tests are known', () => {
    const start = [green('a'), red('b')];
    expect(reason('regression', [{ checks: [red('a'), red('b')] }], start)).toBe('regression');
  });
});

describe('an iteration stands', () => {
  const table: [string, Sketch, typeof before?][] = [
    ['as long as no fewer tests pass', { checks: [suite('s', ['x', 'y', 'z'], 3)] }],
    ['when it is green', { checks: [suite('s', [], 1)] }],
    ['when it changed nothing', { ...broken, changed: false }],
    ['when it was not judged', {}],
    ['when its checks were cut short', { checks: [unusable('s', 'aborted')] }],
    ['when what stood before could not run either', broken, [unusable('s')]],
  ];
  test.each(table)('%s', (_, sketch, start) => {
    expect(reason('regression', [sketch], start)).toBeUndefined();
  });
});
