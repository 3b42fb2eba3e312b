import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Check, checkOf, type EvaluationOutcome } from '../core/check.ts';
import { messageOf } from '../core/error.ts';
import type { Phase } from '../core/event.ts';
import { markKnown } from '../core/known-failures.ts';
import type { Environment, EvaluatorContext } from '../core/plugin.ts';
import { pool } from '../core/pool.ts';
import type { Room } from '../core/room.ts';
import type { EvaluatorSpec } from '../core/spec.ts';
import { monotonicMs } from '../system/clock.ts';
import { deadline } from './deadline.ts';
import type { ResolvedEvaluator } from './resolve.ts';

export interface Evaluating {
  readonly evaluators: readonly ResolvedEvaluator[];
  readonly concurrency: number;
  readonly env: Environment;
  /** A folder outside of the workspace, gone after the run. */
  readonly scratch: string;
  /** Folder for whole outputs. */
  readonly logs: string;
  readonly signal: AbortSignal;
  readonly redact: <T>(value: T) => T;
  /** Default: logs are written as they come. */
  readonly logFilter?: EvaluatorContext['logFilter'];
}

/** One round of all checks. */
export interface RoundRequest {
  readonly phase: Phase;
  readonly room: Room;
  /** Adds a test that has to fail, where a runner can. Default: false. */
  readonly canary?: boolean;
  readonly timeLeftMs?: number;
  /** The checks as they were before any work; in later rounds, where there was a baseline. */
  readonly atStart?: readonly Check[] | undefined;
  readonly started: (name: string) => void;
  readonly finished: (check: Check) => void;
}

/** Runs all checks in a room, at most `concurrency` at a time; results in the spec's order. */
export function evaluating(setup: Evaluating): (request: RoundRequest) => Promise<readonly Check[]> {
  let count = 0;
  return async ({ phase, room, canary, timeLeftMs, atStart, started, finished }) => {
    using limit = deadline(setup.signal, timeLeftMs);
    const number = count++;
    return await pool(setup.evaluators, setup.concurrency, async (evaluator) => {
      started(evaluator.spec.name);
      const label = `${String(number).padStart(2, '0')}-${phase}-${evaluator.spec.name.replace(/[^\w.-]/g, '_')}`;
      const round = { phase, room, label, atStart, signal: limit.signal, ...(canary && { canary }) };
      const check = setup.redact(await runCheck(setup, evaluator, round));
      finished(check);
      return check;
    });
  };
}

/** The workspace as the place where checks run: no room at all. */
export function workspaceAsRoom(dir: string): Room {
  return { kind: 'workspace', workdir: dir, seenAt: dir, enter: (call) => call, close: async () => {} };
}

interface Round {
  readonly phase: Phase;
  readonly room: Room;
  readonly canary?: boolean;
  readonly atStart: readonly Check[] | undefined;
  readonly label: string;
  readonly signal: AbortSignal;
}

async function runCheck(setup: Evaluating, evaluator: ResolvedEvaluator, round: Round): Promise<Check> {
  const { spec, plugin, options } = evaluator;
  const began = monotonicMs();
  await mkdir(setup.scratch, { recursive: true });
  const scratch = await mkdtemp(join(setup.scratch, 'check-'));
  const run = async (): Promise<EvaluationOutcome> => {
    try {
      const outcome: unknown = await plugin.evaluate({
        name: spec.name,
        workdir: round.room.workdir,
        seenAt: round.room.seenAt,
        enter: round.room.enter,
        ...(round.canary && { canary: true }),
        ...knownOf(spec, round),
        ...(setup.logFilter && { logFilter: setup.logFilter }),
        options,
        env: setup.env,
        timeoutMs: spec.timeoutMs,
        signal: round.signal,
        phase: round.phase,
        scratch,
        logFile: join(setup.logs, `${round.label}.log`),
      });
      return isOutcome(outcome) ? outcome : broken(spec.uses, 'it returned no {passed, feedback}');
    } catch (error) {
      return broken(spec.uses, messageOf(error));
    }
  };
  // `passed` comes a grace after the evaluator's own clock ran out, for one that does not keep it.
  using late = deadline(round.signal, spec.timeoutMs);
  const outcome = await Promise.race([run(), late.passed.then(() => overran(spec.uses, round.signal))]);
  // What a straggler still writes there goes with the whole scratch folder after the run.
  await rm(scratch, { recursive: true, force: true, maxRetries: 2 }).catch(() => undefined);
  return asCheck(evaluator, outcome, monotonicMs() - began);
}

function knownOf(
  { name, knownFailures }: EvaluatorSpec,
  { phase, atStart }: Round,
): Pick<EvaluatorContext, 'markKnown'> {
  if (knownFailures === undefined) return {};
  const before = atStart?.find((check) => check.name === name)?.tests?.all;
  const start = phase === 'baseline' ? 'these' : before;
  return { markKnown: (tests) => markKnown(knownFailures, tests, start) };
}

/** What is no outcome at a closer look is that evaluator's failure. */
function asCheck({ spec }: ResolvedEvaluator, outcome: EvaluationOutcome, durationMs: number): Check {
  const entry = { name: spec.name, type: spec.uses };
  try {
    return checkOf(entry, outcome, durationMs);
  } catch (error) {
    return checkOf(entry, broken(spec.uses, messageOf(error)), durationMs);
  }
}

function isOutcome(value: unknown): value is EvaluationOutcome {
  return (
    typeof value === 'object' && value !== null && 'passed' in value && typeof value.passed === 'boolean'
  );
}

const broken = (type: string, why: string): EvaluationOutcome => ({
  passed: false,
  ok: false,
  cause: 'crash',
  feedback: `evaluator "${type}" failed: ${why}`,
});

const overran = (type: string, signal: AbortSignal): EvaluationOutcome => ({
  passed: false,
  ok: false,
  cause: signal.aborted ? 'aborted' : 'timeout',
  feedback: `evaluator "${type}" did not come back ${signal.aborted ? 'when it was stopped' : 'within its time limit'}`,
});
