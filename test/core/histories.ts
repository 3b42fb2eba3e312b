import type { Check } from '../../src/core/check.ts';
import type { AgentResult, RunStarted } from '../../src/core/event.ts';
import { emptyHistory, type History, type Iteration, type Refusal } from '../../src/core/history.ts';
import type { Criteria } from '../../src/core/spec.ts';
import { verdictOf } from '../../src/core/verdict.ts';
import { defaultLimits } from '../support/spec.ts';

const ALL: Criteria = { type: 'all-pass' };

/** Makes an iteration: the tree it left, and its checks. */
export interface Sketch {
  /** Default: a tree of its own. */
  readonly tree?: string;
  /** Default: one changed file, none where `tree` is that of the iteration before. */
  readonly changed?: boolean;
  readonly checks?: readonly Check[];
  readonly confirm?: readonly Check[];
  readonly differs?: boolean;
  readonly refused?: readonly Partial<Refusal>[];
  readonly agent?: Partial<AgentResult>;
  readonly reverted?: 'unusable' | 'regression';
}

export function refusal(change: Partial<Refusal> = {}): Refusal {
  const { rule = 'evaluator', reaction = 'revert', path = 'test_a.py', because = 'it judges' } = change;
  return { rule, reaction, path, because, putBack: change.putBack ?? reaction !== 'warn' };
}

export function runStarted(change: Partial<RunStarted> = {}): RunStarted {
  return {
    type: 'run.started',
    spec: 'spec',
    requirements: 'Do it.',
    face: 'run',
    workdir: '/w',
    mode: 'in-place',
    driver: 'scripted',
    driverKind: 'agent',
    evaluators: [],
    limits: defaultLimits,
    revert: 'never',
    tree: 'start',
    version: '0.0.0',
    ...change,
  };
}

export function iteration(sketch: Sketch, index: number, treeBefore: string): Iteration {
  const tree = sketch.tree ?? `tree-${index}`;
  const changed = sketch.changed ?? tree !== treeBefore;
  return {
    driver: 'scripted',
    agent: {
      stopReason: 'completed',
      summary: 'did it',
      usage: { costUsd: 0, inputTokens: 0 },
      ...sketch.agent,
    },
    refused: (sketch.refused ?? []).map(refusal),
    changed: changed ? [{ path: 'a.py', change: 'modified' }] : [],
    diffStat: '',
    diff: '',
    tree,
    checks: sketch.checks ?? [],
    ...(sketch.checks && { verdict: verdictOf(ALL, sketch.checks) }),
    ...(sketch.confirm && {
      confirmation: {
        how: 'rerun' as const,
        checks: sketch.confirm,
        verdict: verdictOf(ALL, sketch.confirm),
        ...(sketch.differs !== undefined && { differs: sketch.differs }),
      },
    }),
    ...(sketch.reverted && { reverted: sketch.reverted }),
    keptOut: [],
    warnings: [],
    startedMs: 0,
    endedMs: 0,
  };
}

/** A history without a driver: the baseline's checks, and what each iteration came to. */
export function historyOf(
  sketches: readonly Sketch[],
  more: Partial<History> & { readonly before?: readonly Check[] | undefined } = {},
): History {
  const { before, ...rest } = more;
  const iterations: Iteration[] = [];
  for (const [index, sketch] of sketches.entries())
    iterations.push(iteration(sketch, index, iterations.at(-1)?.tree ?? 'start'));
  return {
    ...emptyHistory,
    run: runStarted(),
    iterations,
    changed: [{ path: 'a.py', change: 'modified' }],
    ...(before && { baseline: { checks: before, verdict: verdictOf(ALL, before) } }),
    ...rest,
  };
}
