import type { Reaction } from './guard.ts';

/**
 * A loop spec with every default filled in: what the engine works with. The
 * file format, its defaults and its documentation live in `spec/schema.ts`.
 */
export interface Spec {
  readonly version: 1;
  readonly name: string;
  readonly description?: string;
  readonly requirements: string;
  readonly task: { readonly type: string; readonly [option: string]: unknown };
  readonly stack: {
    readonly language?: string;
    readonly framework?: string;
    readonly packageManager?: string;
    readonly [option: string]: unknown;
  };
  readonly workspace: {
    /** As written; resolved by the composition root. */
    readonly dir: string;
    readonly mode: WorkspaceMode;
    readonly snapshot: 'none' | 'git';
    /** Globs that do not count as work, beside the built-in artefacts. */
    readonly ignore: readonly string[];
    /** Absent: by the driver's kind. */
    readonly revert?: RevertPolicy;
  };
  /** Commands that install the dependencies: in a fresh copy that lacks them, in a fresh room where they changed. */
  readonly setup: readonly string[];
  readonly driver: DriverSpec;
  /** Drivers that take over where the run would end, in their order. */
  readonly escalate: readonly EscalationSpec[];
  readonly evaluators: readonly EvaluatorSpec[];
  readonly success: Criteria;
  /** More paths that the agent must not touch. */
  readonly protect: readonly string[];
  /** Paths that it may touch although a rule would guard them. */
  readonly allow: readonly string[];
  readonly limits: Limits;
  readonly evaluation: { readonly concurrency: number; readonly network: 'on' | 'off' };
  readonly env: { readonly pass: readonly string[] };
  readonly observability: { readonly observers: readonly ObserverSpec[] };
  readonly prompts: { readonly system?: string; readonly initial?: string; readonly iteration?: string };
}

export type WorkspaceMode = 'in-place' | 'copy';
export type RevertPolicy = 'never' | 'unusable' | 'regression';

export interface DriverSpec {
  readonly uses: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly session: 'resume' | 'fresh';
}

/** Ends of a run at which another driver may get further. */
export type EscalationCause = 'no-progress' | 'gave-up' | 'driver-failed';

export interface EscalationSpec {
  readonly after: readonly EscalationCause[];
  readonly driver: DriverSpec;
}

export interface EvaluatorSpec {
  readonly uses: string;
  /** `as`, else `uses`; unique. */
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** Paths of the judge beside those found in the command. */
  readonly guard: readonly string[];
  readonly timeoutMs: number;
  /** Tests that may stay red: all that were before any work, or these ids. */
  readonly knownFailures?: 'baseline' | readonly string[];
}

export interface ObserverSpec {
  readonly uses: string;
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** `success:` as a tree. Leaves name evaluators by their name. */
export type Criteria =
  | { readonly type: 'all-pass' }
  | { readonly type: 'pass'; readonly evaluators: readonly string[] }
  | {
      readonly type: 'score';
      readonly evaluator: string;
      readonly gte?: number;
      readonly lte?: number;
      readonly eq?: number;
    }
  | { readonly type: 'all' | 'any'; readonly of: readonly Criteria[] }
  | { readonly type: 'not'; readonly of: Criteria };

export interface Limits {
  readonly maxIterations: number;
  /** How many iterations may share one failure before the run stops. */
  readonly patience: number;
  /** One turn of the agent. Absent: no limit. */
  readonly iterationTimeoutMs?: number;
  /** Silence of the agent. Absent: no limit. */
  readonly idleTimeoutMs?: number;
  /** The whole run. Absent: no limit. */
  readonly maxDurationMs?: number;
  readonly maxCostUsd?: number;
  readonly maxTokens?: number;
  readonly unknownUsage: 'stop' | 'ignore';
  /** `strict` ends a run whose checks are green before any work; `warn` is `true` in the file. */
  readonly baseline: 'strict' | 'warn' | 'off';
  readonly baselineRuns: number;
  readonly specGuard: Reaction;
  readonly evaluatorGuard: Reaction;
  readonly confirm: 'room' | 'rerun' | 'off';
  readonly confirmRuns: number;
  readonly suspicion: 'warn' | 'error' | 'off';
}
