import { which } from './which.ts';

/** Fixed places first: the PATH may name folders that an agent can write to. */
const SHELLS: readonly (readonly [string, ...string[]])[] = [
  ['/bin/bash', '-o', 'pipefail', '-c'],
  ['/usr/bin/bash', '-o', 'pipefail', '-c'],
  ['bash', '-o', 'pipefail', '-c'],
];

/** The program and the arguments that run a line: `bash -o pipefail -c`, or `sh -c` where there is no bash. */
export function shellCommand(
  line: string,
  env: Readonly<Record<string, string>>,
): { readonly file: string; readonly args: readonly string[] } {
  const [file, ...args] = SHELLS.find(([name]) => which(name, env) !== undefined) ?? ['/bin/sh', '-c'];
  return { file, args: [...args, line] };
}
