import { expect, test } from 'vitest';
import { nearest } from '../../src/core/suggest.ts';

const DRIVERS = ['acp', 'command', 'grok', 'mock', 'none', 'ollama', 'replay'];

test.each([
  ['mcok', 'mock'],
  ['mokc', 'mock'],
  ['Mock', 'mock'],
  ['gork', 'grok'],
  ['comand', 'command'],
  ['olama', 'ollama'],
  ['something', undefined],
])('the known word nearest to %s is %s', (word, known) => {
  expect(nearest(word, DRIVERS)).toBe(known);
});
