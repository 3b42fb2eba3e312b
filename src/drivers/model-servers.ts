import { dirname } from 'node:path';
import type { Installation, Machine } from '../core/plugin.ts';
import { versionOf } from '../system/version-of.ts';
import { which } from '../system/which.ts';

/** Programs that serve models, told by PATH alone: some take long to start. `get`: where to get one. */
export function serversOnPath(
  names: readonly string[],
  get: string,
  { environment, workdir }: Machine,
): readonly Installation[] {
  const found = names.flatMap((agent): Installation[] => {
    const program = which(agent, environment(), workdir);
    return program === undefined ? [] : [{ agent, program, login: 'not-needed', advice: [] }];
  });
  return found.length > 0 ? found : [noneOnPath(names, get)];
}

/** The same for one that is quick to tell its version. */
export async function serverOnPath(name: string, get: string, machine: Machine): Promise<Installation> {
  const env = machine.environment();
  const program = which(name, env, machine.workdir);
  if (program === undefined) return noneOnPath([name], get);
  const { signal, timeoutMs } = machine;
  const asked = { cwd: dirname(program), env, signal, timeoutMs };
  const { version } = await versionOf({ file: program, args: ['--version'] }, asked);
  return { program, ...(version !== undefined && { version }), login: 'not-needed', advice: [] };
}

/** A server in a container or on another machine leaves no trace here: only a preflight would tell. */
const noneOnPath = (names: readonly string[], get: string): Installation => ({
  login: 'not-needed',
  advice: [`no ${names.join(', ')} on PATH: get ${get}; a server in a container or elsewhere will do`],
});
