import { randomBytes } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { messageOf } from '../core/error.ts';
import type { AgentResult, Progress } from '../core/event.ts';
import { feedbackOf } from '../core/feedback.ts';
import { type GuardRule, isPutBack, type Violation, violationOf } from '../core/guard.ts';
import type { History } from '../core/history.ts';
import { ownIterations } from '../core/ladder.ts';
import type { AgentDriver, TaskType, Turn, WriteResult } from '../core/plugin.ts';
import type { DriveRequest } from '../core/ports.ts';
import { promptOf, sessionOf } from '../core/prompt.ts';
import type { Spec } from '../core/spec.ts';
import { wholeFilePatch } from '../core/whole-file-patch.ts';
import type { Workspace } from '../core/workspace.ts';
import { resolveInside } from '../system/files.ts';
import type { Pieces, Redactor } from '../system/redact.ts';
import { deadline } from './deadline.ts';
import type { DriverInUse } from './ladder.ts';
import { plainResult } from './plain-result.ts';

export interface Driving {
  readonly spec: Spec;
  readonly task: TaskType;
  /** The driver whose turn it is. */
  readonly inTurn: (history: History) => Promise<InTurn>;
  readonly workspace: Workspace;
  readonly rules: readonly GuardRule[];
  readonly scratch: string;
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
  readonly redact: <T>(value: T) => T;
  /** Redacts a text that comes in pieces. Default: each piece by itself. */
  readonly pieces?: Redactor['pieces'];
  readonly recordFile: (name: string) => string;
}

type InTurn = Pick<DriverInUse, 'options' | 'env'> & { readonly driver: Pick<AgentDriver, 'name' | 'run'> };

/** The engine's `drive` port: one turn of the driver, bounded and kept from breaking the run. */
export function driving(setup: Driving): (request: DriveRequest) => Promise<AgentResult> {
  return async (request) => {
    const { spec, task } = setup;
    const inTurn = await setup.inTurn(request.history);
    const { driver } = inTurn;
    using limit = deadline(setup.signal, shortest(spec.limits.iterationTimeoutMs, request.timeLeftMs));
    const gate = { open: true };
    const printed = setup.pieces?.() ?? { push: setup.redact<string>, end: () => '' };
    let turn: Turn;
    try {
      turn = turnOf({ ...setup, ...inTurn }, request, limit.signal, gate, printed);
    } catch (error) {
      return failed(`task type "${task.type}"`, error);
    }
    const run = async () => plainResult(driver, await driver.run(turn));
    const late = limit.passed.then(() => abandoned(driver, limit.signal));
    try {
      return setup.redact(await Promise.race([run(), late]));
    } catch (error) {
      return setup.redact(failed(`driver "${driver.name}"`, error));
    } finally {
      gate.open = false;
      const rest = printed.end();
      if (rest !== '') setup.progress({ type: 'agent.output', text: rest });
    }
  };
}

/** Closed when the turn is over: a driver that goes on must not touch what the checks read. */
interface Gate {
  open: boolean;
}

function failed(who: string, error: unknown): AgentResult {
  return { stopReason: 'error', summary: `${who} failed: ${messageOf(error)}` };
}

function shortest(...limits: readonly (number | undefined)[]): number | undefined {
  const set = limits.filter((limit) => limit !== undefined);
  return set.length === 0 ? undefined : Math.min(...set);
}

function abandoned({ name }: InTurn['driver'], signal: AbortSignal): AgentResult {
  const timedOut = signal.reason === 'timed-out';
  return {
    stopReason: timedOut ? 'timed-out' : 'aborted',
    summary: `driver "${name}" did not stop when it was told to`,
  };
}

function turnOf(
  setup: Driving & InTurn,
  request: DriveRequest,
  signal: AbortSignal,
  gate: Gate,
  printed: Pieces<string>,
): Turn {
  const { spec, workspace, progress, redact } = setup;
  const { history, iteration } = request;
  const { system, prompt } = promptOf(spec, setup.task, history, randomBytes(6).toString('hex'));
  const feedback = feedbackOf(history);
  const sessionId = sessionOf(spec, history);
  return {
    runId: history.runId,
    iteration,
    ownTurn: ownIterations(history).length,
    workdir: workspace.dir,
    prompt: redact(prompt),
    system,
    ...(feedback && { feedback }),
    options: setup.options,
    env: setup.env,
    ...(sessionId !== undefined && { sessionId }),
    ...(spec.limits.idleTimeoutMs !== undefined && { idleTimeoutMs: spec.limits.idleTimeoutMs }),
    signal,
    acted: (tool, input) => {
      if (gate.open) request.acted(String(tool), input === undefined ? undefined : redact(textOf(input)));
    },
    output: (piece) => {
      const text = gate.open ? printed.push(String(piece)) : '';
      if (text !== '') progress({ type: 'agent.output', text });
    },
    waiting: (what) => progress({ type: 'waiting', what: redact(what) }),
    scratch: setup.scratch,
    write: async (path, content) => (gate.open ? await edit(setup, request, path, content) : TOO_LATE),
    remove: async (path) => (gate.open ? await edit(setup, request, path, undefined) : TOO_LATE),
  };
}

const TOO_LATE: WriteResult = { written: false, because: 'the turn is over' };

/** Plug-ins in plain JavaScript may hand on more than text. */
const textOf = (input: unknown) => (typeof input === 'string' ? input : (JSON.stringify(input) ?? ''));

/** A whole-file edit of a proposer: refused before it is written where a rule guards the path. */
async function edit(
  setup: Driving,
  request: DriveRequest,
  path: string,
  content: string | undefined,
): Promise<WriteResult> {
  const { workspace } = setup;
  const where = await resolveInside(workspace.dir, path);
  if (!where.ok) return { written: false, because: where.because };
  const found = guardOf(setup, path, where.path);
  if (found) {
    keepRefused(setup, request.iteration, found.path, content);
    request.refused(found);
    return { written: false, because: found.because };
  }
  try {
    await (content === undefined ? workspace.remove(path) : workspace.write(path, content));
    return { written: true };
  } catch (error) {
    // A folder in the way, no permission: that is for the proposer to know, as its next prompt tells.
    return { written: false, because: messageOf(error) };
  }
}

/** The path as the proposer wrote it, without its detours, and the place it leads to: a rule on either holds. */
function guardOf({ rules, workspace }: Driving, path: string, resolved: string): Violation | undefined {
  const names = [relative(workspace.dir, join(workspace.dir, path)), relative(workspace.dir, resolved)];
  return names
    .map((name) => violationOf(name.split('\\').join('/'), rules))
    .find((violation) => violation !== undefined && isPutBack(violation));
}

function keepRefused(setup: Driving, iteration: number, path: string, content: string | undefined): void {
  const name = `refused-${String(iteration + 1).padStart(2, '0')}.patch`;
  const before = textAt(join(setup.workspace.dir, path));
  appendFileSync(setup.recordFile(name), setup.redact(wholeFilePatch(path, before, content)));
}

function textAt(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Not there, or no file: then the patch is that of a new one.
    return undefined;
  }
}
