import { expect, test } from 'vitest';
import { headAndTail, printable, stripAnsi } from '../../src/system/text.ts';

test.each([
  ['\u001b[1;31mred\u001b[0m', 'red'],
  ['\u001b[38;2;1;2;3mrgb\u001b[m', 'rgb'],
  ['\u001b]8;;https://x.test/\u0007link\u001b]8;;\u0007', 'link'],
  ['\u001b]0;title\u001b\\text', 'text'],
  ['\u001b[2K\u001b[1Gline', 'line'],
  ['\u001b[?25lhidden\u001b[?25h', 'hidden'],
  ['\u001b(Bplain\u001b=\u001b>', 'plain'],
  ['\u009b31mred\u009b0m', 'red'],
  ['a[0m b [31m', 'a[0m b [31m'],
  ['plain ünïcode 😀', 'plain ünïcode 😀'],
])('%j without terminal sequences is %j', (text, plain) => {
  expect(stripAnsi(text)).toBe(plain);
});

test('sequences without an end take the rest of nothing but themselves', () => {
  // Half a megabyte of beginnings: quadratic work would not end within the time of a test.
  const text = `${'\u001b]'.repeat(150_000)}${'\u001b['.repeat(100_000)}`;
  expect(stripAnsi(`a${text}`).startsWith('a')).toBe(true);
});

test('a text that fits stays as it is', () => {
  expect(headAndTail('short', 5)).toBe('short');
  expect(headAndTail('', 0)).toBe('');
});

test('a text that does not fit keeps a quarter of its head and the tail, and says what is missing', () => {
  const text = Array.from({ length: 2000 }, (_, n) => `${n}`).join(' ');
  const short = headAndTail(text, 400);
  const [, head = '', count = '', tail = ''] =
    /^(.*)\n… (\d+) characters left out …\n(.*)$/s.exec(short) ?? [];
  expect(short.length).toBeLessThanOrEqual(400);
  expect(short.length).toBeGreaterThan(390);
  expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
  expect(head.length + Number(count) + tail.length).toBe(text.length);
  expect(tail.length / head.length).toBeCloseTo(3, 0);
});

test('no limit is exceeded and no character split, however small the limit', () => {
  const text = '😀'.repeat(100);
  for (let max = 0; max < 120; max++) {
    const short = headAndTail(text, max);
    expect(short.length).toBeLessThanOrEqual(max);
    expect(Buffer.from(short).toString()).toBe(short);
  }
});

test.each([
  [[0xff, 0xfe, 0x00], '\ufffd\ufffd\\0'],
  [[0xef, 0xbb, 0xbf, 0x61], '\ufeffa'],
  [[0xc3], '\ufffd'],
  [[0xc3, 0xa4], 'ä'],
])('the bytes %j are shown as %j', (bytes, text) => {
  expect(printable(Uint8Array.from(bytes))).toBe(text);
});
