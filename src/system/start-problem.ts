import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

/** Why a process did not start. */
export interface StartProblem {
  readonly ended: 'not-started';
  readonly code: 'not-found' | 'not-executable' | 'bad-cwd' | 'other';
  readonly message: string;
}

/** What is wrong with a working folder, if anything. The system reports it as if the program were missing. */
export function cwdProblem(cwd: string): StartProblem | undefined {
  const because = folderProblem(cwd);
  return because === undefined ? undefined : problem('bad-cwd', `the working folder ${cwd} ${because}`);
}

function folderProblem(folder: string): string | undefined {
  try {
    if (!statSync(folder).isDirectory()) return 'is not a folder';
    accessSync(folder, constants.X_OK);
    return undefined;
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? 'does not exist' : `may not be entered (${codeOf(error)})`;
  }
}

/** What the system said when it should start `file`, in one sentence. */
export function startProblem(error: unknown, file: string, cwd: string): StartProblem {
  // The input is made before the start, and may fail with the same codes.
  const code = isOfStart(error) ? codeOf(error) : 'unknown';
  if (code === 'ENOENT') return notFound(file, cwd);
  if (code === 'EACCES') return problem('not-executable', `${file} may not be executed (EACCES)`);
  if (code === 'ENOEXEC')
    return problem('not-executable', `${file} is no program this system can run (ENOEXEC)`);
  if (code === 'E2BIG') return problem('other', `the arguments of ${file} are too long (E2BIG)`);
  return problem('other', `${file} did not start: ${error instanceof Error ? error.message : String(error)}`);
}

function notFound(file: string, cwd: string): StartProblem {
  if (!file.includes('/')) return problem('not-found', `${file} was not found on PATH`);
  if (!existsSync(resolve(cwd, file))) return problem('not-found', `${file} does not exist`);
  return problem('not-found', `the interpreter that the first line of ${file} names does not exist`);
}

function isOfStart(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && String(error.syscall).startsWith('spawn');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

function problem(code: StartProblem['code'], message: string): StartProblem {
  return { ended: 'not-started', code, message };
}
