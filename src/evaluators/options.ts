import { z } from 'zod';
import { nearest } from '../core/suggest.ts';

/** An object of options in which an unknown key is an error that names the nearest known one. */
export function strictOptions<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined;
      const keys = issue.keys as readonly string[];
      return keys.map((key) => unknownOption(key, Object.keys(shape))).join('; ');
    },
  });
}

function unknownOption(key: string, known: readonly string[]): string {
  const guess = nearest(key, known);
  return `"${key}" is not an option${guess === undefined ? ` (known: ${known.join(', ')})` : `, did you mean "${guess}"?`}`;
}

/** Options that every evaluator which runs a command has. */
export const commandShape = {
  cwd: z.string().min(1).default('.').describe('folder of the command, inside the workspace'),
  env: z
    .record(z.string(), z.string())
    .default({})
    .describe('variables for the command, over the usual ones'),
  feedbackChars: z.int().positive().default(3000).describe('how much of the output the agent is shown'),
};
