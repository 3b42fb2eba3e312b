import { describe, expect, test } from 'vitest';
import {
  cut,
  displayWidth,
  harmless,
  oneLine,
  padEnd,
  padStart,
  wrap,
} from '../../src/observers/text-width.ts';

describe('text width', () => {
  test.each([
    ['abc', 3],
    ['', 0],
    ['日本語', 6],
    ['ｆｕｌｌ', 8],
    ['e\u0301', 1],
    ['über', 4],
    ['👍🏽', 2],
    ['👩‍👩‍👧', 2],
    ['✓', 1],
    ['\u001b[31mred\u001b[0m', 3],
    ['a\u200bb', 2],
  ])('%j takes %i columns', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  test.each([
    ['short', 10, 'short'],
    ['exactly ten', 11, 'exactly ten'],
    ['something long', 10, 'something…'],
    ['日本語日本語', 7, '日本語…'],
    ['日本語日本語', 8, '日本語…'],
    ['anything', 0, '…'],
  ])('%j cut to %i columns is %j', (text, width, expected) => {
    expect(cut(text, width)).toBe(expected);
  });

  test('padding counts columns, not characters', () => {
    expect(padEnd('日本', 6)).toBe('日本  ');
    expect(padStart('日本', 6)).toBe('  日本');
    expect(padEnd('too long', 3)).toBe('too long');
  });

  test.each([
    ['one two three', 8, ['one two', 'three']],
    ['one\ntwo', 80, ['one', 'two']],
    ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
    ['on /a/long/path here', 6, ['on', '/a/long/path', 'here']],
    ['/a/b:/c/d', 6, ['/a/b:', '/c/d']],
    ['(PATH: /usr/bin:/bin:/opt/long/bin)', 15, ['(PATH:', '/usr/bin:/bin:', '/opt/long/bin)']],
    ['日本語', 4, ['日本', '語']],
    ['日', 1, ['日', '']],
    ['', 10, ['']],
  ])('%j wrapped at %i columns is %j', (text, width, lines) => {
    expect(wrap(text, width)).toEqual(lines);
  });

  test('foreign text cannot move the cursor, ring, or turn the direction of writing', () => {
    expect(harmless('a\u001b[2Jb\u0007c\u0000\td\r\ne\u202ef')).toBe('abc    d\nef');
    expect(oneLine('  a\n\t b\r\n')).toBe('a b');
  });
});
