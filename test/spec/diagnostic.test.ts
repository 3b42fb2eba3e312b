import { expect, test } from 'vitest';
import { LoopgenError } from '../../src/core/error.ts';
import { renderDiagnostics } from '../../src/spec/diagnostic.ts';
import { loadSpecText } from '../../src/spec/load.ts';
import { SMALL } from './example-spec.ts';

const rendered = (text: string) => {
  try {
    loadSpecText(text, 'loops/a.loop.yaml');
  } catch (error) {
    if (error instanceof LoopgenError) return renderDiagnostics(error);
  }
  throw new Error('it was taken for sound');
};

test('every problem has its place, its line, a caret and a hint', () => {
  expect(rendered(`${SMALL}limits:\n  patiense: 3\n  maxIterations: "3"\n`)).toBe(
    [
      'loops/a.loop.yaml:8:3  limits: unknown key "patiense"',
      '   8 │   patiense: 3',
      '     │   ^^^^^^^^ did you mean "patience"?',
      '',
      'loops/a.loop.yaml:9:18  limits.maxIterations must be a whole number from 1, but is "3"',
      '   9 │   maxIterations: "3"',
      '     │                  ^^^ write 3 without the quotes',
    ].join('\n'),
  );
});

test('an error without a place is its message and its hint', () => {
  expect(renderDiagnostics(new LoopgenError('x', 'it is wrong', { hint: 'mend it' }))).toBe(
    'it is wrong\n  mend it',
  );
  expect(renderDiagnostics(new LoopgenError('x', 'it is wrong'))).toBe('it is wrong');
});

test('an error of any kind with a place is drawn the same way', () => {
  const at = { file: 'a.yaml', line: 14, column: 9, source: '  uses: grokk' };
  const error = new LoopgenError('unknown-driver', 'driver.uses: "grokk" is not a driver', {
    at,
    hint: 'grok?',
  });
  expect(renderDiagnostics(error, { ascii: true })).toBe(
    'a.yaml:14:9  driver.uses: "grokk" is not a driver\n  14 |   uses: grokk\n     |         ^^^^^ grok?',
  );
});

test('tabs before the caret keep it under its column', () => {
  const at = { file: 'a.json', line: 1, column: 3, source: '\t\t"a"' };
  expect(renderDiagnostics(new LoopgenError('x', 'm', { at }))).toContain('\n     │ \t\t^^^');
});

test('a long line is cut around the caret', () => {
  const source = `${'x'.repeat(300)} here ${'y'.repeat(300)}`;
  const at = { file: 'a.yaml', line: 1, column: 302, source };
  const lines = renderDiagnostics(new LoopgenError('x', 'm', { at })).split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(120);
  expect(lines[1]?.indexOf('here')).toBe(lines[2]?.indexOf('^^^^'));
});

test('control characters of a file do not reach the terminal', () => {
  const at = { file: 'a.yaml', line: 1, column: 1, source: 'a: \u001b[31mred\u0007' };
  expect(renderDiagnostics(new LoopgenError('x', 'm', { at }))).not.toMatch(/[\u001b\u0007]/);
});

test('a great many problems are counted after the first twenty', () => {
  const keys = Array.from({ length: 30 }, (_, i) => `zz${i}: 1\n`).join('');
  expect(rendered(SMALL + keys)).toMatch(/\n\nand 10 more$/);
});
