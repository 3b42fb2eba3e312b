import { renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Room } from '../core/room.ts';
import { copyFolder, makeAbove } from './copy.ts';
import { isFolder } from './paths.ts';

/** Installs dependencies in a room. What went wrong, if anything. */
export type Install = (room: Room) => Promise<string | undefined>;

export interface Installing {
  /** Dependency folders, relative to the workspace. */
  readonly paths: readonly string[];
  /** Those that cannot be taken as they are. */
  readonly changed: readonly string[];
  /** The tree in which they lie. */
  readonly dependenciesIn: string;
  readonly install: Install;
  /** An empty folder that takes them. */
  readonly to: string;
}

/** Runs `install` in a room that has no dependencies, with copies of those that may stay, and moves all of them out. */
export async function installIn(room: Room, installing: Installing): Promise<string | undefined> {
  const { paths, changed, dependenciesIn, install, to } = installing;
  for (const path of paths.filter((one) => !changed.includes(one))) {
    const from = join(dependenciesIn, path);
    if (isFolder(from)) await copyFolder(from, join(room.workdir, path));
  }
  const failed = await install(room);
  if (failed !== undefined) return failed;
  for (const path of paths) {
    const made = join(room.workdir, path);
    if (!isFolder(made)) continue;
    makeAbove(join(to, path));
    renameSync(made, join(to, path));
  }
  return undefined;
}
