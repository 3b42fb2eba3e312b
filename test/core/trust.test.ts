import { describe, expect, test } from 'vitest';
import type { Check } from '../../src/core/check.ts';
import type { Confirmation, History, Iteration } from '../../src/core/history.ts';
import { checkAgainstLedger } from '../../src/core/ledger.ts';
import { type Grade, trustLine, trustOf } from '../../src/core/trust.ts';
import { verdictOf } from '../../src/core/verdict.ts';
import { check, green, red, suite, unusable } from './checks.ts';
import { historyOf, iteration, type Sketch } from './histories.ts';

const ids = suite('tests', [], 12);
const success = { outcome: { kind: 'success' } as const };
const trust = (sketch: Sketch, more: Parameters<typeof historyOf>[1] = {}) =>
  trustOf(historyOf([sketch], { before: [red('c')], ...success, ...more }));

/** Ids of which some were red at the start, and all are green now. */
const start = suite('tests', ['ok-0', 'ok-1'], 12);
const fixed = checkAgainstLedger(suite('tests', [], 12), suite('tests', ['ok-3'], 3));
const right = [{ check: 'tests', result: 'right' }] as const;

interface InRoom extends Partial<Confirmation> {
  readonly before?: readonly Check[] | undefined;
  readonly because?: string;
  readonly refused?: Sketch['refused'];
  readonly keptOut?: Iteration['keptOut'];
}

/** A green of these checks, confirmed in a fresh room. */
function inRoom(checks: readonly Check[] = [fixed], change: InRoom = {}) {
  const { before = [start], because, refused, keptOut = [], ...found } = change;
  const history: History = historyOf([], { ...('before' in change ? change : { before }), ...success });
  const confirmation: Confirmation = {
    how: 'room',
    room: { kind: 'bound' },
    canary: right,
    checks,
    verdict: verdictOf({ type: 'all-pass' }, checks),
    ...found,
  };
  const last = iteration({ checks, ...(refused && { refused }) }, 0, 'start');
  return trustOf({
    ...history,
    ...(history.baseline &&
      because !== undefined && {
        baseline: { ...history.baseline, room: { kind: 'folder', because } },
      }),
    iterations: [{ ...last, keptOut, confirmation }],
  });
}

const CLOCK = { path: 'a.py', line: 3, name: 'patched-clock', because: 'it replaces the clock' };
const NOQA = {
  path: 'a.py',
  line: 9,
  name: 'silenced-style',
  because: 'quiet',
  harmlessByIds: true,
} as const;

describe('the grade in a fresh room', () => {
  const table: [string, Grade, ReturnType<typeof inRoom>][] = [
    ['red before by ids, canary right', 'earned', inRoom()],
    ['in a folder of its own', 'earned', inRoom([fixed], { room: { kind: 'folder' } })],
    [
      'a runner that can have no canary',
      'earned',
      inRoom([fixed], { canary: [{ check: 'tests', result: 'none', because: 'cargo' }] }),
    ],
    ['an edit that was put back', 'earned', inRoom([fixed], { refused: [{ reaction: 'revert' }] })],
    [
      'a check that decides nothing',
      'earned',
      inRoom([fixed, green('lint', { judgedBy: 'exit-code' })], {
        verdict: verdictOf({ type: 'pass', evaluators: ['tests'] }, [fixed, green('lint')]),
      }),
    ],
    ['in the workspace itself', 'plausible', inRoom([fixed], { room: { kind: 'workspace' } })],
    ['in a rerun', 'plausible', inRoom([fixed], { how: 'rerun' })],
    ['with a check by exit code', 'plausible', inRoom([fixed, green('c', { judgedBy: 'exit-code' })])],
    ['by the word of a plug-in', 'plausible', inRoom([fixed, green('c')])],
    ['by a measured number', 'plausible', inRoom([fixed, green('c', { judgedBy: 'metric' })])],
    ['something let in by allow', 'plausible', inRoom([fixed], { allowed: ['conftest.py'] })],
    ['an edit of tests that were green', 'plausible', inRoom([fixed], { caveats: ['test_b.py was edited'] })],
    ['an edit of the judge that stands', 'plausible', inRoom([fixed], { refused: [{ reaction: 'warn' }] })],
    [
      'a suite that did not load before',
      'plausible',
      inRoom([checkAgainstLedger(ids, unusable('tests', 'collection'))], {
        before: [unusable('tests', 'collection')],
      }),
    ],
    [
      'one file that did not load before',
      'plausible',
      inRoom([checkAgainstLedger(ids, suite('tests', [{ id: 'ok-0', status: 'skipped' }], 3))]),
    ],
    ['only new tests that are green', 'plausible', inRoom([checkAgainstLedger(ids, suite('tests', [], 3))])],
    ['without a comparison', 'plausible', inRoom([ids])],
    [
      'a red test found under another id',
      'plausible',
      inRoom([
        checkAgainstLedger(
          check('tests', {
            passed: true,
            judgedBy: 'test-ids',
            tests: [{ id: 'a.py::B::t', status: 'passed' }],
          }),
          check('tests', { judgedBy: 'test-ids', tests: [{ id: 'a.py::A::t', status: 'failed' }] }),
        ),
      ]),
    ],
    ['a patch with nothing that blinds', 'earned', inRoom([fixed], { suspicions: [] })],
    ['a patch with a clock replaced', 'plausible', inRoom([fixed], { suspicions: [CLOCK] })],
    ['a silenced linter, judged by ids', 'earned', inRoom([fixed], { suspicions: [NOQA] })],
    ['a canary that nobody tells of', 'plausible', inRoom([fixed], { canary: [] })],
    [
      'a canary that had no turn where there can be one',
      'plausible',
      inRoom([fixed], { canary: [{ check: 'tests', result: 'missed', because: 'timeout' }] }),
    ],
    [
      'a canary that did not fail',
      'unproven',
      inRoom([fixed], { canary: [{ check: 'tests', result: 'wrong' }] }),
    ],
    ['no baseline', 'unproven', inRoom([fixed], { before: undefined })],
    ['green before', 'unproven', inRoom([fixed], { before: [green('tests')] })],
    ["the agent's own word", 'unproven', inRoom([fixed, green('c', { judgedBy: 'agent-file' })])],
  ];
  test.each(table)('%s: %s', (_, grade, line) => {
    expect(line.grade).toBe(grade);
  });
});

describe('the grade', () => {
  const lower: [string, ReturnType<typeof trust>, string][] = [
    ['plausible where the green was only seen again', trust({ checks: [ids], confirm: [ids] }), 'plausible'],
    ['unproven where it was not tried again', trust({ checks: [ids] }), 'unproven'],
    ['none where nothing is green', trustOf(historyOf([{ checks: [red('c')] }])), 'none'],
  ];
  test.each(lower)('is %s', (_, line, grade) => {
    expect(line.grade).toBe(grade);
  });
});

describe('the trust line', () => {
  test('of an earned green', () => {
    expect(trustLine(inRoom())).toMatch(
      /^earned: red before · confirmed in a fresh room at its own path · canary failed as it must · 12 of 12 test ids passed · 1 test red before and green now · not shown: held-out checks; /,
    );
  });

  test('says why a room was none of the best kind', () => {
    const folder = inRoom([fixed], { room: { kind: 'folder' }, because: 'no bubblewrap' });
    expect(folder.shown).toContain('confirmed in a fresh room');
    expect(folder.notShown).toContain('walls around the checks (no bubblewrap)');
    const none = inRoom([fixed], { room: { kind: 'workspace' }, because: 'the checks differ elsewhere' });
    expect(none.shown).toContain('green again in a rerun');
    expect(none.notShown).toContain('a tree that the agent could not touch (the checks differ elsewhere)');
  });

  test('names the runner that can have no canary', () => {
    const line = inRoom([fixed], { canary: [{ check: 'tests', result: 'none', because: 'no way in' }] });
    expect(line.notShown).toContain('canary (tests: no way in)');
  });

  test('says that there is no comparison test by test, and why', () => {
    const line = inRoom([checkAgainstLedger(ids, unusable('tests', 'collection'))]);
    expect(line.notShown).toContain(
      'what became of each test of the start (tests: the suite did not load at the start)',
    );
  });

  test('names what was kept out, and is plausible where something reads that by itself', () => {
    const tests = { path: 'test_a.py', because: 'its tests were red at the start' };
    const started = { path: 'conftest.py', because: 'pytest reads it', inForce: true } as const;
    const edited = inRoom([fixed], { keptOut: [tests] });
    expect(edited.notShown).toContain('the work with its own version of test_a.py');
    expect(edited.grade).toBe('earned');
    expect(inRoom([fixed], { keptOut: [tests, started] })).toMatchObject({
      grade: 'plausible',
      notShown: expect.arrayContaining(['the work with its own version of test_a.py, conftest.py']),
    });
  });

  test('names what allow let in, and counts caveats', () => {
    const line = inRoom([fixed], { allowed: ['a', 'b', 'c', 'd'], caveats: ['x', 'y'] });
    expect(line.notShown).toContain('a green without what allow lets in (a, b, c and 1 more)');
    expect(line.notShown).toContain('the judge as it was (2 caveats)');
  });

  test('says whether the patch was read, and where it holds what can blind a judge', () => {
    const clean = 'a patch free of constructs that blind a judge';
    expect(inRoom([fixed]).notShown).toContain(clean);
    const read = inRoom([fixed], { suspicions: [NOQA] });
    expect(read.shown).toContain('nothing known to blind a judge in the patch');
    expect(read.notShown).not.toContain(clean);
    expect(inRoom([fixed], { suspicions: [CLOCK] }).notShown).toContain(`${clean} (a.py:3)`);
    const byCode = [fixed, green('lint', { judgedBy: 'exit-code' })];
    expect(inRoom(byCode, { suspicions: [NOQA] }).notShown).toContain(`${clean} (a.py:9)`);
  });

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
