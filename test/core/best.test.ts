import { expect, test } from 'vitest';
import { isBest } from '../../src/core/best.ts';
import { red, suite, unusable } from './checks.ts';
import { historyOf, type Sketch } from './histories.ts';

const passing = (n: number): Sketch => ({ checks: [suite('s', ['a'], n)] });
const best = (sketches: readonly Sketch[], more = {}) =>
  isBest(historyOf(sketches, { before: [suite('s', ['a', 'b'], 1)], ...more }));

test('the best state is better than the start and than every iteration', () => {
  expect(best([passing(2)])).toBe(true);
  expect(best([passing(2), passing(3)])).toBe(true);
  expect(best([passing(3), passing(2), passing(3)])).toBe(false);
  expect(best([{ checks: [suite('s', ['a', 'b', 'c'], 0)] }])).toBe(false);
});

test('a state that could not be judged is never the best', () => {
  expect(best([{ checks: [unusable('s')] }])).toBe(false);
  expect(best([{}])).toBe(false);
  expect(best([])).toBe(false);
});

test('a start without judgement does not hold a state up', () => {
  expect(best([passing(1)], { before: undefined })).toBe(true);
});

test('a state without work in it is not kept', () => {
  expect(best([passing(2)], { changed: [] })).toBe(false);
});

test('a green that was not confirmed counts as what came of it', () => {
  expect(best([{ checks: [suite('s', [], 9)], confirm: [red('s')] }])).toBe(false);
});
