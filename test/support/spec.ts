import type { EvaluatorSpec, Limits, Spec } from '../../src/core/spec.ts';

/** The limits of a spec file that sets none. */
export const defaultLimits: Limits = {
  maxIterations: 5,
  patience: 3,
  unknownUsage: 'stop',
  baseline: 'strict',
  baselineRuns: 1,
  specGuard: 'error',
  evaluatorGuard: 'error',
  confirm: 'room',
  confirmRuns: 1,
  suspicion: 'warn',
};

export type SpecChange = Partial<Omit<Spec, 'evaluators' | 'limits'>> & {
  readonly evaluators?: readonly (Pick<EvaluatorSpec, 'uses' | 'name'> & Partial<EvaluatorSpec>)[];
  readonly limits?: Partial<Limits>;
};

/** A resolved spec with every default, for tests that need no file. */
export function specOf({ evaluators = [], limits, ...change }: SpecChange = {}): Spec {
  return {
    version: 1,
    name: 'spec',
    requirements: 'Do it.',
    task: { type: 'function' },
    stack: {},
    workspace: { dir: '.', mode: 'in-place', snapshot: 'none', ignore: [] },
    setup: [],
    driver: { uses: 'scripted', options: {}, session: 'resume' },
    escalate: [],
    evaluators: evaluators.map((entry) => ({ options: {}, guard: [], timeoutMs: 600_000, ...entry })),
    success: { type: 'all-pass' },
    protect: [],
    allow: [],
    limits: { ...defaultLimits, ...limits },
    evaluation: { concurrency: 1, network: 'on' },
    env: { pass: [] },
    observability: { observers: [] },
    prompts: {},
    ...change,
  };
}
