import { lstat, mkdir, opendir } from 'node:fs/promises';
import { LoopgenError } from '../core/error.ts';

/**
 * Makes sure that the workspace is a folder that can be looked into. One that was removed is an empty one: all of its
 * files are deleted. Throws `LoopgenError` `workspace-replaced` or `workspace-locked`.
 */
export async function requireRoot(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true }).catch(() => {
    // Something else is in its place, or above it: told below.
  });
  const stats = await lstat(dir).catch(() => undefined);
  if (!stats?.isDirectory()) {
    const what = stats?.isSymbolicLink() ? 'a link' : 'something else';
    throw new LoopgenError(
      'workspace-replaced',
      `the workspace ${dir} is no folder any more: ${what} was put in its place`,
      { hint: 'put the folder back, and tell the agent to work inside of it' },
    );
  }
  await lookInto(dir).catch(() => {
    throw new LoopgenError(
      'workspace-locked',
      `the workspace ${dir} cannot be looked into: its rights were taken away`,
      { hint: `chmod u+rwx gives them back` },
    );
  });
}

/** By trying: `access` would ask for the user who started the process, not for the one it acts as. */
async function lookInto(dir: string): Promise<void> {
  await lstat(`${dir}/.`);
  await (await opendir(dir)).close();
}
