import { describe, expect, test } from 'vitest';
import {
  type ConfirmationFindings,
  canariesOf,
  confirmedVerdict,
  roomsDiffer,
} from '../../src/core/confirm.ts';
import { checkAgainstLedger } from '../../src/core/ledger.ts';
import { verdictOf } from '../../src/core/verdict.ts';
import { check, green, red, suite, unusable } from './checks.ts';

const ALL = { type: 'all-pass' } as const;
const ids = suite('tests', [], 3);
const confirmed = (checks: ConfirmationFindings['checks'], findings: Partial<ConfirmationFindings> = {}) =>
  confirmedVerdict(verdictOf(ALL, checks), { checks, ...findings });

describe('a green that came again', () => {
  test('stays one where nothing speaks against it', () => {
    expect(confirmed([ids])).toEqual(verdictOf(ALL, [ids]));
    expect(
      confirmed([ids], { canary: [{ check: 'tests', result: 'right' }], asWritten: ['a.py'] }).status,
    ).toBe('pass');
    expect(confirmed([ids], { canary: [{ check: 'tests', result: 'none', because: 'cargo' }] }).status).toBe(
      'pass',
    );
  });

  const table: [string, Partial<ConfirmationFindings>, string][] = [
    [
      'whose canary did not fail',
      { canary: [{ check: 'tests', result: 'wrong', because: 'it passed' }] },
      'the runner does not report failures any more ("tests": it passed)',
    ],
    [
      'one of whose canaries did not fail',
      {
        canary: [
          { check: 'a', result: 'right' },
          { check: 'b', result: 'wrong' },
        ],
      },
      'the runner does not report failures any more ("b")',
    ],
    [
      'over dependencies that nobody can make again',
      { dependencies: { what: 'node_modules/left-pad is gone' } },
      'the dependencies changed (node_modules/left-pad is gone)',
    ],
    [
      'with edited tests in sources',
      { doubts: [{ because: 'tests inside src/lib.rs were edited', allow: 'allow: ["src/lib.rs"]' }] },
      'tests inside src/lib.rs were edited; to accept that, write in the spec: allow: ["src/lib.rs"]',
    ],
  ];
  test.each(table)('%s is no green', (_, findings, reason) => {
    const verdict = confirmed([ids], findings);
    expect(verdict.status).toBe('fail');
    expect(verdict.reason).toContain(reason);
    expect(verdict.signature).toMatchObject({ informative: true });
  });

  test('says how setup failed where it could not make them again', () => {
    const dependencies = { what: 'x', failed: 'setup failed (exit code 1): npm ci' };
    const { reason } = confirmed([ids], { dependencies });
    expect(reason).toContain('cannot be made again in a fresh room: setup failed (exit code 1): npm ci');
    expect(reason).not.toContain('add the command');
  });

  test('says what changed around the workspace, where no setup helps', () => {
    const verdict = confirmed([ids], { around: '/lib/python3/os.py was changed' });
    expect(verdict.status).toBe('fail');
    expect(verdict.reason).toContain('/lib/python3/os.py was changed');
    expect(verdict.reason).not.toContain('setup');
  });

  test('asks for setup where the dependencies changed', () => {
    expect(confirmed([ids], { dependencies: { what: 'x' } }).reason).toContain('setup: ["npm ci"]');
  });

  test('over a check that lost a test is no green, whatever the criteria say', () => {
    const lost = {
      ...checkAgainstLedger(suite('tests', [], 2), suite('tests', ['red'], 3)),
      status: 'pass' as const,
    };
    expect(confirmed([lost])).toMatchObject({
      status: 'fail',
      reason: 'tests fails against the start (2 vanished)',
    });
  });

  test('counts the canary first: nothing else can be believed without it', () => {
    const { reason } = confirmed([ids], {
      canary: [{ check: 'tests', result: 'wrong' }],
      dependencies: { what: 'x' },
    });
    expect(reason).toContain('does not report failures');
  });
});

describe('what did not come again', () => {
  test('keeps its own reason', () => {
    const verdict = confirmed([red('tests')], {
      canary: [{ check: 'tests', result: 'wrong' }],
      dependencies: { what: 'x' },
    });
    expect(verdict).toMatchObject({ status: 'fail', reason: 'tests fails' });
  });

  const unloadable: [string, ConfirmationFindings['checks'], string | undefined][] = [
    ['by its path', [suite('tests', [{ id: 'tests/test_a.py', status: 'error' }], 2)], 'tests/test_a.py'],
    ['as a module', [suite('tests', [{ id: 'tests.test_a', status: 'error' }], 2)], 'tests/test_a.py'],
    ['by nothing but the cause', [unusable('tests', 'collection')], 'tests/test_a.py, tests/test_b.py'],
    ['not at all: another test is red', [suite('tests', ['tests/test_a.py::t'])], undefined],
  ];
  test.each(unloadable)('tests as they were written that do not load are named %s', (_, checks, named) => {
    const { status, reason } = confirmed(checks, { asWritten: ['tests/test_a.py', 'tests/test_b.py'] });
    expect(status).not.toBe('pass');
    if (named === undefined) expect(reason).not.toContain('allow');
    else expect(reason).toContain(`tests do not load any more as they were written (${named})`);
  });

  test('the line that accepts the edited tests can be copied', () => {
    const { reason } = confirmed([unusable('tests', 'collection')], { asWritten: ['tests/test a.py'] });
    expect(reason).toContain('allow: ["tests/test a.py"]');
  });
});

test('every check by test ids has a finding about its canary, the others have none', () => {
  const judgedBy = 'test-ids' as const;
  const checks = [
    green('a', { judgedBy, canary: 'right' }),
    green('b', { judgedBy, canary: 'none', canaryBecause: 'no way in' }),
    green('c', { judgedBy }),
    green('d', { judgedBy: 'exit-code' }),
    check('e', { judgedBy, canary: 'wrong', canaryBecause: 'it passed' }),
  ];
  expect(canariesOf(checks)).toEqual([
    { check: 'a', result: 'right' },
    { check: 'b', result: 'none', because: 'no way in' },
    { check: 'c', result: 'missed' },
    { check: 'e', result: 'wrong', because: 'it passed' },
  ]);
  expect(confirmedVerdict(verdictOf(ALL, checks.slice(0, 4)), { checks }).status).toBe('fail');
});

describe('two fresh rooms of one tree', () => {
  test('agree where every check came out alike', () => {
    expect(roomsDiffer([ids, red('x', 'one')], [red('x', 'two'), ids])).toBeUndefined();
  });

  test('differ by a check, with the tests that differ', () => {
    expect(roomsDiffer([ids], [suite('tests', ['ok-1'], 1)])).toBe(
      '"tests" is green in one fresh room and red in another, made of the same files; by 1 test: ok-1',
    );
    expect(roomsDiffer([green('x')], [unusable('x', 'timeout')])).toBe(
      '"x" is green in one fresh room and unusable (timeout) in another, made of the same files',
    );
  });
});
