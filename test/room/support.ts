import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Command, Room } from '../../src/core/room.ts';
import type { Workspace } from '../../src/core/workspace.ts';
import { openRooms, type Rooms, type RoomsOptions } from '../../src/room/rooms.ts';
import { allowedEnvironment } from '../../src/system/environment.ts';
import { type ExecResult, exec } from '../../src/system/exec.ts';
import { findSandbox } from '../../src/system/sandbox.ts';
import { dependencyFolders } from '../../src/workspace/dependencies.ts';
import { openWorkspace } from '../../src/workspace/open.ts';
import { tempDir } from '../support/temp-dir.ts';
import { put } from '../workspace/support.ts';

/** There, and not refused by the system. */
export const hasBwrap = (await findSandbox(process.env)).ok;

export interface Site extends AsyncDisposable {
  readonly root: string;
  readonly dir: string;
  readonly scratch: string;
  /** Opened by the first `start`. */
  start(options?: Partial<RoomsOptions>): Promise<Started>;
}

export interface Started {
  readonly workspace: Workspace;
  readonly rooms: Rooms;
  room(kind: Room['kind']): Promise<Room>;
}

/** A folder for a project, made by hand before `start`. `sub`: where the workspace is in it. */
export async function site(files: Readonly<Record<string, string>> = {}, sub = 'project'): Promise<Site> {
  const temp = await tempDir();
  const dir = join(temp.path, sub);
  const scratch = join(temp.path, 'scratch');
  for (const folder of [dir, scratch]) mkdirSync(folder, { recursive: true });
  for (const [path, content] of Object.entries(files)) put(dir, path, content);
  const open: { close(): Promise<void> }[] = [];
  return {
    root: temp.path,
    dir,
    scratch,
    async start(options = {}) {
      const stateDir = join(temp.path, 'state');
      const workspace = await openWorkspace({
        dir,
        mode: 'in-place',
        userState: join(temp.path, 'user-state'),
        storeDir: join(stateDir, 'store'),
        runId: 'run',
      });
      const rooms = await openRooms({
        workspaceDir: workspace.dir,
        scratch,
        stateDirs: [stateDir],
        dependencies: dependencyFolders(workspace.dir),
        network: true,
        env: process.env,
        ...options,
      });
      open.push(rooms, workspace);
      return {
        workspace,
        rooms,
        async room(kind) {
          const at = await workspace.snapshot();
          return await rooms.make(kind, (tree) => workspace.materialise(tree, at, () => true));
        },
      };
    },
    async [Symbol.asyncDispose]() {
      for (const one of open) await one.close();
      await temp[Symbol.asyncDispose]();
    },
  };
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Relative to the workspace. */
  readonly cwd?: string;
  readonly timeoutMs?: number;
}

/** Runs a line in a room, as a check does. */
export async function runIn(
  room: Room,
  command: string | Command,
  options: RunOptions = {},
): Promise<ExecResult> {
  const call = room.enter({
    command: typeof command === 'string' ? { shell: command } : command,
    cwd: join(room.workdir, options.cwd ?? ''),
    env: { ...allowedEnvironment(process.env, []), ...options.env },
  });
  return await exec(call.command, {
    cwd: call.cwd,
    env: call.env,
    ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
  });
}

/** `exit 0: output`, for one comparison that shows all when it fails. */
export async function said(room: Room, command: string | Command, options: RunOptions = {}): Promise<string> {
  const result = await runIn(room, command, options);
  const how = result.ended === 'exited' ? `exit ${result.code}` : result.ended;
  return `${how}: ${result.output.text.trim()}`;
}

/** Makes a folder with every program of the PATH but some, and returns a PATH of it alone. */
export function pathWithout(folder: string, ...names: readonly string[]): string {
  mkdirSync(folder, { recursive: true });
  for (const place of (process.env['PATH'] ?? '').split(delimiter))
    for (const name of existsSync(place) ? readdirSync(place) : [])
      if (!names.includes(name) && !existsSync(join(folder, name)))
        symlinkSync(join(place, name), join(folder, name));
  return folder;
}
