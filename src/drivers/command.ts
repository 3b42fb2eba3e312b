import { access, constants } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { AgentResult } from '../core/event.ts';
import type { AgentDriver, Environment, PreflightContext, Turn } from '../core/plugin.ts';
import { type ExecResult, exec } from '../system/exec.ts';
import { resolveInside } from '../system/files.ts';
import { which } from '../system/which.ts';
import { type Invocation, invocationOf } from './command-prompt.ts';
import {
  commandLine,
  idIn,
  isNameless,
  isUnknown,
  newSession,
  resumed,
  type Sessioned,
  session,
} from './command-session.ts';
import { describeEnding, tailOf } from './ending.ts';
import { milliseconds, strictOptions, workspacePath } from './options.ts';
import { programOf } from './program.ts';
import { type Limited, limitAnnounced, patiently, realClock } from './rate-limit.ts';
import { abortedResult, abortReason } from './turn.ts';

const options = strictOptions({
  /** A shell line, or a program with its arguments (no shell). A new session's id stands for `{session_id}`. */
  command: commandLine,
  /** `file`: its path replaces `{prompt_file}` and is in LOOPGEN_PROMPT_FILE. `argument`: replaces `{prompt}`, else comes last. */
  prompt: z.enum(['stdin', 'file', 'argument']).default('stdin'),
  /** Variables beside the allow-list. */
  env: z.record(z.string(), z.string()).default({}),
  /** Relative to the workspace. */
  cwd: workspacePath.optional(),
  /** One turn. Default: no limit. */
  timeoutMs: milliseconds.optional(),
  /** Silence. Default: `limits.idleTimeoutMs`. */
  idleTimeoutMs: milliseconds.optional(),
  /** Longest wait for a usage limit in one turn; 0 does not wait. */
  maxWaitMs: z.int().nonnegative().max(2_147_483_647).default(600_000),
  /** Bytes of output kept in memory, per stream. */
  maxOutput: z.int().min(1024).default(262_144),
  /** Absent: every turn is a fresh session. */
  session: session.optional(),
}).superRefine((given, context) => {
  if (!given.session || !isNameless(given.command, given.session)) return;
  const message = 'needs a pattern that finds the id in what the agent prints, or {session_id} in command';
  context.addIssue({ code: 'custom', path: ['session'], message });
});

type Options = z.infer<typeof options>;

const STOP_GRACE_MS = 2000;

/**
 * Any coding agent that has a command line. Its exit code is told, but decides
 * nothing: only the checks do.
 */
export const commandDriver: AgentDriver<Options> = {
  name: 'command',
  description: 'any agent CLI as a command line',
  kind: 'agent',
  reportsUsage: false,
  options,
  preflight,
  async run(turn) {
    if (turn.signal.aborted) return abortedResult(turn.signal);
    const cwd = await resolveInside(turn.workdir, turn.options.cwd ?? '.');
    if (!cwd.ok) return { stopReason: 'error', summary: `driver.options.cwd: ${cwd.because}` };
    return await waitingOut(cwd.path, turn);
  },
};

/** As many starts as usage limits make necessary. */
async function waitingOut(cwd: string, turn: Turn<Options>): Promise<AgentResult> {
  const { signal, waiting, options } = turn;
  let { sessionId } = turn;
  const { answer, gaveUp } = await patiently(
    { name: 'the agent', maxWaitMs: options.maxWaitMs, clock: realClock, signal, waiting },
    async () => {
      const done = await runIn(cwd, { ...turn, ...(sessionId !== undefined && { sessionId }) });
      sessionId = done.told.sessionId ?? sessionId;
      return done;
    },
    ({ limit }) => limit,
  );
  const { told, limit } = answer;
  if (!limit) return told;
  const more = typeof gaveUp === 'object' ? `; ${gaveUp.because}` : '';
  const stopReason = gaveUp === 'aborted' ? abortReason(signal) : 'rate-limited';
  return { ...told, stopReason, summary: `${told.summary}${more}` };
}

/** One process, or a second where the first did not know the session. */
async function runIn(cwd: string, turn: Turn<Options>): Promise<Once> {
  const { command, session } = turn.options;
  const { sessionId } = turn;
  if (!session) return await once(cwd, turn, { command });
  if (sessionId === undefined) return await once(cwd, turn, newSession(command));
  const first = await once(cwd, turn, resumed(session, sessionId));
  if (!isUnknown(session, first.printed)) return first;
  const note = `session ${sessionId} is not known to the agent any more, so a new one was begun`;
  turn.output(`${note}\n`);
  const anew = await once(cwd, turn, newSession(command));
  return { ...anew, told: { ...anew.told, summary: `${note}; ${anew.told.summary}` } };
}

interface Once {
  readonly told: AgentResult;
  readonly printed: string;
  /** The usage limit that it failed at. */
  readonly limit?: Limited | undefined;
}

async function once(cwd: string, turn: Turn<Options>, sessioned: Sessioned): Promise<Once> {
  const invocation = await invocationOf({
    command: sessioned.command,
    by: turn.options.prompt,
    prompt: [turn.system, turn.prompt].filter(Boolean).join('\n\n'),
    scratch: turn.scratch,
    iteration: turn.iteration,
  });
  if ('refused' in invocation) {
    return { told: { stopReason: 'error', summary: invocation.refused }, printed: '' };
  }
  const result = await start(turn, invocation, cwd);
  const printed = `${result.stdout.text}\n${result.stderr.text}`;
  return { told: withSession(turn, result, sessioned, printed), printed, limit: limitIn(result) };
}

/** Lines that a program which ends at a limit says it in; what stands above them is talk. */
const LAST_LINES = 3;

/** Not every program that ends at a limit fails: then it says nothing else, and when the limit ends. */
function limitIn(result: ExecResult): Limited | undefined {
  if (result.ended !== 'exited') return undefined;
  const isWell = result.code === 0;
  if (isWell && result.output.text.trim().split('\n').length > LAST_LINES) return undefined;
  const said = tailOf(result.stderr.text) || tailOf(result.stdout.text);
  return limitAnnounced(said.split('\n').slice(-LAST_LINES).join('\n'), isWell);
}

type Start = Exclude<Invocation, { refused: string }>;

function start(turn: Turn<Options>, { command, input, env }: Start, cwd: string): Promise<ExecResult> {
  const { options } = turn;
  const idleTimeoutMs = options.idleTimeoutMs ?? turn.idleTimeoutMs;
  return exec(command, {
    cwd,
    env: { ...turn.env, ...options.env, ...env },
    signal: turn.signal,
    graceMs: STOP_GRACE_MS,
    keepBytes: options.maxOutput,
    onOutput: turn.output,
    ...(input !== undefined && { input }),
    ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
    ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
  });
}

function withSession(
  turn: Turn<Options>,
  result: ExecResult,
  { id }: Sessioned,
  printed: string,
): AgentResult {
  const { session } = turn.options;
  const told = resultOf(turn, result);
  if (!session || result.ended === 'not-started') return told;
  const sessionId = idIn(session, printed) ?? id;
  if (sessionId !== undefined) return { ...told, sessionId };
  const note = 'driver.options.session.pattern found no session id, so the next turn begins a new session';
  return { ...told, summary: `${told.summary} — ${note}` };
}

function resultOf(turn: Turn<Options>, result: ExecResult): AgentResult {
  // Some agents write their transcript to stderr; that is no sign of failure.
  const said = tailOf(result.stdout.text) || tailOf(result.stderr.text);
  if (result.ended === 'exited' && result.code === 0) {
    return { stopReason: 'completed', summary: said || 'the agent said nothing' };
  }
  const how = `the agent ${describeEnding(result)}${hintFor(turn.options, result)}`;
  const summary = said === '' ? how : `${how}; last it said: ${said}`;
  return { stopReason: stopReasonOf(turn.signal, result), summary };
}

function stopReasonOf(signal: AbortSignal, result: ExecResult): AgentResult['stopReason'] {
  if (result.ended === 'aborted') return abortReason(signal);
  if (result.ended === 'idle') return 'stalled';
  return result.ended === 'timed-out' ? 'timed-out' : 'error';
}

function hintFor(options: Options, result: ExecResult): string {
  const missing =
    (result.ended === 'not-started' && result.code === 'not-found') ||
    (result.ended === 'exited' && result.code === 127 && typeof options.command === 'string');
  return missing ? `: ${installHint(programOf(options.command) ?? 'it')}` : '';
}

function installHint(program: string): string {
  return `install ${program}, or put its path into driver.options.command`;
}

async function preflight(context: PreflightContext<Options>): Promise<readonly string[]> {
  const { options, workdir } = context;
  const cwd = await resolveInside(workdir, options.cwd ?? '.');
  if (!cwd.ok) return [`driver.options.cwd: ${cwd.because}`];
  const program = programOf(options.command);
  if (program === undefined) return [];
  return await missingProgram(program, cwd.path, { ...context.env, ...options.env });
}

async function missingProgram(program: string, cwd: string, env: Environment): Promise<readonly string[]> {
  if (!program.includes('/')) {
    if (which(program, env) !== undefined) return [];
    return [`"${program}" is not on PATH: ${installHint(program)} (PATH: ${env['PATH'] ?? 'not set'})`];
  }
  const file = resolve(cwd, program);
  const runnable = await access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
  return runnable ? [] : [`${file} is not there or not executable: ${installHint(program)}`];
}
