import type { Environment } from '../core/plugin.ts';
import type { Room } from '../core/room.ts';
import { headAndTail } from '../core/shorten.ts';
import type { Workspace } from '../core/workspace.ts';
import { exec } from '../system/exec.ts';
import { stripAnsi } from '../system/text.ts';
import { holdsDependencies } from '../workspace/dependencies.ts';
import { workspaceAsRoom } from './evaluate.ts';

export interface Setup {
  /** `setup` of the spec. */
  readonly commands: readonly string[];
  readonly workspace: Workspace;
  readonly env: Environment;
  readonly signal: AbortSignal;
  readonly waiting: (what: string) => void;
}

/** One command of `setup`. Installing the dependencies of a large project takes its time. */
const LIMIT_MS = 30 * 60_000;

/** Runs `setup` once in a fresh copy that lacks its dependencies. What is wrong, if anything. */
export async function setUp(setup: Setup): Promise<readonly string[]> {
  const { commands, workspace } = setup;
  if (workspace.mode !== 'copy' || commands.length === 0 || holdsDependencies(workspace.dir)) return [];
  const failed = await workspace.whileChecking(() => runSetup(setup, workspaceAsRoom(workspace.dir)));
  return failed === undefined ? [] : [failed];
}

/** Runs `setup` in a room. What went wrong, if anything. */
export async function runSetup(
  { commands, env, signal, waiting }: Omit<Setup, 'workspace'>,
  room: Room,
): Promise<string | undefined> {
  for (const command of commands) {
    waiting(room.kind === 'workspace' ? `setup: ${command}` : `setup in a fresh room: ${command}`);
    const call = room.enter({ command: { shell: command }, cwd: room.workdir, env });
    const result = await exec(call.command, { cwd: call.cwd, env: call.env, signal, timeoutMs: LIMIT_MS });
    if (result.ended === 'exited' && result.code === 0) continue;
    const how = result.ended === 'exited' ? `exit code ${result.code}` : result.ended;
    return `setup failed (${how}): ${command}\n${headAndTail(stripAnsi(result.output.text), 2_000)}`;
  }
  return undefined;
}
