import { expect, test } from 'vitest';
import { redactingDeeply } from '../../src/compose/redaction.ts';

const redact = redactingDeeply((text) => text.replaceAll('secret', '***'));

test('every text inside plain data is redacted, whatever it is in', () => {
  expect(
    redact({ a: 'my secret', b: ['secret', { c: 'x secret' }], n: 1, t: true, u: undefined, z: null }),
  ).toEqual({
    a: 'my ***',
    b: ['***', { c: 'x ***' }],
    n: 1,
    t: true,
    u: undefined,
    z: null,
  });
  expect(redact('secret')).toBe('***');
});

test('the given value stays as it is', () => {
  const given = { a: ['secret'] };
  redact(given);
  expect(given).toEqual({ a: ['secret'] });
});

test('what is no plain data is handed on', () => {
  const date = new Date(0);
  expect(redact({ date }).date).toBe(date);
});
