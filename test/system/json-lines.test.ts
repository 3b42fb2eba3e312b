import { expect, test } from 'vitest';
import { jsonLines } from '../../src/system/json-lines.ts';

function read(pieces: readonly string[], maxLine?: number) {
  const objects: unknown[] = [];
  const noise: string[] = [];
  const lines = jsonLines({
    onObject: (value) => objects.push(value),
    onNoise: (line) => noise.push(line),
    ...(maxLine === undefined ? {} : { maxLine }),
  });
  for (const piece of pieces) lines.push(piece);
  lines.end();
  return { objects, noise };
}

const text =
  '\ufeff{"a":1}\r\nwarning: x\n\n[1/3] building\n  {"b":{"c":"}\\n{"}} \n{"half":\n7\n"text"\n[1]\n{"last":true}';
const expected = {
  objects: [{ a: 1 }, { b: { c: '}\n{' } }, { last: true }],
  noise: ['warning: x', '[1/3] building', '{"half":', '7', '"text"', '[1]'],
};

test.each([1, 2, 3, 7, 1000])('objects are found between noise, in pieces of %i characters', (size) => {
  const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, n) =>
    text.slice(n * size, (n + 1) * size),
  );
  expect(read(pieces)).toEqual(expected);
});

test('a line without an end is bounded, and the next line is read again', () => {
  const { objects, noise } = read(['{"x":"', 'y'.repeat(50), '"}\n', '{"ok":1}\n'], 20);
  expect(objects).toEqual([{ ok: 1 }]);
  expect(noise).toEqual([`{"x":"${'y'.repeat(14)}`]);
});

test('a line separator inside a string does not end the line', () => {
  expect(read(['{"a":"x\u2028y"}\n']).objects).toEqual([{ a: 'x\u2028y' }]);
});
