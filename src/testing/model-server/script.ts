import type { Asked } from './asked.ts';

/**
 * What the model says, step by step. The server keeps no count: the step is the number of answers that the request
 * already holds, so that a session that is gone on with goes on in the script, and a fresh one begins it anew. Past its
 * end, the last step without calls is repeated. Where a script has calls of tools, a request that offers none is a
 * helper's (a title, a summary) and takes no step.
 *
 * A function is asked for each request; `undefined` is the answer to a helper.
 */
export type Script = readonly ModelStep[] | ((asked: Asked) => ModelStep | undefined);

/** One answer of the model. */
export interface ModelStep {
  readonly text?: string;
  /** Tools to call. What the agent does not offer is left out, and told in the log. */
  readonly calls?: readonly ModelCall[];
  /** Tokens of this one call. Default: 1000 in, 50 out, none from the cache. */
  readonly usage?: Partial<ModelUsage>;
  /** Why the answer ends. Default: `end`. */
  readonly stop?: 'end' | 'length' | 'refusal';
  /** Milliseconds before the first byte. */
  readonly delayMs?: number;
  /** Milliseconds between the pieces of a streamed answer. */
  readonly dripMs?: number;
  /** What goes wrong in place of the answer. */
  readonly fault?: Fault;
}

export interface ModelUsage {
  /** All of the input, that from the cache included. */
  readonly input: number;
  readonly output: number;
  /** Part of `input`. */
  readonly cached: number;
}

/** A call of a tool: what to do, by whichever tool the agent offers for it, or a tool by name. */
export type ModelCall =
  | {
      readonly op: 'write';
      readonly path: string;
      readonly content: string;
      /** The file is there already, which tools that create files refuse: a shell writes it, where one is offered. */
      readonly isThere?: boolean;
    }
  | { readonly op: 'run'; readonly command: string }
  | { readonly tool: string; readonly args: Readonly<Record<string, unknown>> };

/** Something that goes wrong. With `times`, that often at this step; then the step is as it says. Default: always. */
export type Fault = { readonly times?: number } & (
  | {
      readonly kind: 'status';
      /** 401, 429, 500, 529, … */
      readonly status: number;
      readonly message?: string;
      /** The `Retry-After` header: seconds, or a date. Default: no such header. */
      readonly retryAfter?: number | string;
    }
  /** Takes the request and sends nothing. */
  | { readonly kind: 'hang' }
  /** Breaks the connection in the middle of the answer. */
  | { readonly kind: 'cut' }
  /** Sends an answer with status 200 that is no JSON. */
  | { readonly kind: 'malformed' }
);

const DEFAULT_USAGE: ModelUsage = { input: 1000, output: 50, cached: 0 };

export function usageOf(step: ModelStep): ModelUsage {
  return { ...DEFAULT_USAGE, ...step.usage };
}

/** The step that answers a request; `undefined` for a helper's. */
export function stepFor(script: Script, asked: Asked): ModelStep | undefined {
  if (typeof script === 'function') return script(asked);
  const hasCalls = script.some(({ calls }) => calls !== undefined && calls.length > 0);
  if (hasCalls && asked.tools.length === 0) return undefined;
  return script[asked.answers] ?? script.findLast(({ calls }) => calls === undefined) ?? { text: 'Done.' };
}
