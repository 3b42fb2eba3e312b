import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { EvaluationOutcome } from '../core/check.ts';
import { commandsOf, type Execution, executionOf } from '../core/command-line.ts';
import type { Environment } from '../core/plugin.ts';
import type { ExecResult } from '../system/exec.ts';
import { which } from '../system/which.ts';
import { notFoundText, unusable } from './endings.ts';

const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;
/** What lies in these was installed, not written. */
const DEPENDENCIES = /(?:^|\/)(?:node_modules|\.venv|venv|\.tox|\.nox|vendor)\//;

/** Where a command ran. */
export interface CommandPlace {
  readonly line: string;
  readonly cwd: string;
  /** Real path of the workspace's place in the tree, as this process sees it. */
  readonly workdir: string;
  /** The same place as the command saw it. */
  readonly seenAt: string;
  readonly env: Environment;
}

const BUILTINS = new Set(
  '. : [ [[ alias bg break builtin case cd command continue declare echo eval exec exit export false fg for function getopts hash help jobs let local popd printf pushd pwd read readonly return select set shift shopt source test times trap true type typeset ulimit umask unalias unset until wait while'.split(
    ' ',
  ),
);

/**
 * What an exit code means that comes from the command line itself and not from
 * what was checked: a program that is not on the PATH, a file that cannot be
 * executed, a script of the workspace that is not there (yet).
 */
export function explainExit(run: ExecResult, place: CommandPlace): EvaluationOutcome | undefined {
  if (run.ended !== 'exited' || run.code === 0) return undefined;
  const path = place.env['PATH'] ?? '';
  const executions = commandsOf(place.line, '').flatMap(({ command, cwd }) => {
    const execution = executionOf(command);
    if (!execution) return [];
    // What starts the program (`uv run`, `timeout 10`) must be there as well.
    const programs = [command.words[0], execution.words[0]].flatMap((word) =>
      word?.literal ? [word.text] : [],
    );
    return [{ execution, cwd: resolve(place.cwd, cwd), programs }];
  });
  if (run.code === NOT_FOUND) {
    const missing = executions.flatMap(({ programs }) => programs).find((name) => isMissing(name, place.env));
    if (missing !== undefined)
      return unusable('not-found', notFoundText(missing, path), { exitCode: run.code });
  }
  const script = executions.map((one) => scriptOf(one, place)).find((one) => one && !isThere(one, place));
  if (script && DEPENDENCIES.test(script.name)) {
    const text = `${script.name} does not exist, so the check cannot run: install the dependencies of the project`;
    return unusable('not-found', text, { exitCode: run.code });
  }
  if (script) return { passed: false, feedback: `${script.name} does not exist`, missingScript: true };
  return run.code === NOT_EXECUTABLE ? notExecutable(executions, place, path) : undefined;
}

function isMissing(name: string, env: Environment): boolean {
  return name !== '' && !name.includes('/') && !BUILTINS.has(name) && which(name, env) === undefined;
}

interface Placed {
  readonly execution: Execution;
  readonly cwd: string;
}

interface Script {
  readonly name: string;
  readonly file: string;
}

function scriptOf({ execution, cwd }: Placed, { workdir, seenAt }: CommandPlace): Script | undefined {
  if (execution.script === undefined) return undefined;
  const named = resolve(cwd, execution.script);
  const file = named.startsWith(`${seenAt}/`) ? join(workdir, relative(seenAt, named)) : named;
  return file.startsWith(`${workdir}/`) ? { name: execution.script, file } : undefined;
}

function isThere({ name, file }: Script, { workdir, seenAt }: CommandPlace): boolean {
  // Dependencies may lie only where the command sees them: a room has no copy of them.
  const elsewhere = DEPENDENCIES.test(name) && existsSync(join(seenAt, relative(workdir, file)));
  return existsSync(file) || elsewhere;
}

function notExecutable(executions: readonly Placed[], place: CommandPlace, path: string): EvaluationOutcome {
  const script = executions.map((one) => scriptOf(one, place)).find((one) => one && !canExecute(one.file));
  const what = script ? `${script.name} is not executable` : 'a command of the line is not executable';
  const hint = script ? `chmod +x ${script.name}, or call it by its interpreter` : `PATH: ${path}`;
  return unusable('not-found', `${what}, so the check cannot run: ${hint}`, { exitCode: NOT_EXECUTABLE });
}

function canExecute(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    // Not there, or not ours to run.
    return false;
  }
}
