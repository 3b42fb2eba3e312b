import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Room } from '../core/room.ts';
import { linkDependencies, linkPackages } from './dependencies.ts';
import { inside } from './homes.ts';
import { isFolder, isWithin, lookAt, moved } from './paths.ts';
import type { Common, Places } from './places.ts';

/** A room at a path of its own, with nothing between it and the system. */
export async function folder(common: Common, places: Places): Promise<Omit<Room, 'close'>> {
  const { workspaceDir, top, deps, git, tools } = common;
  const { dir, tree, home, dependenciesIn } = places;
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
      // What was installed meanwhile is there too.
      linkHoisted(common, places, root);
      linkDependencies(deps.installed, dependenciesIn, { workspaceDir, tree });
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
  for (const { from, to, name } of foldersDown(top, root, workspaceDir)) {
    for (const other of readdirSync(from).filter((one) => one !== name && !APART.has(one))) {
      const place = join(from, other);
      const isOwnState = stateDirs.some((state) => isWithin(state, place));
      if (isOwnState || lookAt(join(to, other))) continue;
      symlinkSync(place, join(to, other), isFolder(place) ? 'dir' : 'file');
    }
  }
}

/** Made in another way: the repository's state, and packages. */
const APART: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** Packages above the workspace, among which can be the workspace itself. */
function linkHoisted({ top, workspaceDir }: Common, { tree }: Places, root: string): void {
  for (const { from, to } of foldersDown(top, root, workspaceDir)) {
    const packages = join(from, 'node_modules');
    if (isFolder(packages)) linkPackages(packages, join(to, 'node_modules'), { workspaceDir, tree });
  }
}

/** Each folder from the repository's down to the one above the workspace: there, in the room, and what follows. */
function foldersDown(top: string, root: string, workspaceDir: string) {
  const names = relative(top, workspaceDir).split('/').filter(Boolean);
  return names.map((name, depth) => {
    const above = names.slice(0, depth);
    return { from: join(top, ...above), to: join(root, ...above), name };
  });
}
