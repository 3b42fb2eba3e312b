import { z } from 'zod';
import type { Environment } from '../core/plugin.ts';
import { PRESET_NAMES, PRESETS, type Preset, type TokenSource } from './acp-presets.ts';
import { cliOptions } from './agent-options.ts';
import type { ProgramFacts } from './agent-program.ts';
import { strictOptions } from './options.ts';
import { permission } from './permission.ts';

const { maxTurns: _, ...shared } = cliOptions;

export const acpOptions = strictOptions({
  /** An agent that is known: its command, its arguments, its keys, its way of counting. */
  preset: z
    .enum(PRESET_NAMES, { error: `must be one of ${PRESET_NAMES.join(', ')}; another agent is a command` })
    .optional(),
  /** What is answered where the agent asks. */
  permission: permission.default('allow'),
  /** A mode that the agent offers. Default: the agent's, or with a preset the one that fits `permission`. */
  mode: z.string().min(1).optional(),
  /** What `usage` in the agent's answers counts. Default: as the preset is known to; else unknown. */
  usage: z.enum(['prompt', 'process', 'unknown']).optional(),
  ...shared,
}).refine(({ preset, command }) => preset !== undefined || command !== undefined, {
  error: `needs a preset (${PRESET_NAMES.join(', ')}) or a command`,
});

export type AcpOptions = z.infer<typeof acpOptions>;

/** The preset's facts, or none. */
export function presetOf({ preset }: AcpOptions): Preset | undefined {
  return preset && PRESETS[preset];
}

/** How its program is found and got. */
export function factsOf(options: AcpOptions): ProgramFacts {
  return presetOf(options) ?? UNKNOWN;
}

const UNKNOWN: ProgramFacts = {
  program: '',
  install: 'see its documentation',
  login: async () => ({ login: 'unknown', advice: 'log in as its documentation says' }),
};

/** Arguments of the agent: the preset's, with what the options add to them. */
export function argsOf(options: AcpOptions): readonly string[] {
  const preset = presetOf(options);
  const unattended = options.permission === 'allow' ? preset?.unattended : undefined;
  const parts = [preset?.args, unattended, modelParts(options)?.args, options.args, preset?.lastArgs];
  return parts.flatMap((args) => args ?? []);
}

export function environmentOf(options: AcpOptions, env: Environment): Environment {
  const preset = presetOf(options);
  const asking = options.permission === 'allow' ? undefined : preset?.askingEnv;
  return { ...env, ...preset?.env, ...asking, ...modelParts(options)?.env, ...options.env };
}

/** How the preset's agent takes its model, where that is not by the protocol. */
function modelParts(options: AcpOptions): Pick<Partial<Preset>, 'args' | 'env'> | undefined {
  return options.model === undefined ? undefined : presetOf(options)?.model?.(options.model);
}

/** The mode to ask for by the protocol. */
export function modeOf(options: AcpOptions): string | undefined {
  return options.mode ?? presetOf(options)?.mode?.(options.permission);
}

/** The model to ask for by the protocol. */
export function modelOf(options: AcpOptions): string | undefined {
  return presetOf(options)?.model ? undefined : options.model;
}

export function tokenSourceOf(options: AcpOptions): TokenSource | undefined {
  if (options.usage === undefined) return presetOf(options)?.tokens;
  if (options.usage === 'unknown') return undefined;
  // The draft of the protocol adds up input, output and cache to a total.
  return { at: ['usage'], counts: options.usage, cached: 'apart' };
}
