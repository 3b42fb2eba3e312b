import type { AgentDriver, PreflightContext } from '../core/plugin.ts';
import type { AgentCli } from './agent-cli.ts';
import type { CliOptions } from './agent-options.ts';
import { inspect } from './agent-program.ts';
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
    inspect: (context) => inspect(cli, context),
    preflight: async (context) => await missing(cli, context),
    run: async (turn) =>
      turn.signal.aborted ? abortedResult(turn.signal) : await new CliTurn(cli, turn).run(),
  };
}

async function missing<Options extends CliOptions>(
  cli: AgentCli<Options>,
  context: PreflightContext<Options>,
): Promise<readonly string[]> {
  const { problem, login, advice } = await inspect(cli, context);
  if (problem !== undefined) return [problem];
  if (login === 'no') return advice;
  if (login === 'unknown') for (const message of advice) context.warn?.(message);
  return (await cli.missing?.({ ...context, env: { ...context.env, ...context.options.env } })) ?? [];
}
