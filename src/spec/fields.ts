import { z } from 'zod';
import { nearest } from '../core/suggest.ts';

/**
 * Builders for the keys of a file. The error of each is a noun phrase that says
 * what would be right ("a whole number from 1"); a second line is a hint.
 * `shape.ts` makes sentences of them.
 */

const UNKNOWN_KEY = 'unknown key';

/** A mapping with these keys and no others. */
export function closed<Shape extends z.ZodRawShape>(shape: Shape, phrase = 'a mapping') {
  const known = Object.keys(shape);
  const unknown = z.unknown().refine(() => false, {
    error: (issue) => unknownKey(String(issue.path?.at(-1)), known),
  });
  const schema = z.object(shape, { error: phrase }).catchall(unknown);
  // Every key that is not known fails, so that none is left in the output.
  return schema as unknown as z.ZodObject<Shape, z.core.$strict>;
}

function unknownKey(key: string, known: readonly string[]): string {
  const guess = nearest(key, known);
  return `${UNKNOWN_KEY} "${key}"\n${guess ? `did you mean "${guess}"?` : `known here: ${known.join(', ')}`}`;
}

/** True for the message that `closed` gives an unknown key. */
export function isUnknownKey(message: string): boolean {
  return message.startsWith(UNKNOWN_KEY);
}

/** A mapping with these keys and any others. */
export function open<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.looseObject(shape, { error: 'a mapping' });
}

/** A free mapping: the options of a plug-in. */
export function freeMap() {
  return z.record(z.string(), z.unknown(), { error: 'a mapping' });
}

/** Text that is not blank. */
export function text(phrase = 'text that is not blank') {
  return z.string({ error: phrase }).regex(/\S/, { error: phrase });
}

/** A name: one line of text. */
export function label(phrase = 'a name, one line of text') {
  return z.string({ error: phrase }).regex(/^[^\n\r\0]*[^\s\0][^\n\r\0]*$/, { error: phrase });
}

/** A path or glob. */
export function path(phrase = 'a path') {
  return z.string({ error: phrase }).regex(/^[^\0]*[^\s\0][^\0]*$/, { error: phrase });
}

export function list<Item extends z.ZodType>(item: Item, phrase: string) {
  return z.array(item, { error: phrase });
}

/** A whole number from 1. */
export function count(phrase = 'a whole number from 1') {
  return z.int({ error: phrase }).min(1, { error: phrase });
}

/** The longest that a timer can wait, about 24.8 days. */
export const LONGEST_MS = 2 ** 31 - 1;

/** A time in milliseconds. */
export function milliseconds() {
  const phrase = `a time in milliseconds, a whole number from 1 to ${LONGEST_MS}`;
  return z.int({ error: phrase }).min(1, { error: phrase }).max(LONGEST_MS, { error: phrase });
}

/** A number above 0. */
export function amount(phrase = 'a number above 0') {
  return z.number({ error: phrase }).gt(0, { error: phrase });
}

/** One of a few words (or `true` and `false`). */
export function oneOf<const Values extends readonly (string | boolean | number)[]>(...values: Values) {
  const phrase = values.length === 1 ? `${values[0]}` : `one of ${values.join(', ')}`;
  return z.literal([...values] as [...Values], { error: (issue) => withHint(phrase, issue.input, values) });
}

/** The phrase and, where the value is near one of the right ones, a hint. */
export function withHint(
  phrase: string,
  input: unknown,
  values: readonly (string | boolean | number)[],
): string {
  const guess = guessOf(input, values);
  return guess === undefined ? phrase : `${phrase}\n${guess}`;
}

function guessOf(input: unknown, values: readonly (string | boolean | number)[]): string | undefined {
  if (typeof input === 'boolean') {
    const word = input ? 'on' : 'off';
    return values.includes(word) ? `write ${word}` : undefined;
  }
  if (typeof input !== 'string') return undefined;
  const unquoted = values.find((value) => typeof value !== 'string' && String(value) === input);
  if (unquoted !== undefined) return `write ${unquoted} without the quotes`;
  const guess = nearest(
    input,
    values.filter((value) => typeof value === 'string'),
  );
  return guess === undefined ? undefined : `did you mean "${guess}"?`;
}
