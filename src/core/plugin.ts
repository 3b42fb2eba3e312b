import type { EvaluationOutcome, TestResult } from './check.ts';
import type { AgentResult, Event, Phase, Progress, Proposal } from './event.ts';
import type { Feedback } from './feedback.ts';
import type { Marked } from './known-failures.ts';
import type { Call } from './room.ts';
import type { Spec } from './spec.ts';

/** Standard Schema v1: a plug-in declares its options with any library that speaks it (standardschema.dev). */
export interface OptionsSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => unknown;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

/** Variables of the environment that a plug-in's processes get; complete, not to be merged with `process.env`. */
export type Environment = Readonly<Record<string, string>>;

/**
 * Wraps some coding agent.
 *
 * Contract: `run` settles soon after `signal` aborts; a failure of the agent is
 * a result (`stopReason: 'error'`), not a throw. What it throws is taken as the
 * driver's failure, with its name.
 */
// biome-ignore lint/suspicious/noExplicitAny: a registry holds drivers of every option type
export interface AgentDriver<Options = any> {
  readonly name: string;
  readonly description?: string;
  /** `one-shot` asks a model once a turn and writes whole files through `Turn.write`. Default: `agent`. */
  readonly kind?: 'agent' | 'one-shot';
  /** False when turns never carry usage, so that cost and token limits cannot be kept. Default: true. */
  readonly reportsUsage?: boolean;
  /** Names of variables that this agent needs (its keys), beside the allow-list. */
  readonly env?: readonly string[] | ((options: Options) => readonly string[]);
  readonly options?: OptionsSchema<Options>;
  /** What would keep it from running, each with the command that mends it. Costs nothing, starts no turn. */
  preflight?(context: PreflightContext<Options>): Promise<readonly string[]>;
  /** What is there of its agent on this machine, or of each that it can lead. From files and the programs themselves, without a network. */
  inspect?(machine: Machine): Promise<readonly Installation[]>;
  run(turn: Turn<Options>): Promise<AgentResult>;
  /**
   * For a driver that keeps something alive over the turns of a run (a process, a connection): called once a run, and
   * its preflight and turns then go to what this gives. `run` alone must work without it, for a single turn.
   */
  open?(): OpenedDriver<Options>;
}

/** A driver that is in use by one run. */
// biome-ignore lint/suspicious/noExplicitAny: as for the driver itself
export interface OpenedDriver<Options = any> {
  /** In place of the driver's own. What it starts may serve the first turn. */
  preflight?(context: PreflightContext<Options>): Promise<readonly string[]>;
  run(turn: Turn<Options>): Promise<AgentResult>;
  /** Gives up what it keeps. Called once, on every outcome; it has five seconds. */
  close(): Promise<void>;
}

export interface PreflightContext<Options = unknown> {
  readonly workdir: string;
  readonly options: Options;
  readonly env: Environment;
  readonly signal: AbortSignal;
  /** Takes what may keep it from running, but need not: a caveat in the report. Absent: nobody listens. */
  readonly warn?: (message: string) => void;
}

/** Where agents are looked for. */
export interface Machine {
  /** The folder that is asked from. */
  readonly workdir: string;
  /** The allow-list of the user's environment, with the variables of these names (an agent's keys). */
  readonly environment: (names?: readonly string[]) => Environment;
  /** Longest time for a program to tell its version, milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What is there of an agent on this machine. */
export interface Installation {
  /** Which one, where a driver leads several. */
  readonly agent?: string;
  /** Path of its program; absent where there is none. */
  readonly program?: string;
  readonly version?: string;
  /** `not-needed`: it takes no account. `unknown`: only a turn would tell. */
  readonly login: 'yes' | 'no' | 'not-needed' | 'unknown';
  /** Why it cannot be started, with the command that mends it. */
  readonly problem?: string;
  /** What to do about the rest, one sentence each. */
  readonly advice: readonly string[];
}

/** One call of a driver. */
export interface Turn<Options = unknown> {
  readonly runId: string;
  /** 0-based, of the run. */
  readonly iteration: number;
  /** How many turns this driver has had before; fewer than `iteration` where it took over. Absent: as many. */
  readonly ownTurn?: number;
  /** Absolute path of the tree to work in. */
  readonly workdir: string;
  /** The whole prompt as text: requirements first, later what still fails. */
  readonly prompt: string;
  /** The system part of the prompt, for agents that take one apart. */
  readonly system: string;
  /** The same as data; absent in the first turn where there was no baseline. */
  readonly feedback?: Feedback;
  readonly options: Options;
  readonly env: Environment;
  /** Session of the last turn, to be gone on with. */
  readonly sessionId?: string;
  /** Longest silence of the agent, milliseconds; the driver ends it as `stalled`. */
  readonly idleTimeoutMs?: number;
  /** Aborts on the turn's time limit, the run's, and the user's Ctrl-C. `signal.reason` is `'timed-out'` for limits. */
  readonly signal: AbortSignal;
  /** Pass on what the agent does, as it does it. */
  readonly acted: (tool: string, input?: string) => void;
  /** Pass on what it prints; shown by `-v`, not recorded. */
  readonly output: (text: string) => void;
  /** Say what the turn waits for, for the progress line. */
  readonly waiting: (what: string) => void;
  /** Write a whole file, for drivers that propose edits: refuses what is guarded and what lies outside. */
  readonly write: (path: string, content: string) => Promise<WriteResult>;
  /** Delete a file, under the same rules. */
  readonly remove: (path: string) => Promise<WriteResult>;
  /** An empty folder for the driver's own files, outside the workspace; gone after the run. */
  readonly scratch: string;
}

export type WriteResult =
  | { readonly written: true }
  | { readonly written: false /** One sentence. */; readonly because: string };

/** A callable proposer for library users: a proposal, or `null` for "nothing left to try". */
export type Proposer = (turn: Turn) => Promise<Proposal | null> | Proposal | null;

/** Measures the workspace. Should not change it. */
// biome-ignore lint/suspicious/noExplicitAny: a registry holds evaluators of every option type
export interface Evaluator<Options = any> {
  readonly type: string;
  readonly description?: string;
  readonly options?: OptionsSchema<Options>;
  /** Command lines that it will run, for the guard and for preflight. Pure. */
  commands?(options: Options): readonly string[];
  /** A throw is this check's failure to run (`unusable`, cause `crash`), with the evaluator's name. */
  evaluate(context: EvaluatorContext<Options>): Promise<EvaluationOutcome>;
}

export interface EvaluatorContext<Options = unknown> {
  /** The check's name in the spec. */
  readonly name: string;
  /** Where this process finds the files: in the room, which is not where the agent works. */
  readonly workdir: string;
  /** The same place as the processes that the check starts see it. */
  readonly seenAt: string;
  /** Maps a process into the room: every process of a check is started with what this gives. */
  readonly enter: (call: Call) => Call;
  readonly options: Options;
  readonly env: Environment;
  /** The whole check's clock. The evaluator ends what it started and says `timeout`. */
  readonly timeoutMs: number;
  /** The user's Ctrl-C or the run's wall clock: cause `aborted`. */
  readonly signal: AbortSignal;
  readonly phase: Phase;
  /** An empty folder outside the workspace for reports and the like; gone after the check. */
  readonly scratch: string;
  /** A file for the whole output where it is cut. Its folder exists. */
  readonly logFile: string;
  /** Takes known secrets out of what goes into `logFile`, piece by piece. Default: what it holds stays as it is. */
  readonly logFilter?: () => {
    push(bytes: Uint8Array): Uint8Array;
    /** What was held back. */
    end(): Uint8Array;
  };
  /**
   * True: a test that has to fail is added to the suite, in the realm of its tests and after them, with fail-fast and
   * retries off. The outcome's `passed` is about the other tests alone, and its `canary` says whether that one failed.
   * An evaluator that cannot add one says `canary: 'none'`; one that says nothing has missed it. Default: false.
   */
  readonly canary?: boolean;
  /**
   * Present where the spec names known failures of the check: marks them among the tests of its report. They are no
   * reason against `passed`; the outcome carries the marked tests, and what is said beside them as `known`.
   */
  readonly markKnown?: (tests: readonly TestResult[]) => Marked;
}

/**
 * Prompts and checks for one kind of task.
 */
export interface TaskType {
  readonly type: string;
  readonly description?: string;
  /** Who the agent is and how to work: the system part. */
  system(spec: Spec): string;
  /** What to do, first turn. */
  initial(spec: Spec): string;
  /** What to do, later turns; the feedback follows it. */
  iteration(spec: Spec): string;
}

/**
 * Watches a run. Cannot change it: an observer that throws is dropped with one
 * warning and the run goes on. Events are shared and must not be changed.
 */
export interface Observer {
  readonly name: string;
  /** Files that it writes; they never count as the agent's change. */
  readonly files?: readonly string[];
  /** What would keep it from working. */
  preflight?(): Promise<readonly string[]>;
  onEvent(event: Event): void | Promise<void>;
  onProgress?(progress: Progress): void;
  /** Awaited on every outcome. */
  close?(): Promise<void>;
}

/** Makes an observer from the options in a spec. */
// biome-ignore lint/suspicious/noExplicitAny: a registry holds observers of every option type
export interface ObserverFactory<Options = any> {
  readonly type: string;
  readonly description?: string;
  readonly options?: OptionsSchema<Options>;
  create(options: Options, context: { readonly specDir: string }): Observer;
}
