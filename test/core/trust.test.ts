import { describe, expect, test } from 'vitest';
import type { History } from '../../src/core/history.ts';
import { trustLine, trustOf } from '../../src/core/trust.ts';
import { check, green, red, suite, unusable } from './checks.ts';
import { historyOf, iteration, type Sketch } from './histories.ts';

const ids = suite('tests', [], 12);
const success = { outcome: { kind: 'success' } as const };
const trust = (sketch: Sketch, more: Parameters<typeof historyOf>[1] = {}) =>
  trustOf(historyOf([sketch], { before: [red('c')], ...success, ...more }));

/** The same green, confirmed in a fresh room. */
function inRoom(sketch: Sketch, more: Parameters<typeof historyOf>[1] = {}) {
  const history: History = historyOf([], { before: [red('c')], ...success, ...more });
  const last = iteration(sketch, 0, 'start');
  const confirmation = { how: 'room' as const, checks: sketch.checks ?? [] };
  return trustOf({ ...history, iterations: [{ ...last, confirmation }] });
}

describe('the grade', () => {
  test('is earned in a fresh room, red before, by test ids', () => {
    expect(inRoom({ checks: [ids] }).grade).toBe('earned');
  });

  const lower: [string, ReturnType<typeof trust>, string][] = [
    ['plausible where the green was only seen again', trust({ checks: [ids], confirm: [ids] }), 'plausible'],
    ['plausible by an exit code', inRoom({ checks: [green('c', { judgedBy: 'exit-code' })] }), 'plausible'],
    ['plausible by the word of a plug-in', inRoom({ checks: [green('c')] }), 'plausible'],
    ['plausible by a measured number', inRoom({ checks: [green('c', { judgedBy: 'metric' })] }), 'plausible'],
    [
      'plausible where the suite did not load before',
      inRoom({ checks: [ids] }, { before: [unusable('c', 'collection')] }),
      'plausible',
    ],
    [
      'plausible where an edit of the judge stands',
      inRoom({ checks: [ids], refused: [{ reaction: 'warn' }] }),
      'plausible',
    ],
    ['unproven without a baseline', inRoom({ checks: [ids] }, { before: undefined }), 'unproven'],
    ['unproven where it was green before', inRoom({ checks: [ids] }, { before: [green('c')] }), 'unproven'],
    ['unproven where it was not tried again', trust({ checks: [ids] }), 'unproven'],
    [
      "unproven by the agent's own word",
      inRoom({ checks: [green('c', { judgedBy: 'agent-file' })] }),
      'unproven',
    ],
    ['none where nothing is green', trustOf(historyOf([{ checks: [red('c')] }])), 'none'],
  ];
  test.each(lower)('is %s', (_, line, grade) => {
    expect(line.grade).toBe(grade);
  });

  test('is not lowered by an edit that was put back', () => {
    expect(inRoom({ checks: [ids], refused: [{ reaction: 'revert' }] }).grade).toBe('earned');
  });
});

describe('the trust line', () => {
  test('says what was shown and what was not', () => {
    const line = trustLine(trust({ checks: [ids], confirm: [ids] }));
    expect(line).toMatch(
      /^plausible: red before · green again in a rerun · 12 of 12 test ids passed · not shown: /,
    );
    expect(line).toContain('not shown: a tree that the agent could not touch');
    expect(line).toContain('held-out');
    expect(line).toContain('external state');
  });

  test('names the checks that are judged by less than test ids', () => {
    const lint = check('lint', { passed: true, judgedBy: 'exit-code' });
    expect(trust({ checks: [ids, lint], confirm: [ids, lint] }).notShown).toContain(
      'verdict by test ids (lint)',
    );
  });

  test('names the cause of a suite that did not load before', () => {
    const line = trust({ checks: [ids], confirm: [ids] }, { before: [unusable('c', 'collection')] });
    expect(line.shown[0]).toBe('red before, because the suite does not load (collection)');
  });

  test('promises nothing without a green', () => {
    expect(trustLine(trustOf(historyOf([])))).toBe('nothing is claimed, since nothing is green');
  });
});
