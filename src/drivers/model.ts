import type { Usage } from '../core/usage.ts';

/** A language model that answers one prompt. What goes wrong is a value, never a throw. */
export interface Model {
  readonly name: string;
  generate(request: ModelRequest): Promise<Generated>;
}

export interface ModelRequest {
  readonly prompt: string;
  readonly system: string;
  /** JSON schema that the answer should keep to. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** 0-based iteration of the run. */
  readonly iteration: number;
  readonly signal: AbortSignal;
  /** Longest silence, milliseconds. Absent: no limit. */
  readonly idleTimeoutMs?: number;
  /** Says what it waits for, for the progress line. */
  readonly onProgress: (what: string) => void;
  /** The answer as it comes, piece by piece. */
  readonly onText: (text: string) => void;
}

export type Generated = Answer | ModelFailure;

export interface Answer {
  readonly text: string;
  /** `length`: the token limit cut the answer. */
  readonly doneReason: 'stop' | 'length';
  readonly usage?: Usage;
}

export interface ModelFailure {
  readonly failed: ModelFailureKind;
  /** What went wrong, and the command or option that mends it. */
  readonly message: string;
  /** For `rate-limited`: when the server wants to be asked again, milliseconds from now. */
  readonly retryAfterMs?: number;
  /** What the server counted all the same. */
  readonly usage?: Usage;
}

export type ModelFailureKind =
  | 'unreachable'
  | 'model-missing'
  | 'rate-limited'
  | 'server-error'
  | 'bad-reply'
  /** A filter of the server's. */
  | 'refused'
  | 'timed-out'
  | 'stalled'
  | 'aborted'
  /** A recording that has no further reply. */
  | 'exhausted';
