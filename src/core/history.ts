import type { Check, TestSummary } from './check.ts';
import { slimLedger } from './comparison.ts';
import type {
  AgentResult,
  ChosenRoom,
  ConfirmationJudged,
  Escalation,
  Event,
  KeptOut,
  RunStarted,
} from './event.ts';
import type { Violation } from './guard.ts';
import type { Outcome } from './outcome.ts';
import { excerpt } from './shorten.ts';
import type { Suspicion } from './suspicion/row.ts';
import type { ChangedFile } from './tree.ts';
import { addUsage, type Usage } from './usage.ts';
import type { Verdict } from './verdict.ts';

/** What the run knows so far: the events, folded. Stop policies and the report read this and nothing else. */
export interface History {
  readonly runId: string;
  readonly run?: RunStarted;
  /** Wall clock, milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Monotonic, since the run began. */
  readonly elapsedMs: number;
  readonly preflightErrors: readonly string[];
  readonly baseline?: Baseline;
  readonly iterations: readonly Iteration[];
  /** Where another driver took over. */
  readonly escalations: readonly Escalation[];
  readonly usage: Usage;
  readonly warnings: readonly string[];
  /** Work of the whole run, against its start. */
  readonly changed: readonly ChangedFile[];
  readonly diffStat: string;
  readonly best?: { readonly iteration: number; readonly patch: string };
  readonly aborted: boolean;
  readonly failure?: string;
  readonly outcome?: Outcome;
}

export interface Baseline {
  readonly checks: readonly Check[];
  readonly verdict?: Verdict;
  readonly unrunnable?: string;
  readonly room?: ChosenRoom;
}

export interface Iteration {
  readonly driver: string;
  readonly agent?: AgentResult;
  readonly refused: readonly Refusal[];
  readonly changed: readonly ChangedFile[];
  readonly diffStat: string;
  /** Of the latest iteration only. */
  readonly diff: string;
  /** Git id of the tree of work after the turn. */
  readonly tree?: string;
  readonly checks: readonly Check[];
  readonly verdict?: Verdict;
  readonly confirmation?: Confirmation;
  /** The agent's changes that were not in the room. */
  readonly keptOut: readonly KeptOut[];
  /** Of a green that was not tried again; else the confirmation has them. */
  readonly suspicions?: readonly Suspicion[];
  readonly reverted?: 'unusable' | 'regression';
  readonly warnings: readonly string[];
  readonly startedMs: number;
  readonly endedMs: number;
}

export interface Confirmation extends Omit<ConfirmationJudged, 'type' | 'iteration' | 'verdict'> {
  readonly checks: readonly Check[];
  readonly verdict?: Verdict;
}

/** What an iteration came to: its confirmation, where that was not green; else its own checks. */
export function roundOf(iteration: Iteration): Pick<Iteration, 'checks' | 'verdict'> {
  const { confirmation } = iteration;
  return confirmation?.verdict && confirmation.verdict.status !== 'pass' ? confirmation : iteration;
}

/** A pass that was seen again, with nothing that takes it back: rooms that differ, a runner that hides failures. */
export function isConfirmed(confirmation: Confirmation | undefined): boolean {
  if (confirmation?.verdict?.status !== 'pass' || confirmation.differs) return false;
  return !confirmation.canary?.some((finding) => finding.result === 'wrong');
}

export type Refusal = Violation & { readonly putBack: boolean };

export const emptyHistory: History = {
  runId: '',
  startedAt: 0,
  endedAt: 0,
  elapsedMs: 0,
  preflightErrors: [],
  iterations: [],
  escalations: [],
  usage: {},
  warnings: [],
  changed: [],
  diffStat: '',
  aborted: false,
};

/** The history with one more event. Never changes `past`. */
export function record(past: History, event: Event): History {
  const h: History = { ...past, endedAt: event.at, elapsedMs: event.elapsedMs };
  switch (event.type) {
    case 'run.started': {
      const { seq, at, elapsedMs, runId, ...run } = event;
      return { ...h, runId, run, startedAt: at };
    }
    case 'preflight.finished':
      return { ...h, preflightErrors: event.errors };
    case 'baseline.started':
      return { ...h, baseline: { checks: [] } };
    case 'baseline.judged':
      return {
        ...h,
        baseline: {
          checks: h.baseline?.checks ?? [],
          verdict: event.verdict,
          ...(event.unrunnable !== undefined && { unrunnable: event.unrunnable }),
          ...(event.room && { room: event.room }),
        },
      };
    case 'driver.escalated': {
      const { type, seq, at, elapsedMs, runId, ...escalation } = event;
      return { ...h, escalations: [...h.escalations, escalation] };
    }
    case 'iteration.started':
      return { ...h, iterations: [...withSlimEnd(h.iterations), begun(event.driver, event.elapsedMs)] };
    case 'warned':
      return warned(h, event.message);
    case 'best.kept':
      return { ...h, best: { iteration: event.iteration, patch: event.patch } };
    case 'run.aborted':
      return { ...h, aborted: true };
    case 'run.failed':
      return { ...h, failure: event.message };
    case 'run.finished':
      return { ...h, outcome: event.outcome };
    case 'agent.acted':
    case 'check.started':
      return h;
    default:
      return recordInIteration(h, event);
  }
}

type IterationEvent = Extract<
  Event,
  {
    type:
      | 'agent.finished'
      | 'edit.refused'
      | 'tree.changed'
      | 'check.finished'
      | 'iteration.judged'
      | 'confirmation.judged'
      | 'workspace.reverted';
  }
>;

function recordInIteration(h: History, event: IterationEvent): History {
  switch (event.type) {
    case 'agent.finished':
      return { ...latest(h, { agent: event.result }), usage: addUsage(h.usage, event.result.usage) };
    case 'edit.refused':
      return latest(h, {
        refused: [...(last(h)?.refused ?? []), { ...event.violation, putBack: event.putBack }],
      });
    case 'tree.changed': {
      const { tree, changed, stat, diff } = event;
      return {
        ...latest(h, { tree, changed, diffStat: stat, diff }),
        changed: event.total,
        diffStat: event.totalStat,
      };
    }
    case 'check.finished':
      return recordCheck(h, event.phase, event.check);
    case 'iteration.judged':
      return latest(h, {
        verdict: event.verdict,
        keptOut: event.keptOut ?? [],
        ...(event.suspicions && { suspicions: event.suspicions }),
      });
    case 'confirmation.judged':
      return latest(h, { confirmation: confirmationOf(event, last(h)?.confirmation?.checks ?? []) });
    case 'workspace.reverted':
      return {
        ...latest(h, { reverted: event.because }),
        changed: event.total,
        diffStat: event.totalStat,
      };
  }
}

function recordCheck(h: History, phase: 'baseline' | 'iteration' | 'confirm', check: Check): History {
  switch (phase) {
    case 'baseline':
      return { ...h, baseline: { ...h.baseline, checks: withCheck(h.baseline?.checks ?? [], check) } };
    case 'iteration':
      return latest(h, { checks: withCheck(last(h)?.checks ?? [], check) });
    case 'confirm': {
      const confirmation = last(h)?.confirmation ?? { how: 'rerun', checks: [] };
      return latest(h, { confirmation: { ...confirmation, checks: withCheck(confirmation.checks, check) } });
    }
  }
}

type Judged = Extract<Event, { type: 'confirmation.judged' }>;

function confirmationOf(event: Judged, checks: readonly Check[]): Confirmation {
  const { type, iteration, runId, seq, at, elapsedMs, ...confirmation } = event;
  return { ...confirmation, checks };
}

/** A check that runs again takes the place of its earlier result. */
function withCheck(checks: readonly Check[], check: Check): readonly Check[] {
  return [...checks.filter((other) => other.name !== check.name), check];
}

const last = (h: History) => h.iterations.at(-1);

function latest(h: History, change: Partial<Iteration>): History {
  const current = h.iterations.at(-1);
  if (!current) return h;
  return {
    ...h,
    iterations: [...h.iterations.slice(0, -1), { ...current, ...change, endedMs: h.elapsedMs }],
  };
}

function begun(driver: string, startedMs: number): Iteration {
  return {
    driver,
    refused: [],
    changed: [],
    diffStat: '',
    diff: '',
    checks: [],
    keptOut: [],
    warnings: [],
    startedMs,
    endedMs: startedMs,
  };
}

function warned(h: History, message: string): History {
  if (h.warnings.includes(message)) return h;
  const all = { ...h, warnings: [...h.warnings, message] };
  const current = h.iterations.at(-1);
  return current ? latest(all, { warnings: [...current.warnings, message] }) : all;
}

/** Characters that past iterations keep of a text. */
const OLD_FEEDBACK_CHARS = 400;
const OLD_MESSAGE_CHARS = 200;
const OLD_STAT_CHARS = 2_000;
const OLD_IDS = 5;

/** Past iterations keep what the report shows, so that memory stays flat over hundreds of them. */
function withSlimEnd(iterations: readonly Iteration[]): readonly Iteration[] {
  return [...iterations.slice(0, -1), ...iterations.slice(-1).map(slim)];
}

function slim(iteration: Iteration): Iteration {
  const { confirmation } = iteration;
  return {
    ...iteration,
    diff: '',
    diffStat: excerpt(iteration.diffStat, OLD_STAT_CHARS),
    checks: iteration.checks.map(slimCheck),
    ...(iteration.agent && { agent: slimResult(iteration.agent) }),
    ...(confirmation && { confirmation: { ...confirmation, checks: confirmation.checks.map(slimCheck) } }),
  };
}

function slimResult({ proposal: _, ...result }: AgentResult): AgentResult {
  return {
    ...result,
    summary: excerpt(result.summary, OLD_STAT_CHARS),
    ...(result.problem !== undefined && { problem: excerpt(result.problem, OLD_FEEDBACK_CHARS) }),
  };
}

function slimCheck({ tests, ledger, ...check }: Check): Check {
  return {
    ...check,
    feedback: excerpt(check.feedback, OLD_FEEDBACK_CHARS),
    ...(tests && { tests: slimTests(tests) }),
    ...(ledger && { ledger: slimLedger(ledger, OLD_IDS) }),
  };
}

function slimTests({ all: _, known: __, ...tests }: TestSummary): TestSummary {
  const failing = tests.failing.map(({ detail: ___, message, ...test }) => ({
    ...test,
    ...(message !== undefined && { message: excerpt(message, OLD_MESSAGE_CHARS) }),
  }));
  return { ...tests, failing };
}
