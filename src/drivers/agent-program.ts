import { dirname } from 'node:path';
import type { Environment, Installation, Machine, PreflightContext } from '../core/plugin.ts';
import { packageVersion } from '../system/package-version.ts';
import { versionOf } from '../system/version-of.ts';
import { which } from '../system/which.ts';
import type { CliOptions } from './agent-options.ts';
import { describeEnding, reasonIn } from './ending.ts';

/** How a program is found, got, and logged in. */
export interface ProgramFacts {
  /** Its name on PATH. */
  readonly program: string;
  /** How to get it, as the rest of "install it: ". */
  readonly install: string;
  /** The program behind a wrapper that would come between: signals reach it, and it starts sooner. */
  readonly native?: (file: string) => string | undefined;
  /** Whether an account, a key or a server of one's own is there, from variables and files alone. */
  readonly login: (env: Environment) => Promise<Login>;
}

export type Login =
  | { readonly login: 'yes' | 'not-needed' }
  /** `unknown`: it may have one in a place that cannot be looked into. */
  | { readonly login: 'no' | 'unknown'; readonly advice: string };

/** What to start: the arguments come before all others. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

interface Where {
  readonly workdir: string;
  readonly options: Pick<CliOptions, 'command'>;
  readonly env: Environment;
}

/** The program that the options name, else the agent's on PATH; `undefined` where there is none. */
export function locate(
  { program, native }: ProgramFacts,
  { workdir, options, env }: Where,
): Program | undefined {
  const [name, args] = commandOf(program, options);
  const file = which(name, env, workdir);
  if (file === undefined) return undefined;
  return { file: native?.(file) ?? file, args };
}

/** What the options start, as they name it. */
export function commandOf(
  program: string,
  { command }: Where['options'],
): readonly [string, readonly string[]] {
  const [name = program, ...args] = [command ?? program].flat();
  return [name, args];
}

/** A slow machine needs seconds to start an agent for the first time. */
const VERSION_TIMEOUT_MS = 20_000;

/** Why it cannot be started, with what mends it; else how it stands with its log-in. Needs no network. */
export async function examine(
  facts: ProgramFacts,
  { workdir, options, env: given, signal }: PreflightContext<CliOptions>,
): Promise<{ readonly problem: string } | Login> {
  const env = { ...given, ...options.env };
  const found = locate(facts, { workdir, options, env });
  if (!found) return { problem: missing(facts, options, env) };
  const { ending } = await askVersion(found, { env, signal, timeoutMs: VERSION_TIMEOUT_MS });
  if (ending.ended === 'exited' && ending.code === 0) return await facts.login(env);
  const said = reasonIn(ending.output.text);
  return { problem: unusable(facts, found.file, describeEnding(ending), said) };
}

/** What is there of an agent that no option has changed. */
export async function inspect(
  facts: ProgramFacts & { readonly keys: readonly string[] },
  machine: Machine,
): Promise<Installation> {
  const env = machine.environment(facts.keys);
  const login = await facts.login(env);
  const advice = 'advice' in login ? [login.advice] : [];
  const found = locate(facts, { workdir: machine.workdir, options: {}, env });
  if (!found) return { login: login.login, advice, problem: `not installed: ${facts.install}` };
  const program = found.file;
  // A busy machine takes long to start one; a package says it without.
  const told = packageVersion(program);
  if (told !== undefined) return { program, login: login.login, version: told, advice };
  const { ending, version } = await askVersion(found, { ...machine, env: machine.environment() });
  const there = { program, login: login.login, ...(version !== undefined && { version }) };
  const isSlow = ending.ended === 'timed-out' || ending.ended === 'aborted';
  if (ending.ended === 'exited' && ending.code === 0) return { ...there, advice };
  if (isSlow && version !== undefined) return { ...there, advice };
  if (isSlow) {
    return { ...there, advice: [...advice, `it did not tell its version in ${machine.timeoutMs / 1000} s`] };
  }
  return { ...there, advice, problem: unusable(facts, program, describeEnding(ending), '') };
}

function askVersion(
  { file, args }: Program,
  limits: { readonly env: Environment; readonly signal: AbortSignal; readonly timeoutMs: number },
) {
  const { env, signal, timeoutMs } = limits;
  return versionOf({ file, args: [...args, '--version'] }, { cwd: dirname(file), env, signal, timeoutMs });
}

function missing({ program, install }: ProgramFacts, options: Where['options'], env: Environment): string {
  const [name] = commandOf(program, options);
  const where = name.includes('/') ? '' : ` (PATH: ${env['PATH'] ?? 'not set'})`;
  const what = name.includes('/') ? `${name} is not there or not executable` : `"${name}" is not on PATH`;
  return `${what}: install it with "${install}", or put its path into driver.options.command${where}`;
}

function unusable({ install }: ProgramFacts, file: string, how: string, last: string): string {
  return `"${file} --version" ${how}${last && `: ${last}`}; install it anew with "${install}"`;
}
