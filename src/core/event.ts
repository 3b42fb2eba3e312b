import type { CanaryResult, Check } from './check.ts';
import type { Violation } from './guard.ts';
import type { Outcome } from './outcome.ts';
import type { RoomKind } from './room.ts';
import type { EscalationCause, Limits, RevertPolicy, WorkspaceMode } from './spec.ts';
import type { Suspicion } from './suspicion/row.ts';
import type { ChangedFile } from './tree.ts';
import type { Usage } from './usage.ts';
import type { Verdict } from './verdict.ts';

/**
 * Everything that can happen in a run. The journal holds these and nothing
 * else; the transcript, the trace, the artefacts and the report are made from them.
 */
export type Event = Stamp & Happening;

export interface Stamp {
  readonly runId: string;
  /** 0, 1, 2, … within the run. */
  readonly seq: number;
  /** Wall clock, milliseconds since the epoch. May jump; durations never come from it. */
  readonly at: number;
  /** Monotonic, milliseconds since the run began. */
  readonly elapsedMs: number;
}

export type Happening =
  | RunStarted
  | PreflightFinished
  | BaselineStarted
  | BaselineJudged
  | DriverEscalated
  | IterationStarted
  | AgentActed
  | AgentFinished
  | EditRefused
  | TreeChanged
  | CheckStarted
  | CheckFinished
  | IterationJudged
  | ConfirmationJudged
  | Reverted
  | BestKept
  | Warned
  | Aborted
  | Failed
  | RunFinished;

/** Which command built the spec. Only words on screen depend on it. */
export type Face = 'run' | 'fix' | 'tdd';

/** Where checks ran: the baseline, an iteration, or the confirmation of a green. */
export type Phase = 'baseline' | 'iteration' | 'confirm';

/** The run began. Emitted once, first. */
export interface RunStarted {
  readonly type: 'run.started';
  readonly spec: string;
  readonly specFile?: string;
  readonly requirements: string;
  readonly face: Face;
  /** Absolute path of the tree that the agent works in. */
  readonly workdir: string;
  /** Absolute path of the tree it was copied from, where it is a copy. */
  readonly origin?: string;
  readonly mode: WorkspaceMode;
  readonly driver: string;
  readonly driverKind: 'agent' | 'one-shot';
  readonly evaluators: readonly { readonly name: string; readonly type: string }[];
  readonly limits: Limits;
  readonly revert: RevertPolicy;
  /** Drivers that may take over, in their order. Absent: there is none. */
  readonly ladder?: readonly LadderRung[];
  /** Git id of the tree at the start, in the run's own store. */
  readonly tree: string;
  /** Version of loopgen. */
  readonly version: string;
}

/** A driver that may take over where the run would end. */
export interface LadderRung {
  /** The ends that lead to it. */
  readonly after: readonly EscalationCause[];
  readonly driver: string;
  readonly driverKind: 'agent' | 'one-shot';
  readonly revert: RevertPolicy;
}

export interface PreflightFinished {
  readonly type: 'preflight.finished';
  readonly errors: readonly string[];
}

export interface BaselineStarted {
  readonly type: 'baseline.started';
}

/** The checks ran before any agent work. */
export interface BaselineJudged {
  readonly type: 'baseline.judged';
  readonly verdict: Verdict;
  /** Set where nothing can be judged: the run ends `unrunnable`. */
  readonly unrunnable?: string;
  /** Where the checks of this run are judged. */
  readonly room?: ChosenRoom;
}

/** The kind of room that was settled on at the baseline. */
export interface ChosenRoom {
  readonly kind: RoomKind;
  /** Why it is not a better one, as a phrase; absent for the best. */
  readonly because?: string;
}

/** What became of the canary of one check. */
export interface CanaryFinding {
  readonly check: string;
  readonly result: CanaryResult;
  /** Why it is wrong, had no turn, or cannot be. */
  readonly because?: string;
}

/** The next driver of the ladder took over where the run would have ended. */
export interface DriverEscalated extends Escalation {
  readonly type: 'driver.escalated';
}

export interface Escalation {
  /** 0-based number of its first iteration. */
  readonly iteration: number;
  /** 0-based place in the ladder. */
  readonly rung: number;
  readonly from: string;
  readonly to: string;
  readonly because: EscalationCause;
  /** The sentence of the outcome that would have ended the run. */
  readonly reason: string;
}

export interface IterationStarted {
  readonly type: 'iteration.started';
  readonly iteration: number;
  /** The driver of this iteration. */
  readonly driver: string;
}

/** One step of the agent's own trajectory, passed on by the driver. */
export interface AgentActed {
  readonly type: 'agent.acted';
  readonly iteration: number;
  readonly tool: string;
  readonly input?: string;
}

export interface AgentFinished {
  readonly type: 'agent.finished';
  readonly iteration: number;
  readonly result: AgentResult;
  readonly durationMs: number;
}

/** The agent edited, or tried to edit, what it must not. Kept even when undone. */
export interface EditRefused {
  readonly type: 'edit.refused';
  readonly iteration: number;
  readonly violation: Violation;
  /** True when the start's version stands again; false for `warn`. */
  readonly putBack: boolean;
}

/** What the turn left in the workspace, after refused edits were put back. */
export interface TreeChanged {
  readonly type: 'tree.changed';
  readonly iteration: number;
  /** Git id of the tree of work (without artefacts and ignored paths), in the run's own store. */
  readonly tree: string;
  /** This turn's changes that count as work. */
  readonly changed: readonly ChangedFile[];
  /** `git diff --stat` of this turn, bounded. */
  readonly stat: string;
  /** The diff of this turn, bounded for the prompt; the whole is in `iteration-NN.patch`. */
  readonly diff: string;
  /** All changes since the start that count as work. */
  readonly total: readonly ChangedFile[];
  readonly totalStat: string;
}

export interface CheckStarted {
  readonly type: 'check.started';
  readonly phase: Phase;
  readonly name: string;
}

export interface CheckFinished {
  readonly type: 'check.finished';
  readonly phase: Phase;
  readonly check: Check;
}

export interface IterationJudged {
  readonly type: 'iteration.judged';
  readonly iteration: number;
  readonly verdict: Verdict;
  /** The agent's changes that were not in the room, and why. */
  readonly keptOut?: readonly KeptOut[];
  /** Set for a green that is not tried again: what of the patch can make a judge blind. Absent: it was not read. */
  readonly suspicions?: readonly Suspicion[];
}

/** A change of the agent's that does not go into the room: the start's version is used. */
export interface KeptOut {
  readonly path: string;
  /** A phrase: `its tests were red at the start`. */
  readonly because: string;
  /** The line of the spec that would let it in; absent where nothing would. */
  readonly allow?: string;
  /** Something reads it by itself, so the workspace may behave otherwise than what was checked. */
  readonly inForce?: true;
}

/** A green was tried again. */
export interface ConfirmationJudged {
  readonly type: 'confirmation.judged';
  readonly iteration: number;
  readonly how: 'rerun' | 'room';
  readonly verdict: Verdict;
  /** Two fresh rooms of one tree did not agree. */
  readonly differs?: boolean;
  /** What they did not agree on, in one sentence. */
  readonly difference?: string;
  /** The fresh room of a confirmation `how: room`. */
  readonly room?: { readonly kind: RoomKind };
  /** One for every check that is judged by test ids. */
  readonly canary?: readonly CanaryFinding[];
  /** Edits of what judges that this green stands on, one sentence each. */
  readonly caveats?: readonly string[];
  /** Paths that a rule would have kept out of the room, but for `allow`. */
  readonly allowed?: readonly string[];
  /** What of the patch can make a judge blind. Absent: it was not read. */
  readonly suspicions?: readonly Suspicion[];
}

/** The workspace went back to how it stood before this iteration. */
export interface Reverted {
  readonly type: 'workspace.reverted';
  readonly iteration: number;
  readonly because: 'unusable' | 'regression';
  /** Git id of the tree that stands again. */
  readonly tree: string;
  /** All changes since the start that are left. */
  readonly total: readonly ChangedFile[];
  readonly totalStat: string;
}

/** The state after this iteration is the best so far; its patch against the start is kept. */
export interface BestKept {
  readonly type: 'best.kept';
  readonly iteration: number;
  readonly patch: string;
}

/** A caveat that a reader of the report should see. */
export interface Warned {
  readonly type: 'warned';
  readonly message: string;
}

/** The user stopped the run. */
export interface Aborted {
  readonly type: 'run.aborted';
}

/** The machine or loopgen itself failed. */
export interface Failed {
  readonly type: 'run.failed';
  readonly message: string;
}

/** The run ended. Emitted once, last. */
export interface RunFinished {
  readonly type: 'run.finished';
  readonly outcome: Outcome;
}

/** Why a turn ended. Decides nothing about success: only checks do. */
export type StopReason =
  | 'completed'
  | 'max-turns'
  | 'gave-up'
  | 'rate-limited'
  | 'truncated'
  | 'refused'
  | 'stalled'
  | 'timed-out'
  | 'aborted'
  | 'error';

/** What a driver says of one turn. */
export interface AgentResult {
  readonly stopReason: StopReason;
  /** In the agent's or driver's words, one paragraph. */
  readonly summary: string;
  /** This turn only, never cumulative. Absent: unknown. */
  readonly usage?: Usage;
  readonly sessionId?: string;
  /** What was wrong with the reply, told to the agent in the next prompt. */
  readonly problem?: string;
  /** What a one-shot proposer proposed, written or not. */
  readonly proposal?: Proposal;
}

/** The reply of a one-shot proposer. */
export interface Proposal {
  readonly reasoning: string;
  readonly files: readonly { readonly path: string; readonly content: string }[];
}

/**
 * What happens between events, for the screen only: never recorded, never in
 * the report.
 */
export type Progress =
  | { readonly type: 'agent.output'; readonly text: string }
  | { readonly type: 'waiting'; readonly what: string };
