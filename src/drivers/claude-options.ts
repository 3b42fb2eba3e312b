import { z } from 'zod';
import { cliOptions } from './agent-options.ts';
import { strictOptions } from './options.ts';

const { command: _command, args: _args, ...shared } = cliOptions;

export const claudeOptions = strictOptions({
  ...shared,
  /** A model for when the first is overloaded. */
  fallbackModel: z.string().min(1).optional(),
  /** Of one turn. */
  maxBudgetUsd: z.number().positive().optional(),
  /** Nobody is asked: what the mode and `allowedTools` do not allow is denied. As root, the first needs IS_SANDBOX=1. */
  permissionMode: z
    .enum(['bypassPermissions', 'acceptEdits', 'default', 'dontAsk', 'auto', 'plan'])
    .default('bypassPermissions'),
  /** Allowed without being asked, such as `Edit` or `Bash(npm test:*)`. */
  allowedTools: z.array(z.string().min(1)).optional(),
  disallowedTools: z.array(z.string().min(1)).optional(),
  /** Whose settings, and which CLAUDE.md, are read. Default: all, as Claude Code does. */
  settingSources: z.array(z.enum(['user', 'project', 'local'])).optional(),
  additionalDirectories: z.array(z.string().min(1)).optional(),
  /** Claude Code itself. Default: the one that comes with the SDK. */
  executable: z.string().min(1).optional(),
});

export type ClaudeOptions = z.infer<typeof claudeOptions>;
