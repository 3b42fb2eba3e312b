import { describe, expect, test } from 'vitest';
import { renderFix } from '../../src/cli/render-fix.ts';
import type { Happening } from '../../src/core/event.ts';
import type { ChangedFile } from '../../src/core/tree.ts';
import { trustLine } from '../../src/core/trust.ts';
import { PLAIN } from '../../src/observers/style.ts';
import { check, test as result, runStarted, verdict } from '../observers/story.ts';
import { reported } from './reported.ts';

const COPY = '/state/runs/1/workspace/my-project';
const red = check({ results: [result('tests/test_target.py::test_target', 'failed')] });
const green = check({ status: 'pass', results: [result('tests/test_target.py::test_target', 'passed')] });

const begin: readonly Happening[] = [
  runStarted({ face: 'fix', driver: 'none', mode: 'copy', origin: '/home/me/my-project', workdir: COPY }),
  { type: 'baseline.started' },
  { type: 'check.finished', phase: 'baseline', check: red },
  { type: 'baseline.judged', verdict: verdict('fail', 'tests fails', 0, 1) },
];

function attempt(
  iteration: number,
  changed: readonly ChangedFile[],
  suite = red,
  summary = 'no driver configured',
): Happening[] {
  return [
    { type: 'iteration.started', iteration, driver: 'none' },
    { type: 'agent.finished', iteration, durationMs: 1, result: { stopReason: 'completed', summary } },
    {
      type: 'tree.changed',
      iteration,
      tree: 't',
      changed,
      stat: '',
      diff: '',
      total: changed,
      totalStat: '',
    },
    { type: 'check.finished', phase: 'iteration', check: suite },
    { type: 'iteration.judged', iteration, verdict: verdict(suite.status, 'tests') },
  ];
}

const target: ChangedFile = { path: 'target.py', change: 'modified' };
const stuck: Happening = {
  type: 'run.finished',
  outcome: { kind: 'no-progress', cause: 'nothing-changed', times: 2 },
};

describe('transcript of fix', () => {
  test('a driver that edits nothing is told with true numbers', () => {
    const report = reported([...begin, ...attempt(0, []), ...attempt(1, []), stuck]);
    const text = renderFix(report, PLAIN, { runDir: '/runs/1' });
    expect(text).toBe(
      [
        `working on a copy at ${COPY}`,
        'outcome: no_progress',
        'attempts 2, edits 0 applied / 0 refused, 3 test runs',
        'baseline  fail   0 passed, 1 failed',
        '  #1 (no edit)                    -        fail   no driver configured',
        '  #2 (no edit)                    -        fail   no driver configured',
        'final     fail   0 passed, 1 failed',
        '',
        'reason      nothing changed in 2 iterations',
        `trust       ${trustLine(report.trust)}`,
        'result      nothing changed',
        'records     /runs/1',
      ].join('\n'),
    );
  });

  test('each edit has its line: applied, undone or refused', () => {
    const story: Happening[] = [
      ...begin,
      ...attempt(
        0,
        [target, { path: 'other.py', change: 'added' }],
        check({ status: 'unusable', cause: 'collection' }),
        'tried\nhard',
      ),
      { type: 'workspace.reverted', iteration: 0, because: 'unusable', tree: 't', total: [], totalStat: '' },
      { type: 'iteration.started', iteration: 1, driver: 'mock' },
      {
        type: 'edit.refused',
        iteration: 1,
        violation: {
          rule: 'protected',
          reaction: 'revert',
          path: 'tests/test_target.py',
          because: 'it judges',
        },
        putBack: true,
      },
      ...attempt(1, [], red, 'edited the test').slice(1),
      stuck,
    ];
    const lines = renderFix(reported(story), PLAIN).split('\n');
    expect(lines.slice(2, 8)).toEqual([
      'attempts 2, edits 2 applied (2 undone) / 1 refused, 3 test runs',
      'baseline  fail   0 passed, 1 failed',
      '  #1 target.py                    undone   unusable tried hard',
      '     other.py                     undone',
      '  #2 tests/test_target.py         refused  fail   edited the test',
      'final     fail   0 passed, 1 failed',
    ]);
  });

  test('an earned result counts its confirmation and says where it lies', () => {
    const story: Happening[] = [
      ...begin,
      ...attempt(0, [target], green, 'a + b'),
      { type: 'check.finished', phase: 'confirm', check: green },
      {
        type: 'confirmation.judged',
        iteration: 0,
        how: 'rerun',
        verdict: verdict('pass', 'tests passes', 1),
      },
      { type: 'run.finished', outcome: { kind: 'success' } },
    ];
    const text = renderFix(reported(story), PLAIN, { patch: 'out.patch' });
    expect(text).toContain('outcome: fixed\nattempts 1, edits 1 applied / 0 refused, 3 test runs\n');
    expect(text).toContain('final     pass   1 passed, 0 failed\n');
    expect(text).toContain('trust       plausible: red before · ');
    expect(text).toContain(`result      ${COPY}\nuntouched   /home/me/my-project\npatch       out.patch`);
    const applied = renderFix(reported(story), PLAIN, { applied: true });
    expect(applied).toContain('applied to  /home/me/my-project');
    const refused = renderFix(reported(story), PLAIN, { notApplied: 'target.py changed meanwhile' });
    expect(refused).toContain('not applied target.py changed meanwhile');
  });

  test('a suite that cannot run stops at the baseline and says what could not', () => {
    const story: Happening[] = [
      ...begin.slice(0, 2),
      {
        type: 'check.finished',
        phase: 'baseline',
        check: check({ status: 'unusable', cause: 'collection' }),
      },
      {
        type: 'baseline.judged',
        verdict: verdict('unusable', 'tests'),
        unrunnable: 'the suite does not load',
      },
      { type: 'run.finished', outcome: { kind: 'unrunnable', reason: 'the suite does not load' } },
    ];
    const text = renderFix(reported(story), PLAIN);
    expect(text).toContain('outcome: unrunnable\nattempts 0, edits 0 applied / 0 refused, 1 test run\n');
    expect(text).toContain(
      'baseline  unusable 0 passed, 0 failed, tests could not run (collection)\nfinal     unusable',
    );
  });

  test('checks that never ran are not counted as a run', () => {
    const unrunnable = 'a copy would test the original';
    const story: Happening[] = [
      ...begin.slice(0, 1),
      { type: 'baseline.judged', verdict: verdict('unusable', unrunnable), unrunnable },
      { type: 'run.finished', outcome: { kind: 'unrunnable', reason: unrunnable } },
    ];
    const text = renderFix(reported(story), PLAIN);
    expect(text).toContain('attempts 0, edits 0 applied / 0 refused, 0 test runs\n');
    expect(text).toContain('baseline  unusable nothing ran\nfinal     unusable nothing ran\n');
  });

  test('in place it says so', () => {
    const story = [runStarted({ face: 'fix', workdir: '/home/me/p' }), stuck];
    expect(renderFix(reported(story), PLAIN).split('\n')[0]).toBe('working in place in /home/me/p');
  });

  test('a long path and a long note are cut to the width', () => {
    const long: ChangedFile = { path: `src/${'deep/'.repeat(20)}target.py`, change: 'modified' };
    const lines = renderFix(
      reported([...begin, ...attempt(0, [long], red, 'word '.repeat(40)), stuck]),
      PLAIN,
    ).split('\n');
    expect(lines[4]?.length).toBe(80);
  });
});
