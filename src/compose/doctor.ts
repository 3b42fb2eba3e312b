import type { AgentDriver } from '../core/plugin.ts';
import type { Registry } from '../core/registry.ts';
import { findSandbox } from '../system/sandbox.ts';
import { version } from '../version.ts';
import { type AgentHere, agentsHere, type PlaceHere, standingOf, thisMachine } from './agents-here.ts';
import type { Finding } from './finding.ts';
import { leftoversHere, placesHere } from './places-here.ts';
import { checkersHere, gitHere } from './tools-here.ts';

export interface Diagnosis {
  readonly version: string;
  /** True where nothing is missing that every run needs. */
  readonly ok: boolean;
  readonly findings: readonly Finding[];
}

/** What this machine has of all that runs may need. All at once, each bounded; nothing asks the network. Never rejects. */
export async function diagnose(
  drivers: Registry<AgentDriver>,
  env: Readonly<Record<string, string | undefined>>,
  place: PlaceHere,
): Promise<Diagnosis> {
  const machine = thisMachine(env, place);
  const places = { env, workdir: place.workdir, timeoutMs: machine.timeoutMs };
  const found = await Promise.all([
    nodeHere(),
    gitHere(machine),
    placesHere(places),
    leftoversHere(places),
    bubblewrapHere(env, machine.timeoutMs),
    checkersHere(machine),
    agentsHere(drivers, machine).then(agentFindings),
  ]);
  const findings = found.flat();
  return { version, ok: findings.every(({ status }) => status !== 'needed'), findings };
}

function nodeHere(): Finding {
  const [about, name, status] = ['loopgen', 'node', 'ok'] as const;
  return { about, name, status, version: process.versions.node, program: process.execPath, says: '' };
}

async function bubblewrapHere(
  env: Readonly<Record<string, string | undefined>>,
  timeoutMs: number,
): Promise<Finding> {
  const [about, name] = ['rooms', 'bubblewrap'] as const;
  const found = await findSandbox(env, { timeoutMs });
  if (found.ok) {
    const { program, version } = found;
    return { about, name, status: 'ok', version, program, says: 'checks can be walled in' };
  }
  const says = `${found.because}: checks run in folders`;
  return found.installed
    ? { about, name, status: 'advice', says }
    : { about, name, status: 'absent', says: `${says} (apt-get install bubblewrap)` };
}

/** Of the agents that one driver knows many of, those that are there. */
function agentFindings(agents: readonly AgentHere[]): readonly Finding[] {
  return agents
    .filter(({ agent, program }) => agent === undefined || program !== undefined)
    .map((found) => {
      const { driver, agent, program, version, problem, advice } = found;
      return {
        about: 'agents',
        name: agent === undefined ? driver : `${driver}:${agent}`,
        status: problem === undefined ? (advice.length > 0 ? 'advice' : 'ok') : 'absent',
        ...(version !== undefined && { version }),
        ...(program !== undefined && { program }),
        says: standingOf(found),
      };
    });
}
