import { join, relative } from 'node:path';
import type { Environment, EvaluatorContext } from '../core/plugin.ts';
import { type ExecOptions, type ExecResult, exec } from '../system/exec.ts';

/** What of a check it takes to start one of its processes. */
export type StartContext = Pick<EvaluatorContext, 'workdir' | 'enter' | 'signal' | 'logFilter'>;

/** A folder of the check. */
export interface CheckFolder {
  /** Real path of the workspace's place in the tree, as this process sees it. */
  readonly workdir: string;
  /** Real path of the folder, in it. */
  readonly path: string;
}

/** Runs a shell line in a folder of the check, inside the room. Never rejects. */
export async function startLine(
  context: StartContext,
  line: string,
  folder: CheckFolder,
  env: Environment,
  options: Omit<ExecOptions, 'cwd' | 'env' | 'signal'>,
): Promise<ExecResult> {
  // The room knows the tree by the path that it gave, which may lead there over links.
  const cwd = join(context.workdir, relative(folder.workdir, folder.path));
  const call = context.enter({ command: { shell: line }, cwd, env });
  const { signal, logFilter } = context;
  const { cwd: seen, env: inside } = call;
  const filter = logFilter && { logFilter };
  return await exec(call.command, { ...options, ...filter, signal, cwd: seen, env: inside });
}
