import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Check, checkOf, type EvaluationOutcome } from '../core/check.ts';
import { messageOf } from '../core/error.ts';
import type { Environment } from '../core/plugin.ts';
import { pool } from '../core/pool.ts';
import type { EvaluateRequest } from '../core/ports.ts';
import { monotonicMs } from '../system/clock.ts';
import { deadline } from './deadline.ts';
import type { ResolvedEvaluator } from './resolve.ts';

export interface Evaluating {
  readonly evaluators: readonly ResolvedEvaluator[];
  readonly concurrency: number;
  readonly workdir: string;
  readonly env: Environment;
  /** A folder outside of the workspace, gone after the run. */
  readonly scratch: string;
  /** Folder for whole outputs. */
  readonly logs: string;
  readonly signal: AbortSignal;
  readonly redact: <T>(value: T) => T;
}

/** The engine's `evaluate` port: all checks, at most `concurrency` at a time, results in the spec's order. */
export function evaluating(setup: Evaluating): (request: EvaluateRequest) => Promise<readonly Check[]> {
  let round = 0;
  return async ({ phase, timeLeftMs, started, finished }) => {
    using limit = deadline(setup.signal, timeLeftMs);
    const number = round++;
    return await pool(setup.evaluators, setup.concurrency, async (evaluator) => {
      started(evaluator.spec.name);
      const label = `${String(number).padStart(2, '0')}-${phase}-${evaluator.spec.name.replace(/[^\w.-]/g, '_')}`;
      const check = setup.redact(await runCheck(setup, evaluator, { phase, label, signal: limit.signal }));
      finished(check);
      return check;
    });
  };
}

interface Round {
  readonly phase: EvaluateRequest['phase'];
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
        workdir: setup.workdir,
        seenAt: setup.workdir,
        enter: (call) => call,
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
