import { dirname } from 'node:path';
import type { Environment, Installation, PreflightContext } from '../core/plugin.ts';
import { exec } from '../system/exec.ts';
import { which } from '../system/which.ts';
import type { CliOptions } from './agent-options.ts';
import { describeEnding, tailOf } from './ending.ts';

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
  | { readonly login: 'yes' }
  /** `unknown`: it may have one in a place that cannot be looked into. */
  | { readonly login: 'no' | 'unknown'; readonly advice: string };

/** What to start: the arguments come before all others. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

type Where = Pick<PreflightContext<CliOptions>, 'workdir' | 'options'> & { readonly env: Environment };

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
export function commandOf(program: string, { command }: CliOptions): readonly [string, readonly string[]] {
  const [name = program, ...args] = [command ?? program].flat();
  return [name, args];
}

/** A slow machine needs seconds to start an agent for the first time. */
const VERSION_TIMEOUT_MS = 20_000;

/** What is there of an agent: it is started for its version, with no network needed. */
export async function inspect(
  facts: ProgramFacts,
  context: PreflightContext<CliOptions>,
): Promise<Installation> {
  const env = { ...context.env, ...context.options.env };
  const login = await facts.login(env);
  const advice = 'advice' in login ? [login.advice] : [];
  const found = locate(facts, { ...context, env });
  if (!found) return { login: login.login, advice, problem: missing(facts, context.options, env) };
  const { file, args } = found;
  const result = await exec(
    { file, args: [...args, '--version'] },
    { cwd: dirname(file), env, signal: context.signal, timeoutMs: VERSION_TIMEOUT_MS, keepBytes: 8192 },
  );
  const version = /\d+\.\d+\.\d+[^\s,)]*/.exec(result.stdout.text)?.[0].replace(/\.$/, '');
  const isFine = result.ended === 'exited' && result.code === 0;
  return {
    program: file,
    ...(version !== undefined && { version }),
    login: login.login,
    advice,
    ...(!isFine && { problem: unusable(facts, file, describeEnding(result), tailOf(result.output.text)) }),
  };
}

function missing({ program, install }: ProgramFacts, options: CliOptions, env: Environment): string {
  const [name] = commandOf(program, options);
  const where = name.includes('/') ? '' : ` (PATH: ${env['PATH'] ?? 'not set'})`;
  const what = name.includes('/') ? `${name} is not there or not executable` : `"${name}" is not on PATH`;
  return `${what}: install it with "${install}", or put its path into driver.options.command${where}`;
}

function unusable({ install }: ProgramFacts, file: string, how: string, last: string): string {
  return `"${file} --version" ${how}${last && `: ${last}`}; install it anew with "${install}"`;
}
