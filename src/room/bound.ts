import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import type { Call, Room } from '../core/room.ts';
import { type Mount, sandboxArguments, temporaryFolders } from '../system/sandbox.ts';
import { secretPlaces } from '../system/secret-places.ts';
import { shellCommand } from '../system/shell.ts';
import { which } from '../system/which.ts';
import { boundDependencies, linkedCaches } from './dependencies.ts';
import { inside } from './homes.ts';
import { ensureFolder, isFolder, isWithin, moved } from './paths.ts';
import type { Common, Places } from './places.ts';

/** A room that processes see at the workspace's own path, the rest of the system read-only around it. */
export async function bound(common: Common, places: Places, program: string): Promise<Omit<Room, 'close'>> {
  const { workspaceDir, network, tools } = common;
  const fixed = [...around(common), ...own(common, places), ...(await gitMounts(common, places))];
  return {
    kind: 'bound',
    workdir: places.tree,
    seenAt: workspaceDir,
    enter(call) {
      const env = inside(call.env, { home: places.home, tools });
      const { file, args } = 'shell' in call.command ? shellCommand(call.command.shell, env) : call.command;
      const at = moved(call.cwd, places.tree, workspaceDir) ?? call.cwd;
      // Left to fail by itself, so that the reason is told as everywhere.
      if (!isThere(file, { ...call, env }, at, common, places)) return { ...call, env };
      const deps = boundDependencies(common.deps.installed, { ...common, ...places });
      const own = linkedCaches(common.linked, { ...common, ...places });
      const mounts = [...fixed, ...secrets(common), ...deps, ...own];
      const walls = sandboxArguments({ mounts, network });
      const command = { file: program, args: [...walls, '--chdir', at, '--', file, ...args] };
      return { command, cwd: call.cwd, env };
    },
  };
}

/** Empty where anybody may write; what is needed from there is seen nevertheless. */
function around(common: Common): Mount[] {
  const { base, top, workspaceDir, linked, namedPlaces, visible = [] } = common;
  const emptied = [...new Set([...temporaryFolders(), base])];
  // Loopgen's own reporters run inside too.
  const reporters = join(import.meta.dirname, '..');
  const targets = [...linked.map(({ target }) => target), ...namedPlaces.map(({ place }) => place)];
  const needed = [top, ...toolFolders(common), reporters, ...targets, ...visible].flatMap(
    (place) => real(place) ?? [],
  );
  const hidden = needed.filter(
    (place) => emptied.some((folder) => isWithin(place, folder)) && !isWithin(place, workspaceDir),
  );
  return [
    ...emptied.map((at): Mount => ({ at, kind: 'empty' })),
    ...[...new Set(hidden)].map((at): Mount => ({ at, kind: 'read-only', from: at })),
  ];
}

/** Where programs of the PATH and installed tools lie: with what stands beside a `bin`. */
function toolFolders({ env, tools }: Common): string[] {
  const onPath = (env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  const folders = [...onPath, ...Object.values(tools), env['VIRTUAL_ENV'] ?? ''].filter(isAbsolute);
  const shared = new Set([...temporaryFolders(), '/']);
  return folders.map((place) =>
    /^\.?s?bin$/.test(basename(place)) && !shared.has(dirname(place)) ? dirname(place) : place,
  );
}

function own({ workspaceDir, scratch }: Common, { tree, home }: Places): Mount[] {
  return [
    { at: workspaceDir, kind: 'writable', from: tree },
    ...[home, real(scratch) ?? scratch].map((at): Mount => ({ at, kind: 'writable', from: at })),
  ];
}

/** What may not be read. In the workspace the room stands, which holds no such thing. */
function secrets({ homes, stateDirs, workspaceDir }: Common): Mount[] {
  return secretPlaces(homes, stateDirs).filter(({ at }) => !isWithin(at, workspaceDir));
}

/** The repository as it was at the start, at its own place. */
async function gitMounts({ git, workspaceDir }: Common, { dir, tree }: Places): Promise<Mount[]> {
  if (!git) return [];
  const objects = join(dir, 'objects');
  const isOwn = git.root === workspaceDir;
  const copy = isOwn ? join(tree, '.git') : join(dir, 'git');
  await git.write(copy, objects);
  const at = join(git.root, '.git');
  const mounts: Mount[] = [{ at: objects, kind: 'read-only', from: git.objects }];
  for (const { name, place } of git.elsewhere()) {
    const target = isOwn || isFolder(at) ? join(at, name) : join(copy, name);
    if (ensureFolder(join(copy, name))) mounts.push({ at: target, kind: 'read-only', from: place });
  }
  if (isOwn) return mounts;
  if (isFolder(at)) return [...mounts, { at, kind: 'writable', from: copy }];
  // In place of a file that names a git directory stands one that names the copy.
  const file = join(dir, 'dot-git');
  mkdirSync(dir, { recursive: true });
  writeFileSync(file, `gitdir: ${copy}\n`);
  return [...mounts, { at: copy, kind: 'writable', from: copy }, { at, kind: 'read-only', from: file }];
}

/** Whether a program can be found, in the room or (dependencies) where the workspace is. */
function isThere(file: string, { cwd, env }: Call, at: string, common: Common, places: Places): boolean {
  const { workspaceDir } = common;
  const { tree, dependenciesIn } = places;
  const named = [tree, dependenciesIn].flatMap((root) => moved(file, workspaceDir, root) ?? []);
  const folders = [cwd, at, moved(at, workspaceDir, dependenciesIn) ?? at];
  return folders.some((folder) => which(file, env, folder) !== undefined) || named.some(existsSync);
}

function real(place: string): string | undefined {
  try {
    return realpathSync(place);
  } catch {
    return undefined;
  }
}
