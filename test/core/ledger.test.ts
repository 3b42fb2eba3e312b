import { describe, expect, test } from 'vitest';
import type { Check, TestStatus } from '../../src/core/check.ts';
import { type Comparison, MAX_TEST_IDS } from '../../src/core/comparison.ts';
import { checkAgainstLedger, compareTests } from '../../src/core/ledger.ts';
import { check, green, red, unusable } from './checks.ts';

type Tests = Readonly<Record<string, TestStatus>>;
const list = (tests: Tests) => Object.entries(tests);

/** Kinds of a comparison that are not empty, with ids or counts. */
function fates(before: Tests, now: Tests): Record<string, unknown> {
  return brief(compareTests(list(before), list(now)));
}

function brief({ compared: _, ...comparison }: Comparison): Record<string, unknown> {
  const kinds = Object.entries(comparison).map(([kind, of]) => [kind, typeof of === 'number' ? of : of.ids]);
  return Object.fromEntries(kinds.filter(([, of]) => (Array.isArray(of) ? of.length > 0 : of !== 0)));
}

function run(tests: Tests, more: Partial<Parameters<typeof check>[1]> = {}): Check {
  const results = list(tests).map(([id, status]) => ({ id, status }));
  const passed = !results.some(({ status }) => ['failed', 'error', 'xpassed'].includes(status));
  return check('tests', { passed, tests: results, judgedBy: 'test-ids', feedback: 'output', ...more });
}

describe('what becomes of a test', () => {
  const table: [TestStatus, TestStatus | undefined, string | undefined][] = [
    ['failed', 'passed', 'fixed'],
    ['error', 'passed', 'fixed'],
    ['xpassed', 'passed', 'fixed'],
    ['failed', 'failed', 'stillRed'],
    ['failed', 'error', 'stillRed'],
    ['failed', 'xpassed', 'stillRed'],
    ['failed', 'skipped', 'newlySkipped'],
    ['failed', 'xfailed', 'newlySkipped'],
    ['failed', 'todo', 'newlySkipped'],
    ['failed', undefined, 'vanished'],
    ['passed', 'passed', 'kept'],
    ['passed', 'failed', 'broken'],
    ['passed', 'error', 'broken'],
    ['passed', 'xpassed', 'broken'],
    ['passed', 'skipped', 'newlySkipped'],
    ['passed', 'xfailed', 'newlySkipped'],
    ['passed', 'todo', 'newlySkipped'],
    ['passed', undefined, 'vanished'],
    ['skipped', 'skipped', undefined],
    ['skipped', 'passed', undefined],
    ['todo', 'failed', undefined],
    ['xfailed', undefined, undefined],
  ];
  test.each(table)('that was %s and is %s: %s', (before, now, kind) => {
    const found = fates({ 'a.py::t': before }, now ? { 'a.py::t': now } : {});
    expect(Object.keys(found)).toEqual(kind ? [kind] : []);
  });

  test('that is new: it is counted, and never red to green', () => {
    expect(fates({ 'a.py::t': 'failed' }, { 'a.py::t': 'failed', 'a.py::mine': 'passed' })).toEqual({
      stillRed: ['a.py::t'],
      added: 1,
    });
  });
});

describe('a test is found again', () => {
  const same: [string, string, string][] = [
    ['in a suite that was renamed', 'a.py::Old::t', 'a.py::New::t'],
    ['without the suite around it', 'a.py::Old::t[1]', 'a.py::t[1]'],
    ['in a file that was moved', 'tests/test_a.py::T::t', 'tests/unit/test_a.py::T::t'],
    ['in a file that was renamed', 'tests/test_a.py::T::t', 'tests/test_b.py::T::t'],
    ['with another parameter', 'a.py::t[1-2]', 'a.py::t[1-2-None]'],
    ['with parameters that it did not have', 'a.py::t', 'a.py::t[1]'],
    ['with a date in its name', 'a.py::t[2026-01-01]', 'a.py::t[2026-01-02]'],
    ['with an address in its name', 'a.ts > s > at 0x7f01', 'a.ts > s > at 0x7f02'],
    ['in a suite of a JavaScript file', 'src/a.test.ts > old > works', 'src/a.test.ts > new > works'],
    ['in a JavaScript file that was moved', 'src/a.test.ts > s > works', 'test/a.test.ts > s > works'],
    ['with arrows in its title', 'a.test.ts > old > 1 > 0', 'b.test.ts > old > 1 > 0'],
    ['in a case that was renamed', 'tests.test_a.Old.test_t', 'tests.test_a.New.test_t'],
    ['in a module that was moved', 'tests.test_a.T.test_t', 'tests.unit.test_a.T.test_t'],
  ];
  test.each(same)('%s', (_, before, now) => {
    expect(fates({ [before]: 'passed' }, { [now]: 'passed' })).toEqual({ kept: 1 });
    expect(fates({ [before]: 'passed' }, { [now]: 'skipped' })).toEqual({ newlySkipped: [before] });
    expect(fates({ [before]: 'failed' }, { [now]: 'passed' })).toEqual({
      fixed: 1,
      renamed: [`${before} → ${now}`],
    });
  });

  const other: [string, string, string][] = [
    ['one of another name', 'a.py::T::t', 'a.py::T::u'],
    ['one of another name in another form', 'a.test.ts > s > works', 'a.test.ts > s > fails'],
    ['a title that only looks alike', 'loads', 'loads more'],
  ];
  test.each(other)('but not in %s', (_, before, now) => {
    expect(fates({ [before]: 'passed' }, { [now]: 'passed' })).toEqual({ vanished: [before], added: 1 });
  });

  test('but not in one that was there before', () => {
    const before: Tests = { 'a.py::A::t': 'passed', 'a.py::B::t': 'passed' };
    expect(fates(before, { 'a.py::B::t': 'passed' })).toEqual({ kept: 1, vanished: ['a.py::A::t'] });
  });

  test('once only: of three cases of a table, two are left', () => {
    const before: Tests = { 'a.py::t[easy]': 'passed', 'a.py::t[mid]': 'passed', 'a.py::t[hard]': 'failed' };
    const now: Tests = { 'a.py::t[easy]': 'passed', 'a.py::t[other]': 'passed' };
    const { kept, vanished } = compareTests(list(before), list(now));
    expect([kept, vanished.count]).toEqual([2, 1]);
  });

  test('by its id first, whatever else is there', () => {
    const tests: Tests = { 'a.py::A::t': 'passed', 'b.py::A::t': 'passed' };
    const turned = Object.fromEntries(Object.entries(tests).reverse());
    expect(fates(tests, turned)).toEqual({ kept: 2 });
  });
});

describe('tests of one id', () => {
  const twice = (a: TestStatus, b: TestStatus) => [['f > t', a] as const, ['f > t', b] as const];

  test('are compared as a set, since reports of them come in any order', () => {
    const found = compareTests(twice('passed', 'failed'), twice('failed', 'passed'));
    expect(brief(found)).toEqual({ kept: 1, stillRed: ['f > t'] });
  });

  test('are missed one by one', () => {
    const found = compareTests(twice('passed', 'passed'), [['f > t', 'passed']]);
    expect(brief(found)).toEqual({ kept: 1, vanished: ['f > t'] });
  });
});

describe('a file or suite that stands for its tests', () => {
  const file = 'tests/test_new.py';

  test('because it did not load, is not missed once it loads', () => {
    expect(fates({ [file]: 'error' }, { [`${file}::t`]: 'passed' })).toEqual({ loaded: 1, added: 1 });
    expect(fates({ [file]: 'error' }, { [`${file}::t`]: 'failed' })).toEqual({ stillRed: [file], added: 1 });
  });

  test('is lost where it is gone, or loads only to skip', () => {
    expect(fates({ [file]: 'error' }, {})).toEqual({ vanished: [file] });
    expect(fates({ [file]: 'error' }, { [`${file}::t`]: 'skipped' })).toEqual({
      newlySkipped: [file],
      added: 1,
    });
    expect(fates({ [file]: 'error' }, { [file]: 'skipped' })).toEqual({ newlySkipped: [file] });
  });

  const units: [string, string, string][] = [
    ['a module of unittest', 'tests.test_new', 'tests.test_new.T.test_t'],
    ['the set-up of a class', 'setUpClass (tests.test_a.T)', 'tests.test_a.T.test_t'],
    ['the set-up of a module', 'setUpModule (tests.test_a)', 'tests.test_a.T.test_t'],
    ['a JavaScript file whose hook failed', 'src/a.test.ts', 'src/a.test.ts > s > works'],
    ['a suite whose hook failed', 'src/a.test.ts > s', 'src/a.test.ts > s > works'],
  ];
  test.each(units)('may be %s', (_, unit, inside) => {
    expect(fates({ [unit]: 'error' }, { [inside]: 'passed' })).toEqual({ loaded: 1, added: 1 });
  });

  test('because it is one script, may become a file of tests', () => {
    expect(fates({ 'check.mjs': 'passed' }, { 'check.mjs > t': 'passed' })).toEqual({ kept: 1, added: 1 });
  });

  test('tells what became of its tests where they are not reported any more', () => {
    const before: Tests = { 'a.py::t': 'passed', 'a.py::u': 'failed' };
    expect(fates(before, { 'a.py': 'skipped' })).toMatchObject({ newlySkipped: ['a.py::t', 'a.py::u'] });
    expect(fates(before, { 'a.py': 'error' })).toMatchObject({ broken: ['a.py::t'], stillRed: ['a.py::u'] });
  });
});

test('only so many ids are kept of each kind, and all are counted', () => {
  const many = Array.from({ length: MAX_TEST_IDS + 20 }, (_, i) => [`a.py::t${i}x`, 'passed'] as const);
  const { vanished } = compareTests(many, []);
  expect([vanished.count, vanished.ids.length]).toEqual([MAX_TEST_IDS + 20, MAX_TEST_IDS]);
});

test('tens of thousands of tests that were all renamed are compared at once', () => {
  const suite = (name: string) =>
    Array.from({ length: 20_000 }, (_, i) => [`tests/test_a.py::${name}::t${i}x[1]`, 'passed'] as const);
  expect(compareTests(suite('Old'), suite('New')).kept).toBe(20_000);
});

describe('a check against the start', () => {
  const start = run({ 'a.py::red': 'failed', 'a.py::green': 'passed' });
  const good: Tests = { 'a.py::red': 'passed', 'a.py::green': 'passed' };

  test('passes where every test of the start passes', () => {
    const held = checkAgainstLedger(run(good), start);
    expect(held).toMatchObject({ status: 'pass', ledger: { compared: true, fixed: 1, kept: 1 } });
    expect(held.feedback).toBe('output');
  });

  const losses: [string, Tests, string][] = [
    ['a green test vanished', { 'a.py::red': 'passed' }, '- vanished: a.py::green'],
    ['a red test vanished', { 'a.py::green': 'passed' }, '- vanished: a.py::red'],
    ['a green test is skipped', { ...good, 'a.py::green': 'skipped' }, '- newly skipped: a.py::green'],
    ['a red test is skipped', { ...good, 'a.py::red': 'skipped' }, '- newly skipped: a.py::red'],
    ['a red test may fail', { ...good, 'a.py::red': 'xfailed' }, '- newly skipped: a.py::red'],
    ['a red test is for later', { ...good, 'a.py::red': 'todo' }, '- newly skipped: a.py::red'],
  ];
  test.each(losses)('fails where %s, though the runner passes', (_, now, line) => {
    expect(run(now).status).toBe('pass');
    const held = checkAgainstLedger(run(now), start);
    expect(held).toMatchObject({ status: 'fail', heldBack: true });
    expect(held.feedback).toContain(line);
    expect(held.feedback).toMatch(/\n\noutput$/);
  });

  test('names three tests of a kind and counts the rest', () => {
    const many = Object.fromEntries(
      ['a', 'b', 'c', 'd', 'e'].map((id) => [`x.py::${id}`, 'passed' as const]),
    );
    const held = checkAgainstLedger(run({ 'y.py::z': 'passed' }), run(many));
    expect(held.feedback).toContain('- vanished: x.py::a, x.py::b, x.py::c and 2 more');
  });

  test('stays red where it is red, with what is lost beside it', () => {
    const held = checkAgainstLedger(run({ 'a.py::red': 'failed' }), start);
    expect(held).toMatchObject({ status: 'fail', feedback: 'output', ledger: { vanished: { count: 1 } } });
    expect(held.heldBack).toBeUndefined();
  });

  const blind: [string, Check | undefined, string][] = [
    ['without a baseline', undefined, 'there was no baseline'],
    [
      'of a suite that did not load',
      run({ 'a.py': 'error' }, { ok: false, cause: 'collection' }),
      'did not load',
    ],
    ['of a baseline without tests', unusable('tests', 'no-tests'), 'no test had an id'],
    ['of a baseline by exit code', red('tests', 'x', { judgedBy: 'exit-code' }), 'no test had an id'],
  ];
  test.each(blind)('has no comparison %s, and says so', (_, before, because) => {
    const held = checkAgainstLedger(run(good), before);
    expect(held.status).toBe('pass');
    expect(held.ledger).toEqual({ compared: false, because: expect.stringContaining(because) });
  });

  test('without ids of its own, or that could not run, is left as it is', () => {
    for (const other of [green('tests', { judgedBy: 'exit-code' }), unusable('tests'), green('tests')]) {
      expect(checkAgainstLedger(other, start)).toBe(other);
    }
  });

  test('by ids that came back without any has lost them all', () => {
    const held = checkAgainstLedger(green('tests', { judgedBy: 'test-ids' }), start);
    expect(held).toMatchObject({ status: 'fail', ledger: { vanished: { count: 2 } } });
  });
});
