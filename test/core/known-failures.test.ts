import { describe, expect, test } from 'vitest';
import { checkOf, type TestResult, type TestStatus } from '../../src/core/check.ts';
import { feedbackOf, renderFeedback } from '../../src/core/feedback.ts';
import { type KnownFailures, knownWarnings, markKnown } from '../../src/core/known-failures.ts';
import { checkAgainstLedger } from '../../src/core/ledger.ts';
import { redTests } from '../../src/core/red-tests.ts';
import { differenceOf, tellsLittle } from '../../src/core/rooms-alike.ts';

type Tests = Readonly<Record<string, TestStatus>>;
const list = (tests: Tests): TestResult[] => Object.entries(tests).map(([id, status]) => ({ id, status }));
const start = (tests: Tests) => Object.entries(tests);

/** Ids that are excepted in a round. */
function excepted(setting: KnownFailures, now: Tests, before?: Tests): string[] {
  const marked = markKnown(setting, list(now), before && start(before));
  return marked.tests.filter((one) => one.known).map(({ id }) => id);
}

/** The check of a round, as an evaluator with these tests gives it. */
function round(setting: KnownFailures, now: Tests, before: Tests | 'these') {
  const { tests, ...known } = markKnown(setting, list(now), before === 'these' ? before : start(before));
  const passed = !tests.some((one) => one.status === 'failed' && !one.known);
  return checkOf(
    { name: 'tests', type: 'x' },
    { passed, feedback: 'said', tests, known, judgedBy: 'test-ids' },
    1,
  );
}

describe('which failures are excepted', () => {
  test('with baseline, all that were red before any work, and no others', () => {
    const before: Tests = { 'a.py::x': 'failed', 'a.py::y': 'passed', 'a.py::z': 'error' };
    const now: Tests = {
      'a.py::x': 'failed',
      'a.py::y': 'failed',
      'a.py::z': 'error',
      'a.py::new': 'failed',
    };
    expect(excepted('baseline', now, before)).toEqual(['a.py::x', 'a.py::z']);
  });

  test('with baseline, none where no test is known from before', () => {
    expect(excepted('baseline', { 'a.py::x': 'failed' })).toEqual([]);
    expect(excepted('baseline', { 'a.py::x': 'failed' }, {})).toEqual([]);
  });

  test('with a list, those on it that were red before; a green one is nobody’s known failure', () => {
    const setting = ['a.py::x', 'a.py::y'];
    const before: Tests = { 'a.py::x': 'failed', 'a.py::y': 'passed', 'a.py::z': 'failed' };
    const now: Tests = { 'a.py::x': 'failed', 'a.py::y': 'failed', 'a.py::z': 'failed' };
    expect(excepted(setting, now, before)).toEqual(['a.py::x']);
    // Where nothing is known from before, the list is taken at its word.
    expect(excepted(setting, now)).toEqual(['a.py::x', 'a.py::y']);
  });

  test('a known failure that was moved or renamed by its suite stays one', () => {
    expect(excepted(['a.py::x'], { 'sub/a.py::x': 'failed' }, { 'a.py::x': 'failed' })).toEqual([
      'sub/a.py::x',
    ]);
    expect(excepted('baseline', { 'a.py::B::x': 'failed' }, { 'a.py::A::x': 'failed' })).toEqual([
      'a.py::B::x',
    ]);
  });

  test('an id on the list means its file and name where no test has it as it is', () => {
    const red: Tests = { 'a.py::T::x[1]': 'failed', 'a.py::T::x[2]': 'failed', 'b.py::T::x': 'failed' };
    expect(excepted(['a.py::x'], red)).toEqual(['a.py::T::x[1]', 'a.py::T::x[2]']);
    expect(excepted(['a.py::T::x[2]'], red)).toEqual(['a.py::T::x[2]']);
    expect(excepted(['a.py::T::x[3]'], red)).toEqual([]);
    expect(excepted(['c.py::T::x'], red)).toEqual([]);
  });

  test('the tests of a known file that did not load are known once it does', () => {
    const now: Tests = { 'a.py::x': 'failed', 'a.py::y': 'passed', 'b.py::z': 'failed' };
    expect(excepted('baseline', now, { 'a.py': 'error', 'b.py::z': 'passed' })).toEqual(['a.py::x']);
  });
});

test('a check whose only failures are known passes, and one that loses a green test does not', () => {
  const before: Tests = { 'a.py::x': 'failed', 'a.py::y': 'passed' };
  const baseline = round('baseline', before, 'these');
  expect(baseline).toMatchObject({
    status: 'pass',
    tests: { passed: 1, failing: [], excepted: 1, skipped: 0 },
  });
  const broken = checkAgainstLedger(
    round('baseline', { 'a.py::x': 'failed', 'a.py::y': 'failed' }, before),
    baseline,
  );
  expect(broken.status).toBe('fail');
  expect(broken.tests?.failing.map(({ id }) => id)).toEqual(['a.py::y']);
  const gone = checkAgainstLedger(round('baseline', { 'a.py::x': 'failed' }, before), baseline);
  expect(gone).toMatchObject({ status: 'fail', ledger: { vanished: { ids: ['a.py::y'] } } });
});

test('a known failure is neither a loss nor mended work, whatever becomes of it', () => {
  const before: Tests = {
    'a.py::x': 'failed',
    'a.py::v': 'failed',
    'a.py::s': 'failed',
    'a.py::y': 'passed',
  };
  const baseline = round('baseline', before, 'these');
  const now = round('baseline', { 'a.py::x': 'passed', 'a.py::s': 'skipped', 'a.py::y': 'passed' }, before);
  expect(checkAgainstLedger(now, baseline)).toMatchObject({
    status: 'pass',
    ledger: { compared: true, fixed: 0, kept: 1, vanished: { count: 0 }, newlySkipped: { count: 0 } },
  });
});

test('a green test cannot hide behind a known failure of its name', () => {
  const before: Tests = { 'a.py::x[1]': 'passed', 'a.py::x[2]': 'failed' };
  const baseline = round('baseline', before, 'these');
  const now = checkAgainstLedger(round('baseline', { 'a.py::x[2]': 'passed' }, before), baseline);
  expect(now).toMatchObject({ status: 'fail', ledger: { vanished: { ids: ['a.py::x[1]'] } } });
});

test('known failures are not told to the agent as work', () => {
  const check = round('baseline', { 'a.py::x': 'failed', 'a.py::y': 'failed' }, { 'a.py::x': 'failed' });
  const feedback = feedbackOf({
    baseline: { checks: [check], verdict: { status: 'fail', reason: 'red' } },
    iterations: [],
  } as unknown as Parameters<typeof feedbackOf>[0]);
  const text = feedback ? renderFeedback(feedback, 'FENCE') : '';
  expect(text).toContain('1 of 2 tests failing (1 known failure excepted)');
  expect(text).toContain('a.py::y');
  expect(text).not.toContain('a.py::x');
});

test('files of known failures hold red tests: they stand as they were written', () => {
  const check = round('baseline', { 'a.py::x': 'failed', 'b.py::y': 'passed' }, 'these');
  expect(redTests([check], () => true)).toEqual({
    files: new Set(['a.py']),
    testFiles: new Set(['a.py', 'b.py']),
  });
});

test('what fails in a room alone is not taken for a failure that was there before', () => {
  const room = round('baseline', { 'a.py::x': 'failed', 'a.py::y': 'failed', 'a.py::z': 'passed' }, 'these');
  const workspace = round(
    'baseline',
    { 'a.py::x': 'failed', 'a.py::y': 'passed', 'a.py::z': 'passed' },
    'these',
  );
  expect(tellsLittle([room])).toBe(true);
  expect(differenceOf([workspace], [room])).toBe('other tests of "tests" fail');
  expect(differenceOf([room], [room])).toBeUndefined();
  // A list is the word of the user: it needs no second look.
  expect(tellsLittle([round(['a.py::x'], { 'a.py::x': 'failed', 'a.py::z': 'passed' }, 'these')])).toBe(
    false,
  );
});

describe('what a user is told', () => {
  const told = (
    setting: KnownFailures,
    now: Tests,
    before: Tests | 'these',
    phase: 'baseline' | 'iteration',
  ) => knownWarnings([{ name: 'tests', knownFailures: setting }], [round(setting, now, before)], phase, true);

  test('an id that no test has', () => {
    expect(told(['a.py::typo'], { 'a.py::x': 'failed' }, 'these', 'baseline')).toEqual([
      'knownFailures of "tests": no test has the id a.py::typo',
    ]);
    // A test that the work removed is no typing error.
    expect(told(['a.py::x'], { 'a.py::y': 'passed' }, { 'a.py::x': 'failed' }, 'iteration')).toEqual([]);
  });

  test('one that no longer fails, at the start and where the check passes', () => {
    const warning = ['knownFailures of "tests": no longer fails: a.py::x; take it off the list'];
    expect(told(['a.py::x'], { 'a.py::x': 'passed', 'a.py::y': 'failed' }, 'these', 'baseline')).toEqual(
      warning,
    );
    expect(told(['a.py::x'], { 'a.py::x': 'passed' }, { 'a.py::x': 'failed' }, 'iteration')).toEqual(warning);
    expect(
      told(['a.py::x'], { 'a.py::x': 'passed', 'a.py::y': 'failed' }, { 'a.py::x': 'failed' }, 'iteration'),
    ).toEqual([]);
    expect(told('baseline', { 'a.py::x': 'passed' }, { 'a.py::x': 'failed' }, 'iteration')).toEqual([]);
  });

  test('that it has no effect where no test has an id, or nothing ran before', () => {
    const plain = checkOf({ name: 'tests', type: 'command' }, { passed: false, feedback: '' }, 1);
    const evaluators = [{ name: 'tests', knownFailures: ['x'] }];
    expect(knownWarnings(evaluators, [plain], 'baseline', false)).toEqual([
      'knownFailures of "tests": no effect, since it is not judged by the ids of its tests',
    ]);
    const late = round('baseline', { 'a.py::x': 'failed' }, {});
    expect(knownWarnings([{ name: 'tests', knownFailures: 'baseline' }], [late], 'iteration', false)).toEqual(
      ['knownFailures of "tests": no effect, since no check ran before any work'],
    );
  });
});
