import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { exec } from '../src/system/exec.ts';
import type { Pinned } from './agent-pins.ts';

/** Where agents are installed; they are no dependencies of this package, and large. */
export function cacheFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'loopgen-agents');
}

/** The folder of the agent, installed now unless it is there already. Throws with npm's last words. */
export async function install({ folder, version, packages }: Pinned): Promise<string> {
  const dir = join(cacheFolder(), `${folder}@${version}`);
  // npm writes this file last.
  if (existsSync(join(dir, 'node_modules/.package-lock.json'))) return dir;
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { recursive: true });
  const args = ['install', '--prefix', dir, '--no-audit', '--no-fund', '--save-exact', ...packages];
  const result = await exec({ file: 'npm', args }, { cwd: dir, env: environment(), timeoutMs: 900_000 });
  if (result.ended === 'exited' && result.code === 0) return dir;
  throw new Error(`npm could not install ${packages.join(' ')}: ${result.output.text.trim().slice(-800)}`);
}

export function environment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
