import type { Accepted } from './accept.ts';
import type { Check } from './check.ts';
import type { ChangedDependencies } from './confirm.ts';
import type { AgentResult, CanaryFinding, ChosenRoom, Event, KeptOut, Phase } from './event.ts';
import type { GuardRule, Violation } from './guard.ts';
import type { History } from './history.ts';
import type { Suspicion } from './suspicion/row.ts';
import type { Snapshot, TreeChange, Workspace } from './workspace.ts';

/** All that the loop does to the world. */
export interface Ports {
  /** Wall clock, milliseconds since the epoch. */
  readonly now: () => number;
  /** Monotonic, milliseconds since the run began. */
  readonly elapsed: () => number;
  /** Takes known secrets out of every text in a piece of plain data. Every event goes through it. */
  readonly redact: <T>(value: T) => T;
  /** Takes every event, in order. Must not throw. */
  readonly notify: (event: Event) => void;
  /** What went wrong with the records (disk full), so that the run must end. */
  readonly failure: () => string | undefined;
  /** Caveats that came up since the last call, for the report. */
  readonly takeWarnings: () => readonly string[];
  /** What is missing; empty to go on. */
  readonly preflight: () => Promise<readonly string[]>;
  /** Why nothing can be judged in this workspace, if so; asked before the baseline. */
  readonly obstacle: () => string | undefined;
  /** What may have kept the checks from running, for the message. */
  readonly unusableHint: () => string | undefined;
  readonly workspace: Workspace;
  readonly rules: readonly GuardRule[];
  readonly drive: (request: DriveRequest) => Promise<AgentResult>;
  readonly evaluate: (request: EvaluateRequest) => Promise<Judged>;
  /** Reads those of the changes since the start that checks see, for what can make a judge blind. */
  readonly suspicions: (changes: readonly TreeChange[]) => readonly Suspicion[];
  /** Where a file of this run's records lies. */
  readonly recordFile: (name: string) => string;
  /** Takes known secrets out of such a file. Default: it stays as it is. */
  readonly redactFile?: (file: string) => Promise<void>;
}

export interface DriveRequest {
  readonly iteration: number;
  readonly history: History;
  /** Milliseconds until the turn must end; absent: no limit. */
  readonly timeLeftMs?: number;
  readonly acted: (tool: string, input?: string) => void;
  /** An edit that was refused before it was written. */
  readonly refused: (violation: Violation) => void;
}

export interface EvaluateRequest {
  readonly phase: Phase;
  /** The state of the workspace that is judged. */
  readonly at: Snapshot;
  /** All that differs from the start in it. */
  readonly changes: readonly TreeChange[];
  /** Milliseconds until the checks must end; absent: their own clocks only. */
  readonly timeLeftMs?: number;
  readonly started: (name: string) => void;
  readonly finished: (check: Check) => void;
}

/** The checks of one round, and what is to be known of where they ran. */
export interface Judged {
  readonly checks: readonly Check[];
  /** The room that was settled on; absent where there is but the workspace. */
  readonly room?: ChosenRoom;
  /** The agent's changes that are not in the room. */
  readonly keptOut: readonly KeptOut[];
  /** Of a confirmation in a fresh room. */
  readonly fresh?: FreshFindings;
}

/** What a fresh room showed beside its checks. */
export interface FreshFindings {
  readonly canary: readonly CanaryFinding[];
  readonly caveats: readonly string[];
  readonly allowed: readonly string[];
  readonly doubts: Accepted['doubts'];
  /** What changed in the dependencies, and why they could not be made again in the room. */
  readonly dependencies?: ChangedDependencies;
  /** Why what the room sees around its tree cannot be trusted any more. */
  readonly around?: string;
}
