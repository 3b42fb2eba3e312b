import { type ChildProcess, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { Capture, type LogFilter } from './capture.ts';
import { monotonicMs } from './clock.ts';
import { firstCause, within } from './deadline.ts';
import { enterScope, leaveScope, type Scope, signalGroup } from './kill.ts';
import { closeAll, takePipes } from './pipes.ts';
import { processStat } from './procfs.ts';
import { newScopePart, SCOPE_VARIABLE, scopeValue } from './scope.ts';
import { shellCommand } from './shell.ts';
import { cwdProblem, type StartProblem, startProblem } from './start-problem.ts';
import { inputDescriptor } from './stdin.ts';
import { sweep } from './sweep.ts';

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
  /** Called once the process runs: it is talked with by its stdin, which stays open. In place of `input`. */
  readonly attach?: (running: Running) => void;
  /** Milliseconds between TERM and KILL. Default: 300. */
  readonly graceMs?: number;
  /** Bytes kept in memory per stream: a quarter from the head, the rest from the tail. Default: 256 KiB. */
  readonly keepBytes?: number;
  /** Takes the whole output of both streams, written only once `keepBytes` is exceeded. */
  readonly logFile?: string;
  /** Cap of `logFile`, in bytes. Default: 64 MiB. */
  readonly logBytes?: number;
  /** What goes into `logFile` passes through it, piece by piece. */
  readonly logFilter?: () => LogFilter;
  /** Output as it arrives, decoded; a character split over two reads arrives whole. What it throws is ignored. */
  readonly onOutput?: (text: string, stream: 'stdout' | 'stderr') => void;
  /**
   * For programs that are known to start no others and to leave nothing behind (git's plumbing): the search for what
   * was left, which costs more than such a program, is left out. Default: false.
   */
  readonly alone?: boolean;
}

/** A process that is being talked with; `connect` wraps it. */
export interface Running {
  readonly stdin: Writable;
  readonly scope: Scope;
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
const LINGER_MS = 250;
/** And those that hold nothing, but are just about to end. */
const SETTLE_MS = 50;
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
  if (child.stdin) options.attach?.({ stdin: child.stdin, scope });
  const ending = await supervise(child, scope, capture, options);
  const isClean = options.alone === true && ending.ended === 'exited';
  const swept = isClean ? 0 : await sweep(scope, ending.ended === 'exited' ? SETTLE_MS : 0);
  await within(DRAIN_MS, Promise.all([capture.closed(), child.exited]));
  leaveScope(scope);
  child.release();
  return finish(ending, swept);
}

/** A process that did start. */
interface Started {
  readonly pid: number;
  readonly exited: Promise<Ending>;
  /** Set where the process is talked with. */
  readonly stdin: Writable | null;
  /** Lets go of it, so that it keeps nothing here alive. */
  readonly release: () => void;
}

async function start(
  command: Command,
  { cwd, input, attach, alone }: ExecOptions,
  env: Record<string, string>,
  capture: Capture,
): Promise<Started | StartProblem> {
  const { file, args } = 'shell' in command ? shellCommand(command.shell, env) : command;
  const pipes = alone ? undefined : await takePipes(2, mkfifo);
  const ours = pipes?.map((pipe) => pipe.read) ?? [];
  const theirs = pipes?.map((pipe) => pipe.write) ?? [];
  let child: ChildProcess | undefined;
  try {
    const stdin = attach ? 'pipe' : input === undefined ? 'ignore' : inputDescriptor(input);
    if (typeof stdin === 'number') theirs.push(stdin);
    const [stdout, stderr] = pipes ? theirs : (['pipe', 'pipe'] as const);
    child = spawn(file, args, { cwd, env, stdio: [stdin, stdout, stderr], detached: true });
    // Without a pid, the reason comes as an event.
    if (child.pid === undefined) throw await new Promise((resolve) => child?.once('error', resolve));
  } catch (error) {
    closeAll(ours);
    return startProblem(error, file, cwd);
  } finally {
    closeAll(theirs);
  }
  const exited = exitOf(child);
  read(child, ours, capture);
  // What is written to a process that has ended is lost, and that it has ended is told by `exited`.
  child.stdin?.on('error', () => {});
  const release = () => {
    child.stdin?.destroy();
    child.unref();
  };
  return { pid: child.pid, exited, stdin: child.stdin, release };
}

function read(child: ChildProcess, [stdout, stderr]: readonly number[], capture: Capture): void {
  if (stdout !== undefined) capture.readPipe(stdout, 'stdout');
  if (stderr !== undefined) capture.readPipe(stderr, 'stderr');
  if (child.stdout) capture.readStream(child.stdout, 'stdout');
  if (child.stderr) capture.readStream(child.stderr, 'stderr');
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
