import { describe, expect, test } from 'vitest';
import type { Check } from '../../src/core/check.ts';
import { signatureOf, withoutNoise } from '../../src/core/signature.ts';
import { check, green, red, suite, unusable } from './checks.ts';

const text = (...checks: readonly Check[]) => signatureOf(checks).text;

describe('two runs of the same failure have one signature', () => {
  const noise: [string, string, string][] = [
    ['durations', 'failed in 0.12s', 'failed in 13.5 s'],
    ['milliseconds', 'took 12ms', 'took 1 ms'],
    ['minutes', 'after 2 minutes', 'after 14 minutes'],
    ['clock times', 'at 12:01:59 it broke', 'at 23:59:00.123 it broke'],
    ['dates', '2026-11-29T20:08:11.123Z ERROR', '2027-01-02 03:04:05,678 ERROR'],
    ['epoch stamps', 'ts=1764446891.12', 'ts=1764446999'],
    ['epoch milliseconds', 'ts=1764446891123', 'ts=1764446891999'],
    ['temp folders', 'no file /tmp/pytest-of-me/pytest-1/x0', 'no file /tmp/pytest-of-me/pytest-22/x0'],
    ['temp folders of a Mac', 'in /private/var/folders/ab/cd/T/x1', 'in /var/folders/zz/yy/T/x9'],
    [
      'temp folders of Windows',
      'in C:\\Users\\a\\AppData\\Local\\Temp\\x1',
      'in C:\\Users\\b\\AppData\\Local\\Temp\\y',
    ],
    ['addresses', '<Foo object at 0x7f12ab>', '<Foo object at 0x55deadbeef>'],
    ['addresses of Java', 'Foo@1a2b3c4d', 'Foo@99ffee11'],
    ['process ids', 'pid 4711 died', 'pid 99 died'],
    ['process ids of node', '(node:1234) Warning', '(node:99999) Warning'],
    ['process ids of sanitizers', '==31337==ERROR: heap', '==1==ERROR: heap'],
    ['workers and threads', 'worker 3 crashed in thread-17', 'worker 5 crashed in thread-1'],
    ['seeds', 'Using --randomly-seed=123', 'Using --randomly-seed=98765'],
    ['ports', 'refused 127.0.0.1:40001', 'refused 127.0.0.1:53219'],
    ['uuids', 'id 123e4567-e89b-12d3-a456-426614174000', 'id 00000000-0000-0000-0000-000000000000'],
    ['colours', '\u001b[31mred\u001b[0m', 'red'],
    ['terminal titles', '\u001b]0;title\u0007red', 'red'],
    ['the order of lines', 'a failed\nb failed', 'b failed\na failed'],
    ['repeated lines', 'a failed\na failed\n', 'a failed'],
    ['spaces and empty lines', '  a   failed\n\n', 'a failed'],
  ];
  test.each(noise)('%s', (_, one, other) => {
    expect(text(red('c', one))).toBe(text(red('c', other)));
  });

  test('the order of checks and of tests', () => {
    expect(text(red('a'), suite('s', ['t1', 't2']))).toBe(text(suite('s', ['t2', 't1']), red('a')));
  });

  test('lines that moved, and messages, where tests are named', () => {
    const at = (place: string, message: string) =>
      suite('s', [{ id: 't', status: 'failed', place, errorType: 'ValueError', message }]);
    expect(text(at('a.py:3', 'x is 1'))).toBe(text(at('a.py:30:7', 'x is 2')));
  });

  test('checks that pass do not count', () => {
    expect(text(red('a'), green('b'))).toBe(text(red('a')));
  });
});

describe('other failures have another signature', () => {
  const others: [string, Check, Check][] = [
    ['other text', red('c', 'expected 1'), red('c', 'expected 2')],
    ['other numbers', red('c', '3 failed'), red('c', '2 failed')],
    ['another exit code', red('c', '', { exitCode: 1 }), red('c', '', { exitCode: 2 })],
    ['another check', red('c'), red('d')],
    ['other tests', suite('s', ['t1', 't2']), suite('s', ['t1'])],
    ['another cause', unusable('c', 'timeout'), unusable('c', 'crash')],
    ['red and unusable', red('c', 'crash'), unusable('c', 'crash')],
    [
      'another class of error in the same test',
      suite('s', [{ id: 't', status: 'failed', errorType: 'A' }]),
      suite('s', [{ id: 't', status: 'failed', errorType: 'B' }]),
    ],
    [
      'another file',
      suite('s', [{ id: 't', status: 'failed', place: 'a.py:1' }]),
      suite('s', [{ id: 't', status: 'failed', place: 'b.py:1' }]),
    ],
  ];
  test.each(others)('%s', (_, one, other) => {
    expect(text(one)).not.toBe(text(other));
  });
});

describe('what a signature says of itself', () => {
  test('a silent command says nothing', () => {
    expect(signatureOf([check('c', { feedback: ' \n ', exitCode: 1 })]).informative).toBe(false);
  });

  test('output that is only noise is still told apart from silence', () => {
    expect(signatureOf([red('c', 'broke')]).informative).toBe(true);
  });

  test('failing tests are known only where every failing check names them', () => {
    expect(signatureOf([suite('s', ['t']), green('g')]).byTests).toBe(true);
    expect(signatureOf([suite('s', ['t']), red('c')]).byTests).toBe(false);
    expect(signatureOf([]).byTests).toBe(false);
  });
});

test('text without noise keeps what tells failures apart', () => {
  expect(withoutNoise('E  assert 3 == 4\n  in 0.1s')).toBe('E assert 3 == 4\nin <time>');
});

test('a long signature is bounded, and still tells failures apart that differ at their end', () => {
  const long = (end: string) =>
    text(red('c', `${'word '.repeat(50)}\n`.repeat(200).replace(/word/g, (w, i) => `${w}-${i}`) + end));
  expect(long('a')).toBe(long('a'));
  expect(long('a')).not.toBe(long('b'));
  expect(long('a').length).toBeLessThan(1_100);
});
