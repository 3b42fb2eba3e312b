import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

/** The version of the npm package that a program is of, read and not asked; undefined where it is of none. */
export function packageVersion(program: string): string | undefined {
  try {
    const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/@.][^/]*(?=\/)/.exec(realpathSync(program))?.[0];
    if (folder === undefined) return undefined;
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const version =
      typeof manifest === 'object' && manifest !== null && 'version' in manifest
        ? manifest.version
        : undefined;
    return typeof version === 'string' ? version : undefined;
  } catch {
    // Not there, or not to be read: the program is asked.
    return undefined;
  }
}
