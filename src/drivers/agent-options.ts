import { z } from 'zod';
import { milliseconds } from './options.ts';

/** Options that every agent CLI has. */
export const cliOptions = {
  /** The agent's own name of the model. Default: what the agent is configured for. */
  model: z.string().min(1).optional(),
  /** Calls of the model in one turn. */
  maxTurns: z.int().positive().optional(),
  /** Variables beside the allow-list. */
  env: z.record(z.string(), z.string()).default({}),
  /** What to start in place of the program on PATH: its name or path, or a list with arguments that come first. No shell. */
  command: z
    .union([z.string().trim().min(1), z.array(z.string()).min(1)], {
      error: 'must be the name or path of a program, or a list of it and its first arguments',
    })
    .optional(),
  /** Further arguments, after the driver's own. */
  args: z.array(z.string()).default([]),
  /** One turn. Default: no limit of its own. */
  timeoutMs: milliseconds.optional(),
  /** Silence. Default: `limits.idleTimeoutMs`. */
  idleTimeoutMs: milliseconds.optional(),
  /** Longest wait for a usage limit in one turn; 0 does not wait. */
  maxWaitMs: z.int().nonnegative().max(2_147_483_647).default(600_000),
};

export type CliOptions = z.infer<z.ZodObject<typeof cliOptions>>;
