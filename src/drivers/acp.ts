import type { AgentDriver, Installation, Machine } from '../core/plugin.ts';
import { type AcpOptions, acpOptions, presetOf } from './acp-options.ts';
import { PRESETS } from './acp-presets.ts';
import { AcpRun } from './acp-run.ts';
import { inspect } from './agent-program.ts';

/** Any agent that speaks the Agent Client Protocol: one process over all turns of a run. */
export const acpDriver: AgentDriver<AcpOptions> = {
  name: 'acp',
  description: 'any agent that speaks the Agent Client Protocol',
  kind: 'agent',
  env: (options) => presetOf(options)?.keys ?? [],
  options: acpOptions,
  inspect: presetsHere,
  open: () => new AcpRun(),
  preflight: (context) => alone((run) => run.preflight(context)),
  run: (turn) => alone((run) => run.run(turn)),
};

function presetsHere(machine: Machine): Promise<readonly Installation[]> {
  const presets = Object.entries(PRESETS);
  return Promise.all(presets.map(async ([agent, facts]) => ({ agent, ...(await inspect(facts, machine)) })));
}

/** One use, after which the agent is ended. */
async function alone<T>(use: (run: AcpRun) => Promise<T>): Promise<T> {
  const run = new AcpRun();
  try {
    return await use(run);
  } finally {
    await run.close();
  }
}
