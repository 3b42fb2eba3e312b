import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

/**
 * The absolute path of the program `name` on the PATH of `env`. A `name` with a slash is looked up as it is, from
 * `cwd`; relative entries of the PATH too. Undefined when there is none that may be executed.
 */
export function which(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string = process.cwd(),
): string | undefined {
  if (name === '') return undefined;
  if (isAbsolute(name) || name.includes('/')) return executable(resolve(cwd, name));
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    // An empty entry means the current folder.
    const found = executable(resolve(cwd, join(folder || '.', name)));
    if (found !== undefined) return found;
  }
  return undefined;
}

function executable(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() ? path : undefined;
  } catch {
    return undefined;
  }
}
