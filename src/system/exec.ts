import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { Capture } from './capture.ts';
import { monotonicMs } from './clock.ts';
import { firstCause, within } from './deadline.ts';
import { enterScope, leaveScope, type Scope, signalGroup } from './kill.ts';
import { closeAll, type Pipe, takePipes } from './pipes.ts';
import { processStat } from './procfs.ts';
import { newScopePart, SCOPE_VARIABLE, scopeValue } from './scope.ts';
import { cwdProblem, type StartProblem, startProblem } from './start-problem.ts';
import { sweep } from './sweep.ts';
import { which } from './which.ts';

/** What to run: a line for the shell, or a program with its arguments (no shell between). */
export type Command =
  | { readonly shell: string }
  | { readonly file: string; readonly args: readonly string[] };

export interface ExecOptions {
  readonly cwd: string;
  /** The whole environment; nothing of `process.env` is merged in. The scope's cookie is added. */
  readonly env: Readonly<Record<string, string>>;
  /** Limit of the whole call, in milliseconds. Default: none. */
  readonly timeoutMs?: number;
  /** Limit of silence on both streams, in milliseconds. Default: none. */
  readonly idleTimeoutMs?: number;
  /** Ends the call as `aborted`. */
  readonly signal?: AbortSignal;
  /** Text for stdin, which is closed after it. Default: no stdin (`/dev/null`). */
  readonly input?: string;
  /** Milliseconds between TERM and KILL. Default: 300. */
  readonly graceMs?: number;
  /** Bytes kept in memory per stream: a quarter from the head, the rest from the tail. Default: 256 KiB. */
  readonly keepBytes?: number;
  /** Takes the whole output of both streams, written only once `keepBytes` is exceeded. */
  readonly logFile?: string;
  /** Cap of `logFile`, in bytes. Default: 64 MiB. */
  readonly logBytes?: number;
  /** Output as it arrives, decoded; a character split over two reads arrives whole. What it throws is ignored. */
  readonly onOutput?: (text: string, stream: 'stdout' | 'stderr') => void;
}

export interface Output {
  /** The head, a line that says how much was left out (if anything was), and the tail. Colours are kept. */
  readonly text: string;
  /** Bytes of the middle that are not in `text`. */
  readonly droppedBytes: number;
}

/** How a process ended, and what it wrote. */
export type ExecResult = {
  readonly stdout: Output;
  readonly stderr: Output;
  /** Both streams, in the order of arrival. */
  readonly output: Output;
  readonly durationMs: number;
  /** How many processes were found alive afterwards, and ended. */
  readonly swept: number;
  /** Set when the log file was written. */
  readonly logFile?: string;
} & Ending;

/** The first cause wins: a process that is stopped by its time-out has `timed-out`, whatever it does with TERM. */
export type Ending =
  | { readonly ended: 'exited'; readonly code: number }
  | { readonly ended: 'signalled'; readonly signal: string }
  | { readonly ended: 'timed-out' }
  | { readonly ended: 'idle' }
  | { readonly ended: 'aborted' }
  | {
      readonly ended: 'not-started';
      readonly code: 'not-found' | 'not-executable' | 'bad-cwd' | 'other';
      readonly message: string;
    };

const GRACE_MS = 300;
/** After the end of the first process: how long those that hold its pipes may go on by themselves. */
const LINGER_MS = 100;
/** After the sweep: how long to wait for the last bytes. */
const DRAIN_MS = 60;

/**
 * Runs a command in a session of its own, without a terminal. Resolves when it and all that it left behind is gone,
 * at most about half a second after a limit has passed (with the default grace), whoever still holds its pipes.
 * Never rejects.
 */
export async function exec(command: Command, options: ExecOptions): Promise<ExecResult> {
  const began = monotonicMs();
  const capture = new Capture(options);
  const finish = (ending: Ending, swept = 0): ExecResult => {
    capture.close();
    return { ...capture.result(), durationMs: monotonicMs() - began, swept, ...ending };
  };
  if (options.signal?.aborted) return finish({ ended: 'aborted' });
  const badCwd = cwdProblem(options.cwd);
  if (badCwd) return finish(badCwd);
  const part = newScopePart();
  const child = await start(
    command,
    options,
    { ...options.env, [SCOPE_VARIABLE]: scopeValue(part) },
    capture,
  );
  if ('ended' in child) return finish(child);

  const scope: Scope = { part, leader: child.pid, since: processStat(child.pid)?.start ?? 0 };
  enterScope(scope);
  const ending = await supervise(child, scope, capture, options);
  const swept = await sweep(scope);
  await within(DRAIN_MS, Promise.all([capture.closed(), child.exited]));
  leaveScope(scope);
  child.release();
  return finish(ending, swept);
}

/** A process that did start. */
interface Started {
  readonly pid: number;
  readonly exited: Promise<Ending>;
  /** Lets go of it, so that it keeps nothing here alive. */
  readonly release: () => void;
}

async function start(
  command: Command,
  { cwd, input }: ExecOptions,
  env: Record<string, string>,
  capture: Capture,
): Promise<Started | StartProblem> {
  const [file, args] = argumentsOf(command, env);
  const pipes = await takePipes(input === undefined ? 2 : 3, mkfifo);
  const stdio = stdioOf(pipes, input !== undefined);
  let child: ChildProcess;
  try {
    child = spawn(file, args, { cwd, env, stdio, detached: true });
  } catch (error) {
    closeAll(descriptors(pipes));
    return startProblem(error, file, cwd);
  }
  const { pid } = child;
  if (pid === undefined) {
    const error = await new Promise((resolve) => child.once('error', resolve));
    closeAll(descriptors(pipes));
    return startProblem(error, file, cwd);
  }
  const exited = exitOf(child);
  const stdin = connect(child, pipes, capture);
  if (stdin && input !== undefined) feed(stdin, input);
  return {
    pid,
    exited,
    release: () => {
      stdin?.destroy();
      child.unref();
    },
  };
}

/** Fixed places first: the PATH may name folders that an agent can write to. */
const SHELLS: readonly (readonly [string, ...string[]])[] = [
  ['/bin/bash', '-o', 'pipefail', '-c'],
  ['/usr/bin/bash', '-o', 'pipefail', '-c'],
  ['bash', '-o', 'pipefail', '-c'],
];

function argumentsOf(command: Command, env: Record<string, string>): readonly [string, readonly string[]] {
  if ('file' in command) return [command.file, command.args];
  const [shell, ...args] = SHELLS.find(([name]) => which(name, env) !== undefined) ?? ['/bin/sh', '-c'];
  return [shell, [...args, command.shell]];
}

function stdioOf(pipes: readonly Pipe[] | undefined, withInput: boolean): StdioOptions {
  if (!pipes) return [withInput ? 'pipe' : 'ignore', 'pipe', 'pipe'];
  const [stdout, stderr, stdin] = pipes;
  return [stdin?.read ?? 'ignore', stdout?.write, stderr?.write];
}

/** Closes the child's ends of the pipes and reads ours. Returns where its input is to be written. */
function connect(
  child: ChildProcess,
  pipes: readonly Pipe[] | undefined,
  capture: Capture,
): Writable | undefined {
  if (!pipes) {
    if (child.stdout) capture.readStream(child.stdout, 'stdout');
    if (child.stderr) capture.readStream(child.stderr, 'stderr');
    return child.stdin ?? undefined;
  }
  const [stdout, stderr, stdin] = pipes;
  closeAll([stdout?.write, stderr?.write, stdin?.read].filter((fd) => fd !== undefined));
  if (stdout) capture.readPipe(stdout.read, 'stdout');
  if (stderr) capture.readPipe(stderr.read, 'stderr');
  return stdin && new Socket({ fd: stdin.write, readable: false, writable: true });
}

function descriptors(pipes: readonly Pipe[] | undefined): number[] {
  return (pipes ?? []).flatMap((pipe) => [pipe.read, pipe.write]);
}

/** A child that does not read its input, or closes it early, is no error. */
function feed(stdin: Writable, input: string): void {
  stdin.on('error', () => {});
  stdin.end(input);
}

function exitOf(child: ChildProcess): Promise<Ending> {
  // Failures after the start (a signal that could not be sent) have no say.
  child.on('error', () => {});
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      resolve(signal === null ? { ended: 'exited', code: code ?? 0 } : { ended: 'signalled', signal });
    });
  });
}

function mkfifo(paths: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn('mkfifo', ['-m', '600', ...paths], { stdio: 'ignore' });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}

/** Waits for the first of: the process ends by itself, a limit passes, the signal aborts. */
async function supervise(
  child: Started,
  scope: Scope,
  capture: Capture,
  options: ExecOptions,
): Promise<Ending> {
  const limits = firstCause(options);
  capture.onActivity = limits.activity;
  const first = await Promise.race([child.exited, limits.cause]);
  limits.release();
  if (typeof first !== 'string') {
    await within(LINGER_MS, capture.closed());
    return first;
  }
  await stop(scope, options.graceMs ?? GRACE_MS);
  return { ended: first };
}

/** Asks the group to end, and gives it `graceMs` for that. The sweep kills what is left. */
async function stop(scope: Scope, graceMs: number): Promise<void> {
  const deadline = monotonicMs() + graceMs;
  signalGroup(scope, 'SIGTERM');
  while (monotonicMs() < deadline && signalGroup(scope, 0)) await delay(10);
}
