import { describe, expect, test } from 'vitest';
import { renderReport } from '../../src/cli/render-report.ts';
import type { Happening } from '../../src/core/event.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import { PLAIN } from '../../src/observers/style.ts';
import { displayWidth } from '../../src/observers/text-width.ts';
import { agentStory, check, completed, test as result, runStarted, verdict } from '../observers/story.ts';
import { reported } from './reported.ts';

const ended = (outcome: Outcome): Happening => ({ type: 'run.finished', outcome });

function iteration(n: number, status: 'pass' | 'fail' | 'unusable'): Happening[] {
  return [
    { type: 'iteration.started', iteration: n, driver: 'mock' },
    { type: 'agent.finished', iteration: n, result: completed, durationMs: 10 },
    {
      type: 'check.finished',
      phase: 'iteration',
      check: check({ status, results: [result('t::a', 'failed')] }),
    },
    { type: 'check.finished', phase: 'iteration', check: check({ name: 'lint', status: 'pass' }) },
    { type: 'iteration.judged', iteration: n, verdict: verdict(status, 'tests fails', 0, 1) },
  ];
}

describe('report on screen', () => {
  test('a green run shows its iterations, its trust, its warnings and its records', () => {
    const lines = renderReport(reported(agentStory), PLAIN, '/runs/run-1').split('\n');
    expect(lines.slice(0, 5)).toEqual([
      '    #  changed  refused  checks       verdict          time',
      '    1        1        1  ✗ tests 0/1  red             8.0 s',
      '    2        2        0  ✓ tests 1/1  green           8.0 s',
      '',
      'success     every success criterion is met',
    ]);
    expect(lines.find((line) => line.startsWith('trust'))).toContain('plausible: red before · ');
    expect(lines).toContain('changed     2 files  (+14 -1)');
    expect(lines).toContain('usage       2,400 tokens in, 680 out · $0.04');
    expect(lines).toContain('warning     the agent touched a test');
    expect(lines.at(-1)).toBe('records     /runs/run-1');
    expect(lines.join()).not.toContain('still failing');
  });

  test('a red run names what still fails and claims no grade', () => {
    const story = [runStarted(), ...iteration(0, 'fail'), ended({ kind: 'max-iterations', limit: 1 })];
    const text = renderReport(reported(story), PLAIN);
    expect(text).toContain(
      'still failing\n  ✗ tests  0 of 1 passed, 1 failed · 0.4 s\n      t::a  AssertionError',
    );
    expect(text).toContain('max-iterations  not done after 1 iteration');
    expect(text).toContain('trust       nothing is claimed, since nothing is green');
    expect(text).not.toContain('lint  passed');
  });

  test('a green in which the judge was touched is called tampered', () => {
    const violation = {
      rule: 'evaluator',
      reaction: 'error',
      path: 'check.sh',
      because: 'it judges',
    } as const;
    const story: Happening[] = [
      runStarted(),
      ...iteration(0, 'pass'),
      { type: 'edit.refused', iteration: 0, violation, putBack: true },
      ended({ kind: 'evaluator-tampered', files: ['check.sh'] }),
    ];
    expect(renderReport(reported(story), PLAIN)).toMatch(/1 {8}0 {8}1 {2}.* tampered/);
  });

  test('a green that was not confirmed, undone work and an unjudged turn have words of their own', () => {
    const story: Happening[] = [
      runStarted(),
      ...iteration(0, 'pass'),
      { type: 'check.finished', phase: 'confirm', check: check({ name: 'second', status: 'fail' }) },
      { type: 'confirmation.judged', iteration: 0, how: 'rerun', verdict: verdict('fail', 'second fails') },
      ...iteration(1, 'unusable'),
      { type: 'workspace.reverted', iteration: 1, because: 'unusable', tree: 't', total: [], totalStat: '' },
      { type: 'iteration.started', iteration: 2, driver: 'mock' },
      { type: 'best.kept', iteration: 0, patch: '/runs/run-1/best.patch' },
      ended({ kind: 'aborted' }),
    ];
    const text = renderReport(reported(story), PLAIN);
    expect(text).toMatch(/1 {8}0 {8}0 {2}✓ tests 0\/1, ✓ lint {2}unconfirmed/);
    expect(text).toMatch(/2 {8}0 {8}0 {2}\? tests 0\/1, ✓ lint {2}undone/);
    expect(text).toMatch(/3 {8}0 {8}0 +not judged/);
    expect(text).toContain('best: #1    /runs/run-1/best.patch');
    expect(text).toContain('aborted     stopped by the user');
  });

  test('a run that never began has no table', () => {
    const errors = ['the driver "claude" is not on PATH'];
    const story = [
      runStarted(),
      { type: 'preflight.finished', errors } as const,
      ended({ kind: 'preflight-failed', errors }),
    ];
    const [first] = renderReport(reported(story), PLAIN).split('\n');
    expect(first).toBe('preflight-failed  the driver "claude" is not on PATH');
  });

  test('a long run shows its first and its last iterations', () => {
    const story = [
      runStarted(),
      ...Array.from({ length: 60 }, (_, n) => iteration(n, 'fail')).flat(),
      ended({ kind: 'max-iterations', limit: 60 }),
    ];
    const lines = renderReport(reported(story), PLAIN).split('\n');
    expect(lines[4]).toBe('  … 37 more');
    expect(lines[5]).toMatch(/^ {3}41 /);
    expect(lines.indexOf('')).toBe(25);
  });

  test.each([40, 80])('nothing but paths is wider than %i columns', (width) => {
    const long = 'a-check-with-a-name-that-is-much-too-long-for-any-table-on-any-terminal';
    const many = ['x', 'y', long, 'z', 'another'].map(
      (name): Happening => ({ type: 'check.finished', phase: 'iteration', check: check({ name }) }),
    );
    const story = [
      runStarted(),
      ...iteration(0, 'fail'),
      ...many,
      ended({ kind: 'driver-failed', reason: 'no log-in '.repeat(30), times: 3 }),
    ];
    const style = { ...PLAIN, width };
    const lines = renderReport(reported(story), style).split('\n');
    const table = 2 + 3 + 2 + 7 + 2 + 7 + 2 + 2 + 11 + 2 + 8;
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(Math.max(width, table + 12));
    if (width === 80) for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(80);
  });

  test('the colour of the outcome is that of its exit code', () => {
    const colours = {
      ...PLAIN.colours,
      green: (t: string) => `<g>${t}`,
      yellow: (t: string) => `<y>${t}`,
      red: (t: string) => `<r>${t}`,
    };
    const first = (outcome: Outcome) =>
      renderReport(reported([runStarted(), ended(outcome)]), { ...PLAIN, colours }).slice(0, 3);
    expect(first({ kind: 'success' })).toBe('<g>');
    expect(first({ kind: 'max-iterations', limit: 1 })).toBe('<y>');
    expect(first({ kind: 'aborted' })).toBe('<y>');
    expect(first({ kind: 'spec-tampered', files: ['a'] })).toBe('<r>');
    expect(first({ kind: 'error', message: 'disk full' })).toBe('<r>');
  });

  test('a reason of several lines keeps them', () => {
    const outcome: Outcome = { kind: 'unrunnable', reason: '"c" not-found: no such tool\nPATH: /usr/bin' };
    const lines = renderReport(reported([runStarted(), ended(outcome)]), PLAIN).split('\n');
    expect(lines.slice(0, 3).map((line) => line.slice(12).trim())).toEqual([
      'the checks cannot run, so nothing can be judged: "c" not-found: no',
      'such tool',
      'PATH: /usr/bin',
    ]);
  });

  test('foreign text cannot move the cursor', () => {
    const story = [runStarted(), ended({ kind: 'gave-up', summary: '\u001b[2J\u0007gone' })];
    expect(renderReport(reported(story), PLAIN)).not.toMatch(/[\u001b\u0007]/);
  });
});
