import type { Environment } from '../core/plugin.ts';
import { headAndTail } from '../core/shorten.ts';
import type { Workspace } from '../core/workspace.ts';
import { exec } from '../system/exec.ts';
import { stripAnsi } from '../system/text.ts';
import { holdsDependencies } from '../workspace/dependencies.ts';

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
export async function setUp({
  commands,
  workspace,
  env,
  signal,
  waiting,
}: Setup): Promise<readonly string[]> {
  if (workspace.mode !== 'copy' || commands.length === 0 || holdsDependencies(workspace.dir)) return [];
  return await workspace.whileChecking(async () => {
    for (const command of commands) {
      waiting(`setup: ${command}`);
      const result = await exec({ shell: command }, { cwd: workspace.dir, env, signal, timeoutMs: LIMIT_MS });
      if (result.ended === 'exited' && result.code === 0) continue;
      const how = result.ended === 'exited' ? `exit code ${result.code}` : result.ended;
      return [`setup failed (${how}): ${command}\n${headAndTail(stripAnsi(result.output.text), 2_000)}`];
    }
    return [];
  });
}
