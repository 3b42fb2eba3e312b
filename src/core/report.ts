import { caveatsOf } from './caveats.ts';
import type { Check } from './check.ts';
import type { AgentResult, ChosenRoom, Face, KeptOut } from './event.ts';
import { type Confirmation, type History, type Iteration, isConfirmed, type Refusal } from './history.ts';
import { escalationsOf, type ReportedEscalation } from './ladder.ts';
import { describe, type Outcome } from './outcome.ts';
import type { Limits } from './spec.ts';
import type { ChangedFile } from './tree.ts';
import { type Trust, trustOf } from './trust.ts';
import type { Usage } from './usage.ts';
import type { Verdict } from './verdict.ts';

/** A run, as plain JSON: `report.json`. A function of the events and of nothing else. */
export interface Report {
  readonly spec: string;
  readonly specFile?: string;
  readonly runId: string;
  readonly face: Face;
  readonly driver: string;
  /** Absolute path of the tree that the agent worked in. */
  readonly workdir: string;
  /** Where a copy came from. */
  readonly origin?: string;
  readonly outcome: Outcome['kind'];
  readonly success: boolean;
  /** One sentence. */
  readonly reason: string;
  readonly trust: Trust;
  readonly baseline?: ReportedRound & {
    /** The kind of room that was settled on. */ readonly room?: ChosenRoom;
  };
  readonly iterations: readonly ReportedIteration[];
  /** Where another driver took over, and what that did. */
  readonly escalations: readonly ReportedEscalation[];
  readonly totalUsage: Usage;
  /** Work of the whole run. */
  readonly changedFiles: readonly ChangedFile[];
  readonly diffStat: string;
  readonly warnings: readonly string[];
  /** The best state, where it is not the last one. */
  readonly best?: { readonly iteration: number; readonly patch: string };
  /** Checkpoint refs; not written by this version. */
  readonly snapshot: null;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly durationMs: number;
}

/** The checks of one round and what they came to. */
export interface ReportedRound {
  readonly satisfied: boolean;
  readonly reason: string;
  readonly status: Verdict['status'];
  readonly evaluations: readonly Check[];
}

/** A green that was tried again, and what was found beside the checks. */
export type ReportedConfirmation = ReportedRound & Omit<Confirmation, 'checks' | 'verdict'>;

export interface ReportedIteration {
  /** 0-based. */
  readonly iteration: number;
  readonly driver: string;
  readonly agent?: Omit<AgentResult, 'proposal'>;
  readonly changedFiles: readonly ChangedFile[];
  readonly diffStat: string;
  readonly refused: readonly Refusal[];
  /** The agent's changes that were not in the room. */
  readonly keptOut: readonly KeptOut[];
  readonly evaluations: readonly Check[];
  /** Green, confirmed where that is asked for, and without an edit of what judges (`error`). */
  readonly satisfied: boolean;
  readonly reason: string;
  readonly status?: Verdict['status'];
  readonly confirmation?: ReportedConfirmation;
  readonly reverted?: 'unusable' | 'regression';
  readonly warnings: readonly string[];
  readonly durationMs: number;
}

const UNFINISHED: Outcome = { kind: 'error', message: 'the run did not finish' };

export function reportOf(history: History): Report {
  const outcome = history.outcome ?? UNFINISHED;
  const { run, baseline } = history;
  return {
    spec: run?.spec ?? '',
    ...(run?.specFile !== undefined && { specFile: run.specFile }),
    runId: history.runId,
    face: run?.face ?? 'run',
    driver: run?.driver ?? '',
    workdir: run?.workdir ?? '',
    ...(run?.origin !== undefined && { origin: run.origin }),
    outcome: outcome.kind,
    success: outcome.kind === 'success',
    reason: describe(outcome),
    trust: trustOf(history),
    ...(baseline?.verdict && {
      baseline: {
        ...round(baseline.verdict, baseline.checks),
        ...(baseline.room && { room: baseline.room }),
      },
    }),
    iterations: history.iterations.map((it, i) => iterationOf(it, i, run?.limits.confirm ?? 'off')),
    escalations: escalationsOf(history),
    totalUsage: history.usage,
    changedFiles: history.changed,
    diffStat: history.diffStat,
    warnings: [...new Set([...history.warnings, ...caveatsOf(history)])],
    ...(history.best && history.best.iteration !== history.iterations.length - 1 && { best: history.best }),
    snapshot: null,
    startedAt: new Date(history.startedAt).toISOString(),
    endedAt: new Date(history.startedAt + history.elapsedMs).toISOString(),
    durationMs: history.elapsedMs,
  };
}

function round(verdict: Verdict, checks: readonly Check[]): ReportedRound {
  return {
    satisfied: verdict.status === 'pass',
    reason: verdict.reason,
    status: verdict.status,
    evaluations: checks.map(withoutIds),
  };
}

function isSatisfied({ verdict, confirmation, refused }: Iteration, confirm: Limits['confirm']): boolean {
  if (verdict?.status !== 'pass' || refused.some((refusal) => refusal.reaction === 'error')) return false;
  return confirm === 'off' || isConfirmed(confirmation);
}

function iterationOf(it: Iteration, iteration: number, confirm: Limits['confirm']): ReportedIteration {
  const { proposal: _, ...agent } = it.agent ?? ({} as AgentResult);
  return {
    iteration,
    driver: it.driver,
    ...(it.agent && { agent }),
    changedFiles: it.changed,
    diffStat: it.diffStat,
    refused: it.refused,
    keptOut: it.keptOut,
    evaluations: it.checks.map(withoutIds),
    satisfied: isSatisfied(it, confirm),
    reason: it.verdict?.reason ?? 'not judged',
    ...(it.verdict && { status: it.verdict.status }),
    ...confirmationOf(it.confirmation),
    ...(it.reverted && { reverted: it.reverted }),
    warnings: it.warnings,
    durationMs: it.endedMs - it.startedMs,
  };
}

function confirmationOf(confirmation: Confirmation | undefined): Pick<ReportedIteration, 'confirmation'> {
  if (!confirmation?.verdict) return {};
  const { checks, verdict, ...found } = confirmation;
  return { confirmation: { ...round(verdict, checks), ...found } };
}

/** The list of all ids stays in the journal. */
function withoutIds(check: Check): Check {
  if (!check.tests?.all) return check;
  const { all: _, ...tests } = check.tests;
  return { ...check, tests };
}
