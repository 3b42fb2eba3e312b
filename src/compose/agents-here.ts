import { messageOf } from '../core/error.ts';
import type { AgentDriver, Installation, Machine } from '../core/plugin.ts';
import type { Registry } from '../core/registry.ts';
import { allowedEnvironment } from '../system/environment.ts';

/** An agent of this machine, by the driver that leads it. */
export interface AgentHere extends Installation {
  readonly driver: string;
}

/** Longest time for a program to tell its version: a person waits. */
const VERSION_MS = 2_000;

/** A place on this machine, and, for slow ones, another limit than two seconds. */
export type PlaceHere = Pick<Machine, 'workdir' | 'signal'> & Partial<Pick<Machine, 'timeoutMs'>>;

export function thisMachine(env: Readonly<Record<string, string | undefined>>, place: PlaceHere): Machine {
  return {
    timeoutMs: VERSION_MS,
    ...place,
    environment: (names = []) => allowedEnvironment(env, names),
  };
}

/** What is there of the agents that these drivers lead; nothing of a driver that needs none. Never rejects. */
export async function agentsHere(
  drivers: Registry<AgentDriver>,
  machine: Machine,
): Promise<readonly AgentHere[]> {
  const found = await Promise.all(
    drivers.list().map(async ({ name }) => {
      const installations = await installationsOf(drivers, name, machine);
      return installations.map((installation) => ({ driver: name, ...installation }));
    }),
  );
  return found.flat();
}

/** How it stands with an agent, beside its version: what is missing, the log-in, what is to be done. */
export function standingOf({ problem, login, advice }: Installation): string {
  return problem ?? [...(login === 'yes' ? ['logged in'] : []), ...advice].join('; ');
}

async function installationsOf(
  drivers: Registry<AgentDriver>,
  name: string,
  machine: Machine,
): Promise<readonly Installation[]> {
  try {
    return (await (await drivers.get(name)).inspect?.(machine)) ?? [];
  } catch (error) {
    return [{ login: 'unknown', problem: messageOf(error), advice: [] }];
  }
}
