import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Room } from '../core/room.ts';
import { linkDependencies } from './dependencies.ts';
import { inside } from './homes.ts';
import { isFolder, isWithin, lookAt, moved } from './paths.ts';
import type { Common, Places } from './places.ts';

/** A room at a path of its own, with nothing between it and the system. */
export async function folder(common: Common, places: Places): Promise<Omit<Room, 'close'>> {
  const { workspaceDir, top, deps, git, tools } = common;
  const { dir, tree, home } = places;
  const root = tree.slice(0, tree.length - relative(top, workspaceDir).length).replace(/\/$/, '');
  const tmp = join(dir, 'tmp');
  mkdirSync(tmp, { recursive: true, mode: 0o700 });
  linkNeighbours(common, root);
  if (git) {
    const dotGit = join(root, '.git');
    await git.write(dotGit, git.objects);
    for (const { name, place } of git.elsewhere()) symlinkSync(place, join(dotGit, name));
  }
  const rename = (path: string) => moved(path, workspaceDir, tree) ?? path;
  return {
    kind: 'folder',
    workdir: tree,
    seenAt: tree,
    enter({ command, cwd, env }) {
      linkDependencies(deps.installed, workspaceDir, tree);
      return {
        command: 'shell' in command ? command : { ...command, file: rename(command.file) },
        cwd,
        env: inside(env, { home, tmp, tools, moved: { from: workspaceDir, to: tree } }),
      };
    },
  };
}

/** Links to what lies beside the workspace in its repository, at the same places. */
function linkNeighbours({ top, workspaceDir, stateDirs }: Common, root: string): void {
  let [from, to] = [top, root];
  for (const name of relative(top, workspaceDir).split('/').filter(Boolean)) {
    for (const other of readdirSync(from)) {
      const place = join(from, other);
      const isOwnState = stateDirs.some((state) => isWithin(state, place));
      if (other === name || other === '.git' || isOwnState || lookAt(join(to, other))) continue;
      symlinkSync(place, join(to, other), isFolder(place) ? 'dir' : 'file');
    }
    [from, to] = [join(from, name), join(to, name)];
  }
}
