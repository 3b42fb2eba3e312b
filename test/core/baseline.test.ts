import { describe, expect, test } from 'vitest';
import { unrunnableBecause } from '../../src/core/baseline.ts';
import type { UnusableCause } from '../../src/core/check.ts';
import type { Face } from '../../src/core/event.ts';
import { check, green, red, unusable } from './checks.ts';

const all = { type: 'all-pass' } as const;

describe('a check that cannot run ends the run before any work', () => {
  const table: [UnusableCause, Face, boolean][] = [
    ['not-found', 'run', true],
    ['timeout', 'run', true],
    ['crash', 'run', false],
    ['no-tests', 'run', false],
    ['collection', 'run', false],
    ['no-report', 'run', false],
    ['aborted', 'run', false],
    ['not-found', 'tdd', true],
    ['timeout', 'tdd', true],
    ['collection', 'tdd', false],
    ['no-tests', 'tdd', false],
    ['not-found', 'fix', true],
    ['timeout', 'fix', true],
    ['crash', 'fix', true],
    ['no-tests', 'fix', true],
    ['collection', 'fix', true],
    ['no-report', 'fix', true],
    ['aborted', 'fix', false],
  ];
  test.each(table)('%s in %s: %s', (cause, face, ends) => {
    expect(unrunnableBecause(all, [unusable('c', cause)], face) !== undefined).toBe(ends);
  });
});

test('a script of the workspace that is missing may be the task', () => {
  const missing = check('c', { ok: false, cause: 'not-found', missingScript: true, feedback: 'no check.sh' });
  expect(unrunnableBecause(all, [missing], 'run')).toBeUndefined();
});

test('a check that the criteria can do without holds nothing up', () => {
  const checks = [green('a'), unusable('b', 'not-found')];
  const pass = (...evaluators: string[]) => ({ type: 'pass', evaluators }) as const;
  expect(unrunnableBecause(pass('a'), checks, 'run')).toBeUndefined();
  expect(unrunnableBecause({ type: 'any', of: [pass('a'), pass('b')] }, checks, 'run')).toBeUndefined();
  expect(unrunnableBecause(all, checks, 'run')).toBeDefined();
  expect(unrunnableBecause({ type: 'not', of: pass('b') }, checks, 'run')).toBeDefined();
  expect(
    unrunnableBecause({ type: 'all', of: [{ type: 'not', of: pass('a') }, pass('b')] }, checks, 'run'),
  ).toBeDefined();
});

test('checks that run hold nothing up, red or green', () => {
  expect(unrunnableBecause(all, [green('a'), red('b')], 'fix')).toBeUndefined();
});

test('the reason names the check, the cause and the first lines of its output', () => {
  const lines = Array.from({ length: 20 }, (_, i) => `line ${i}`).join('\n');
  const dead = check('lint', { ok: false, cause: 'not-found', feedback: lines });
  const reason = unrunnableBecause(all, [dead], 'run');
  expect(reason).toMatch(/^"lint" not-found: line 0\n/);
  expect(reason).not.toContain('line 6');
});

test('the reason has no empty lines, and no heading without its text', () => {
  const feedback = 'the suite does not load\n\n- a.py\n\nfirst failure:\n';
  const dead = check('tests', { ok: false, cause: 'collection', feedback });
  expect(unrunnableBecause(all, [dead], 'fix')).toBe('"tests" collection: the suite does not load\n- a.py');
});
