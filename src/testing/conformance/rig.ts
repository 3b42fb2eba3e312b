import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Feedback } from '../../core/feedback.ts';
import { requireOptions } from '../../core/options.ts';
import type { AgentDriver, Environment, OpenedDriver, Turn, WriteResult } from '../../core/plugin.ts';
import { monotonicMs } from '../../system/clock.ts';
import { resolveInside } from '../../system/files.ts';
import { isRunning, processStat } from '../../system/procfs.ts';
import type { ModelServer } from '../model-server/server.ts';
import { type Acted, type Assignment, meets, type Played, type ScenarioId } from './scenario.ts';
import { type Fate, scriptOf } from './scripts.ts';

export interface RigParts {
  readonly driver: AgentDriver;
  readonly id: ScenarioId;
  /** Options of a turn, before the driver's schema has read them. */
  readonly optionsFor: (assignments: readonly Assignment[], turn: number) => unknown;
  readonly env: Environment;
  readonly model: ModelServer | undefined;
  /** Of one turn that is not to be stopped. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

export interface TurnOptions {
  readonly sessionId?: string | undefined;
  readonly feedback?: Feedback;
  /** Ends the turn, besides the limits. */
  readonly stop?: AbortSignal;
  /** What becomes of the model's answers, where there is a scripted model. */
  readonly fate?: Fate;
}

/** Beyond the turn's limit: how long a driver may take to settle. */
export const SETTLE_MS = 10_000;
const GONE_MS = 3_000;

/** A driver, opened as in a run, with a workspace of its own. */
export class Rig implements AsyncDisposable {
  readonly workdir: string;
  readonly #parts: RigParts;
  readonly #root: string;
  #opened: OpenedDriver | undefined;
  #leftovers: number[] = [];

  static async create(parts: RigParts): Promise<Rig> {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'loopgen-conformance-')));
    for (const name of ['work', 'scratch']) await mkdir(join(root, name));
    return new Rig(parts, root);
  }

  private constructor(parts: RigParts, root: string) {
    this.#parts = parts;
    this.#root = root;
    this.workdir = join(root, 'work');
  }

  get driver(): AgentDriver {
    return this.#parts.driver;
  }

  get model(): ModelServer | undefined {
    return this.#parts.model;
  }

  /** How long an agent may take to come to its first command. */
  get startMs(): number {
    return this.#parts.timeoutMs * 0.9;
  }

  /** Plays one turn of the assignments. Throws where the driver throws, or does not settle. */
  async turn(assignments: readonly Assignment[], n: number, options: TurnOptions = {}): Promise<Played> {
    const { driver, optionsFor, timeoutMs, signal, model } = this.#parts;
    const assignment = assignments[n];
    if (!assignment) throw new Error(`the scenario has no turn ${n}`);
    const read = await requireOptions(`driver ${driver.name}`, driver.options, optionsFor(assignments, n));
    model?.play(scriptOf(assignment, driver.kind ?? 'agent', options.fate));
    const limit = AbortSignal.any([
      timedOut(timeoutMs),
      ...[signal, options.stop].filter((one) => one !== undefined),
    ]);
    const acted: Acted[] = [];
    const began = monotonicMs();
    const turn = this.#turnOf(assignment, n, { ...options, read, limit, acted, began });
    const running = this.#inUse().run(turn);
    const result = await Promise.race([running, neverSettled(limit, running)]);
    meets(result !== undefined, `the turn did not settle within ${SETTLE_MS / 1000} s after it was stopped`);
    if (!result) throw new Error('unreachable');
    return { result, acted, durationMs: monotonicMs() - began };
  }

  #turnOf(assignment: Assignment, iteration: number, more: TurnParts): Turn {
    const { workdir } = this;
    return {
      runId: randomUUID(),
      iteration,
      workdir,
      prompt: assignment.prompt,
      system: 'You are a coding agent in a test. Do exactly what is asked, and nothing else.',
      ...(more.feedback && { feedback: more.feedback }),
      options: more.read,
      env: this.#parts.env,
      ...(more.sessionId !== undefined && { sessionId: more.sessionId }),
      signal: more.limit,
      acted: (tool, input) =>
        more.acted.push({ tool, input: String(input ?? ''), atMs: monotonicMs() - more.began }),
      output: () => {},
      waiting: () => {},
      write: (path, content) => edit(workdir, path, content),
      remove: (path) => edit(workdir, path, undefined),
      scratch: join(this.#root, 'scratch'),
    };
  }

  #inUse(): Pick<OpenedDriver, 'run'> {
    const { driver } = this;
    if (driver.open) this.#opened ??= driver.open();
    return this.#opened ?? driver;
  }

  /** Gives up what the driver keeps alive over its turns. */
  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    await opened?.close();
  }

  /** The text of a file of the workspace; undefined where there is none. */
  async text(path: string): Promise<string | undefined> {
    return await readFile(join(this.workdir, path), 'utf8').catch(() => undefined);
  }

  /** A process id that a command wrote into a file, once it is there; undefined where the time is up or `until` settles first. */
  async pidIn(path: string, withinMs: number, until?: Promise<unknown>): Promise<number | undefined> {
    let over = false;
    const end = () => {
      over = true;
    };
    until?.then(end, end);
    const last = monotonicMs() + withinMs;
    for (;;) {
      const pid = Number((await this.text(path))?.trim());
      if (pid > 0) {
        this.#leftovers.push(pid);
        return pid;
      }
      if (over || monotonicMs() > last) return undefined;
      await delay(50);
    }
  }

  /** Whether a process is gone, at the latest after three seconds. */
  async isGone(pid: number): Promise<boolean> {
    for (const last = monotonicMs() + GONE_MS; monotonicMs() < last; await delay(50))
      if (!isAlive(pid)) return true;
    return !isAlive(pid);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A driver that cannot close must not keep the other scenarios from running.
    await Promise.race([this.close().catch(() => undefined), delay(SETTLE_MS, undefined, { ref: false })]);
    for (const pid of this.#leftovers) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    await rm(this.#root, { recursive: true, force: true, maxRetries: 3 });
  }
}

interface TurnParts extends TurnOptions {
  readonly read: unknown;
  readonly limit: AbortSignal;
  readonly acted: Acted[];
  readonly began: number;
}

function timedOut(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort('timed-out'), ms).unref();
  return controller.signal;
}

/** `undefined`, some time after the signal has aborted. */
async function neverSettled(signal: AbortSignal, running: Promise<unknown>): Promise<undefined> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
    running.then(
      () => resolve(),
      () => resolve(),
    );
  });
  await delay(SETTLE_MS, undefined, { ref: false });
  return undefined;
}

async function edit(workdir: string, path: string, content: string | undefined): Promise<WriteResult> {
  const place = await resolveInside(workdir, path);
  if (!place.ok) return { written: false, because: place.because };
  if (content === undefined) await rm(place.path, { force: true });
  else {
    await mkdir(dirname(place.path), { recursive: true });
    await writeFile(place.path, content);
  }
  return { written: true };
}

function isAlive(pid: number): boolean {
  const stat = processStat(pid);
  if (stat) return isRunning(stat);
  if (process.platform === 'linux') return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
