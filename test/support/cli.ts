import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { vi } from 'vitest';
import type { Report } from '../../src/core/report.ts';
import { tempDir } from './temp-dir.ts';

// Each test starts processes that start processes; on a busy machine that takes its time.
vi.setConfig({ testTimeout: 180_000 });

/** The arguments of `node` that start the command line; `build.ts` made it. */
export const CLI_ARGS: readonly string[] = [process.env['LOOPGEN_TEST_MAIN'] ?? 'not built'];

export interface CliOptions {
  /** Absolute, or relative to the private folder. Default: the private folder. */
  readonly cwd?: string;
  /** Beside the few variables that every run gets. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdio?: StdioOptions;
}

export interface Ended {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface StartedCli {
  readonly pid: number;
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** What it has printed so far. */
  stdout(): string;
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
}

/** The command line with a home and a state folder of its own; what it started is ended with it. */
export interface Cli extends AsyncDisposable {
  /** Absolute. A fresh folder, where commands run. */
  readonly dir: string;
  /** The environment that every run gets. */
  readonly env: Readonly<Record<string, string>>;
  run(args: readonly string[], options?: CliOptions): Promise<Ended>;
  start(args: readonly string[], options?: CliOptions): StartedCli;
  /** Writes files, absolute or relative to `dir`. */
  write(files: Readonly<Record<string, string>>): Promise<void>;
  read(path: string): Promise<string>;
}

export async function openCli(): Promise<Cli> {
  const root = await tempDir();
  const dir = join(root.path, 'work');
  const home = join(root.path, 'home');
  for (const folder of [dir, home]) await mkdir(folder);
  const env = {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    XDG_STATE_HOME: join(root.path, 'state'),
    LANG: 'C.UTF-8',
  };
  const children: ChildProcess[] = [];
  const start: Cli['start'] = (args, options = {}) => {
    const started = startNode([...CLI_ARGS, ...args], {
      ...options,
      cwd: join(dir, options.cwd ?? '.'),
      env: { ...env, ...options.env },
    });
    children.push(started.child);
    return started;
  };
  return {
    dir,
    env,
    start,
    run: (args, options) => start(args, options).ended,
    write: async (files) => {
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(dir, path)), { recursive: true });
        await writeFile(join(dir, path), text);
      }
    },
    read: (path) => readFile(join(dir, path), 'utf8'),
    [Symbol.asyncDispose]: async () => {
      for (const child of children) await end(child);
      await root[Symbol.asyncDispose]();
    },
  };
}

function startNode(args: readonly string[], options: CliOptions): StartedCli {
  const { cwd, env, stdio } = options;
  const child = spawn(process.execPath, args, { cwd, env, stdio: stdio ?? ['ignore', 'pipe', 'pipe'] });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  return {
    pid: child.pid ?? 0,
    child,
    stdout,
    stderr,
    ended: once(child, 'close').then(([code, signal]) => ({
      code,
      signal,
      stdout: stdout(),
      stderr: stderr(),
    })),
    kill: (signal) => child.kill(signal),
  };
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return () => text;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'exit');
  child.kill('SIGKILL');
  await closed;
}

/** A spec as a file; JSON is YAML. A mock driver, an instant check, `workspace.dir` `w`, unless `change` says otherwise. */
export function specText(change: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    version: 1,
    name: 'task',
    requirements: 'Write done.txt.',
    task: { type: 'generic' },
    workspace: { dir: 'w' },
    driver: { uses: 'mock', options: { steps: [{ files: { 'done.txt': 'done\n' } }] } },
    evaluators: [check('test -f done.txt')],
    ...change,
  });
}

/** An evaluator `command` called `check`. */
export function check(command: string, more: Readonly<Record<string, unknown>> = {}) {
  return { uses: 'command', as: 'check', options: { command }, ...more };
}

/** The report that `--json` printed. */
export const reportOf = ({ stdout }: Ended): Report => JSON.parse(stdout) as Report;

/** The folder of the only run in a state folder. */
export async function onlyRunDir(stateDir: string): Promise<string> {
  const runs = join(stateDir, 'runs');
  const names = await readdir(runs);
  if (names.length !== 1) throw new Error(`one run was expected in ${runs}: ${names.join(', ')}`);
  return join(runs, names[0] ?? '');
}

/** The report that a run left in its state folder. */
export async function recordedReport(stateDir: string): Promise<Report> {
  return JSON.parse(await readFile(join(await onlyRunDir(stateDir), 'report.json'), 'utf8')) as Report;
}

/** Polls until `probe` gives something, for at most `ms`. Not a limit to test against. */
export async function until<T>(probe: () => T | undefined | Promise<T | undefined>, ms = 90_000): Promise<T> {
  const deadline = Date.now() + ms;
  for (;;) {
    const value = await probe();
    if (value !== undefined) return value;
    if (Date.now() > deadline) throw new Error('the condition did not come true in time');
    await delay(20);
  }
}
