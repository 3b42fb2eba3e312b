import type { Check, TestResult } from '../core/check.ts';
import type { AgentResult, Event, RunStarted } from '../core/event.ts';
import { emptyHistory, type History, type Iteration, record } from '../core/history.ts';
import { escalationsOf, type ReportedEscalation } from '../core/ladder.ts';
import { describe, type Outcome } from '../core/outcome.ts';
import type { Observer } from '../core/plugin.ts';
import type { ChangedFile } from '../core/tree.ts';
import type { Usage } from '../core/usage.ts';
import type { Verdict } from '../core/verdict.ts';

/** One line of a trace. Iterations count from 1, as on screen. */
export type TraceRecord = TraceStamp & TraceBody;

export interface TraceStamp {
  readonly runId: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Milliseconds since the run began, by a clock that does not jump. */
  readonly elapsedMs: number;
}

export type TraceBody =
  | ({ readonly type: 'run.start' } & Omit<RunStarted, 'type'>)
  | {
      readonly type: 'agent.event';
      readonly iteration: number;
      /** `tool`: a step of the agent. `result`: the end of its turn. */
      readonly kind: 'tool' | 'result';
      readonly tool?: string;
      readonly input?: string;
      readonly result?: Omit<AgentResult, 'proposal'>;
      readonly durationMs?: number;
    }
  | ({ readonly type: 'iteration.end'; readonly iteration: number } & TraceIteration)
  | { readonly type: 'signal'; readonly severity: 'warning' | 'info'; readonly message: string }
  | {
      readonly type: 'run.end';
      readonly outcome: Outcome['kind'];
      readonly success: boolean;
      readonly reason: string;
      readonly iterations: number;
      /** Absent where no other driver took over. */
      readonly escalations?: readonly ReportedEscalation[];
      readonly baseline?: { readonly verdict?: Verdict; readonly checks: readonly TraceCheck[] };
      readonly totalUsage: Usage;
      readonly changedFiles: readonly ChangedFile[];
      readonly diffStat: string;
    };

export interface TraceIteration {
  readonly driver: string;
  readonly changedFiles: readonly ChangedFile[];
  readonly diffStat: string;
  readonly refused: Iteration['refused'];
  readonly checks: readonly TraceCheck[];
  readonly verdict?: Verdict;
  readonly confirmation?: { readonly how: string; readonly verdict?: Verdict };
  readonly reverted?: 'unusable' | 'regression';
  readonly warnings: readonly string[];
  readonly durationMs: number;
}

/** A check without the list of all its tests and without the failures in full. */
export type TraceCheck = Omit<Check, 'tests'> & {
  readonly tests?: {
    readonly total: number;
    readonly passed: number;
    readonly skipped: number;
    readonly excepted?: number;
    readonly failing: readonly Omit<TestResult, 'detail'>[];
  };
};

/** The records that each event of one run leads to, in order. Keeps what it needs between the events. */
export function createTracer(): (event: Event) => TraceRecord[] {
  let history: History = emptyHistory;
  const told = new Set<string>();
  return (event) => {
    const before = history;
    history = record(history, event);
    const stamp = { runId: event.runId, at: new Date(event.at).toISOString(), elapsedMs: event.elapsedMs };
    return bodiesOf(event, before, history, told).map((body) => ({ ...stamp, ...body }));
  };
}

function bodiesOf(event: Event, before: History, now: History, told: Set<string>): TraceBody[] {
  switch (event.type) {
    case 'run.started': {
      const { seq: _, at: __, elapsedMs: ___, runId: ____, ...run } = event;
      return [{ ...run, type: 'run.start' }];
    }
    case 'agent.acted': {
      const { tool, input } = event;
      const iteration = event.iteration + 1;
      return [{ type: 'agent.event', iteration, kind: 'tool', tool, ...(input !== undefined && { input }) }];
    }
    case 'agent.finished': {
      const { proposal: _, ...result } = event.result;
      const { durationMs } = event;
      return [{ type: 'agent.event', iteration: event.iteration + 1, kind: 'result', result, durationMs }];
    }
    case 'iteration.started':
      return [...lastIteration(before), ...takingOver(now, event.iteration)];
    case 'warned':
      if (told.has(event.message)) return [];
      told.add(event.message);
      return [{ type: 'signal', severity: 'warning', message: event.message }];
    case 'run.finished':
      return [...lastIteration(before), runEnd(now, event.outcome)];
    default:
      return [];
  }
}

/** Told with the first iteration of the driver that takes over, after the end of the one before. */
function takingOver({ escalations }: History, iteration: number): TraceBody[] {
  const last = escalations.at(-1);
  if (last?.iteration !== iteration) return [];
  const message = `${last.to} takes over from ${last.from} (${last.because}): ${last.reason}`;
  return [{ type: 'signal', severity: 'info', message }];
}

/** An iteration ends when the next one begins or the run ends: confirming and undoing belong to it. */
function lastIteration(history: History): TraceBody[] {
  const last = history.iterations.at(-1);
  if (!last) return [];
  const { driver, changed, diffStat, refused, checks, verdict, confirmation, reverted, warnings } = last;
  return [
    {
      type: 'iteration.end',
      iteration: history.iterations.length,
      driver,
      changedFiles: changed,
      diffStat,
      refused,
      checks: checks.map(traceCheck),
      ...(verdict && { verdict }),
      ...(confirmation && {
        confirmation: {
          how: confirmation.how,
          ...(confirmation.verdict && { verdict: confirmation.verdict }),
        },
      }),
      ...(reverted && { reverted }),
      warnings,
      durationMs: last.endedMs - last.startedMs,
    },
  ];
}

function runEnd(history: History, outcome: Outcome): TraceBody {
  const { iterations, baseline, usage, changed, diffStat } = history;
  const escalations = escalationsOf(history);
  return {
    type: 'run.end',
    outcome: outcome.kind,
    success: outcome.kind === 'success',
    reason: describe(outcome),
    iterations: iterations.length,
    ...(escalations.length > 0 && { escalations }),
    ...(baseline && {
      baseline: {
        checks: baseline.checks.map(traceCheck),
        ...(baseline.verdict && { verdict: baseline.verdict }),
      },
    }),
    totalUsage: usage,
    changedFiles: changed,
    diffStat,
  };
}

function traceCheck({ tests, ...check }: Check): TraceCheck {
  if (!tests) return check;
  const { total, passed, skipped, excepted } = tests;
  return {
    ...check,
    tests: {
      total,
      passed,
      skipped,
      ...(excepted !== undefined && { excepted }),
      failing: tests.failing.map(({ detail: _, ...test }) => test),
    },
  };
}

/** An observer that keeps the trace in memory. */
export function createTraceRecorder(): Observer & { readonly records: readonly TraceRecord[] } {
  const records: TraceRecord[] = [];
  const trace = createTracer();
  return {
    name: 'trace-recorder',
    records,
    onEvent: (event) => {
      records.push(...trace(event));
    },
  };
}
