import { type AgentHere, agentsHere, standingOf, thisMachine } from '../../compose/agents-here.ts';
import type { AgentDriver } from '../../core/plugin.ts';
import type { Registry } from '../../core/registry.ts';
import type { Context } from '../context.ts';
import type { Listed } from '../render-list.ts';

/** A driver with what is there of its agents. */
interface ListedDriver extends Listed {
  readonly agents: readonly Omit<AgentHere, 'driver'>[];
}

/** The drivers with their agents' versions and log-ins, in place of what PATH alone tells. */
export async function withAgents(
  listed: readonly Listed[],
  drivers: Registry<AgentDriver>,
  { env, cwd, signal }: Context,
): Promise<readonly ListedDriver[]> {
  const found = await agentsHere(drivers, thisMachine(env, { workdir: cwd, signal }));
  return listed.map((driver) => {
    const agents = found.flatMap(({ driver: name, ...agent }) => (name === driver.name ? [agent] : []));
    // Of a driver for many agents, those that are not here say nothing about it.
    const own = agents.filter(({ agent, program }) => agent === undefined || program !== undefined);
    if (own.length === 0) return { ...driver, agents };
    const usable = own.filter(({ problem }) => problem === undefined);
    return {
      ...driver,
      available: usable.length > 0,
      doubtful: usable.length > 0 && usable.every(({ advice }) => advice.length > 0),
      notes: own.map(noteOn),
      agents,
    };
  });
}

function noteOn(found: Omit<AgentHere, 'driver'>): string {
  const { agent, version } = found;
  const standing = [version, standingOf(found)].filter(Boolean).join(', ');
  return agent === undefined ? standing : `${agent}${version === undefined ? ':' : ''} ${standing}`;
}
