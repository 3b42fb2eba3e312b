import { lstatSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOwnerDead, newScopePart, scopeParts } from './scope.ts';

/** Names the process that made a folder. */
const OWNER = '.loopgen-owner';
const PREFIX = 'loopgen-';

/** Makes a folder in `parent` that a later start can tell for left behind, where this process is killed. Real path. */
export function makeOwnFolder(parent: string, name = ''): string {
  const folder = realpathSync(mkdtempSync(join(parent, PREFIX + name)));
  writeFileSync(join(folder, OWNER), newScopePart());
  return folder;
}

/** Folders of `makeOwnFolder` whose owner, a process of the same user, is known to have ended. */
export function leftFolders(parents: readonly string[]): string[] {
  return [...new Set(parents)].flatMap((parent) =>
    namesIn(parent)
      .filter((name) => name.startsWith(PREFIX))
      .map((name) => join(parent, name))
      .filter((folder) => isOurs(folder) && isOwnerGone(folder)),
  );
}

function isOurs(folder: string): boolean {
  try {
    const stats = lstatSync(folder);
    return stats.isDirectory() && stats.uid === process.getuid?.();
  } catch {
    // Somebody else removed it just now.
    return false;
  }
}

function isOwnerGone(folder: string): boolean {
  try {
    const [owner] = scopeParts(readFileSync(join(folder, OWNER), 'utf8'));
    return owner !== undefined && isOwnerDead(owner);
  } catch {
    // No folder of a run.
    return false;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Not there, or not readable for us.
    return [];
  }
}
