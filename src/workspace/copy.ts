import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, sep } from 'node:path';
import { LoopgenError } from '../core/error.ts';
import { exec } from '../system/exec.ts';
import { commonDirOf, gitDirOf } from './git-state.ts';

export interface CopyOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

/**
 * Copies a tree by the system's `cp`, dependencies and `.git` with it; links stay links. Where `.git` is a file
 * (a worktree, a submodule), the copy gets a git directory of its own, so that a commit in it moves nothing of the
 * original's. `to` must not exist or be empty. Throws `LoopgenError` `copy-failed`.
 */
export async function copyTree(from: string, to: string, options: CopyOptions): Promise<void> {
  if (to === from || `${to}${sep}`.startsWith(`${from}${sep}`)) {
    throw failed(from, `the copy would lie inside it, at ${to}`, 'choose another folder with --state-dir');
  }
  mkdirSync(to, { recursive: true });
  if (readdirSync(to).length > 0) throw failed(from, `${to} is not empty`);
  await copyInto(from, to, options);
  const gitDir = gitDirOf(from);
  if (gitDir !== undefined && existsSync(gitDir)) await giveOwnGitDir(gitDir, to, options);
}

async function copyInto(from: string, to: string, { env, signal }: CopyOptions): Promise<void> {
  const flags = process.platform === 'darwin' ? ['-c', '-R', '-p'] : ['-a', '--reflink=auto'];
  const result = await exec(
    { file: 'cp', args: [...flags, '--', `${from}/.`, to] },
    { cwd: to, env: { PATH: env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C.UTF-8' }, ...(signal && { signal }) },
  );
  if (result.ended === 'exited' && result.code === 0) return;
  const why = result.ended === 'not-started' ? result.message : result.output.text.trim() || result.ended;
  throw failed(from, why);
}

async function giveOwnGitDir(gitDir: string, to: string, options: CopyOptions): Promise<void> {
  const own = join(to, '.git');
  const common = commonDirOf(gitDir);
  rmSync(own);
  mkdirSync(own);
  await copyInto(common, own, options);
  rmSync(join(own, 'worktrees'), { recursive: true, force: true });
  if (common !== gitDir) {
    for (const name of ['HEAD', 'index', 'config.worktree', 'ORIG_HEAD']) {
      rmSync(join(own, name), { force: true });
      if (existsSync(join(gitDir, name))) copyFileSync(join(gitDir, name), join(own, name));
    }
  }
  // A submodule's says where its files lie, which is not here.
  await exec(
    { file: 'git', args: ['config', '--file', join(own, 'config'), '--unset-all', 'core.worktree'] },
    // Elsewhere, since git would look for the very place first.
    { cwd: '/', env: { PATH: options.env['PATH'] ?? '/usr/bin:/bin', HOME: own, GIT_CONFIG_NOSYSTEM: '1' } },
  );
}

function failed(from: string, why: string, hint?: string): LoopgenError {
  return new LoopgenError(
    'copy-failed',
    `${from} cannot be copied: ${why}`,
    hint === undefined ? {} : { hint },
  );
}
