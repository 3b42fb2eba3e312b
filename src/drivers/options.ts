import { z } from 'zod';
import { nearest } from '../core/suggest.ts';

/** An object schema whose unknown keys are errors that name the nearest known key. */
export function strictOptions<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? unknownKeys(issue.keys, known) : undefined),
  });
}

function unknownKeys(keys: readonly string[], known: readonly string[]): string {
  const told = keys.map((key) => {
    const guess = nearest(key, known);
    return guess === undefined ? `"${key}"` : `"${key}" (did you mean "${guess}"?)`;
  });
  return `unknown ${keys.length === 1 ? 'option' : 'options'} ${told.join(', ')}; known: ${known.join(', ')}`;
}

/** Milliseconds: a whole number above zero that a timer can hold. */
export const milliseconds = z.int().positive().max(2_147_483_647);

/** A path, relative to the workspace. */
export const workspacePath = z.string().min(1);
