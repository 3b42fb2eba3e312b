import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { leftFolders } from '../system/own-folder.ts';
import { removeTree } from './copy.ts';
import { isFolder, isWithin } from './paths.ts';
import type { RoomsOptions } from './places.ts';

const places = (workspaceDir: string) =>
  [tmpdir(), '/tmp', '/var/tmp', dirname(workspaceDir)].filter(isFolder);

/** A folder for rooms that lies in nobody's tree. */
export function placeFor({
  workspaceDir,
  stateDirs,
}: Pick<RoomsOptions, 'workspaceDir' | 'stateDirs'>): string {
  const outside = places(workspaceDir).find((place) =>
    [workspaceDir, ...stateDirs].every((tree) => !isWithin(realpathSync(place), tree)),
  );
  return outside ?? dirname(workspaceDir);
}

/** Removes the rooms and scratch folders of runs that were killed. Their paths. */
export function removeLeftFolders(workspaceDir: string): readonly string[] {
  const removed: string[] = [];
  for (const folder of leftFolders(places(workspaceDir))) {
    try {
      removeTree(folder);
      removed.push(folder);
    } catch {
      // Something in it belongs to somebody else: it is theirs to remove.
    }
  }
  return removed;
}
