import type { AgentDriver, PreflightContext } from '../core/plugin.ts';
import type { AgentCli } from './agent-cli.ts';
import type { CliOptions } from './agent-options.ts';
import { examine, inspect } from './agent-program.ts';
import { CliTurn } from './agent-turn.ts';
import { abortedResult } from './turn.ts';

/** The driver of an agent CLI. */
export function agentDriver<Options extends CliOptions>(cli: AgentCli<Options>): AgentDriver<Options> {
  return {
    name: cli.name,
    description: cli.description,
    kind: 'agent',
    env: cli.keys,
    options: cli.options,
    ...(cli.reportsUsage !== undefined && { reportsUsage: cli.reportsUsage }),
    inspect: async (machine) => [await inspect(cli, machine)],
    preflight: async (context) => await missing(cli, context),
    run: async (turn) =>
      turn.signal.aborted ? abortedResult(turn.signal) : await new CliTurn(cli, turn).run(),
  };
}

async function missing<Options extends CliOptions>(
  cli: AgentCli<Options>,
  context: PreflightContext<Options>,
): Promise<readonly string[]> {
  const found = await examine(cli, context);
  if ('problem' in found) return [found.problem];
  if (found.login === 'no') return [found.advice];
  if (found.login === 'unknown') context.warn?.(found.advice);
  return (await cli.missing?.({ ...context, env: { ...context.env, ...context.options.env } })) ?? [];
}
