import { readFileSync } from 'node:fs';
import type { Check, TestResult } from '../../src/core/check.ts';
import { summarise } from '../../src/core/check.ts';
import type { AgentResult, Event, Happening, RunStarted } from '../../src/core/event.ts';
import type { Limits } from '../../src/core/spec.ts';
import type { Verdict } from '../../src/core/verdict.ts';

export const limits: Limits = {
  maxIterations: 5,
  patience: 3,
  unknownUsage: 'stop',
  baseline: 'strict',
  baselineRuns: 1,
  specGuard: 'error',
  evaluatorGuard: 'error',
  confirm: 'rerun',
  confirmRuns: 1,
  suspicion: 'warn',
};

const STARTED_AT = Date.UTC(2026, 3, 28, 2, 20, 50, 810);

/** Stamps what happens, one second apart. */
export function stamped(happenings: readonly Happening[]): Event[] {
  return happenings.map((happening, seq) => ({
    runId: 'run-1',
    seq,
    at: STARTED_AT + seq * 1000,
    elapsedMs: seq * 1000,
    ...happening,
  }));
}

export function runStarted(change: Partial<RunStarted> = {}): RunStarted {
  return {
    type: 'run.started',
    spec: 'add-retry',
    specFile: '/project/add-retry.loop.yaml',
    requirements: 'Add three retries.',
    face: 'run',
    workdir: '/project/target',
    mode: 'in-place',
    driver: 'claude',
    driverKind: 'agent',
    evaluators: [{ name: 'tests', type: 'pytest' }],
    limits,
    revert: 'never',
    tree: 't0',
    version: '0.1.0',
    ...change,
  };
}

export function test(id: string, status: TestResult['status'], detail?: string): TestResult {
  const failed = status !== 'passed';
  return {
    id,
    status,
    ...(failed && {
      place: `${id.split('::')[0]}:8`,
      errorType: 'AssertionError',
      message: 'assert None == 1',
    }),
    ...(detail !== undefined && { detail }),
  };
}

export function check(change: Partial<Check> & { readonly results?: readonly TestResult[] } = {}): Check {
  const { results, ...rest } = change;
  return {
    name: 'tests',
    type: 'pytest',
    status: 'fail',
    feedback: 'E   assert None == 1',
    judgedBy: 'test-ids',
    caveats: [],
    durationMs: 400,
    ...(results && { tests: summarise(results) }),
    ...rest,
  };
}

export function verdict(
  status: Verdict['status'],
  reason: string,
  passedTests = 0,
  failedTests = 0,
): Verdict {
  return { status, reason, tally: { passedTests, failedTests, passedChecks: status === 'pass' ? 1 : 0 } };
}

export const completed: AgentResult = {
  stopReason: 'completed',
  summary: 'added the retries',
  usage: { inputTokens: 1200, outputTokens: 340, costUsd: 0.0213 },
};

/** A run of an agent: red, then red with a refused edit, then green and confirmed. */
export const agentStory: readonly Happening[] = [
  runStarted(),
  { type: 'preflight.finished', errors: [] },
  { type: 'baseline.started' },
  { type: 'check.started', phase: 'baseline', name: 'tests' },
  {
    type: 'check.finished',
    phase: 'baseline',
    check: check({ results: [test('test_a.py::test_one', 'failed')] }),
  },
  { type: 'baseline.judged', verdict: verdict('fail', 'tests fails', 0, 1) },
  { type: 'iteration.started', iteration: 0, driver: 'claude' },
  { type: 'agent.acted', iteration: 0, tool: 'edit', input: 'src/fetch.py' },
  { type: 'agent.finished', iteration: 0, result: completed, durationMs: 42_000 },
  {
    type: 'edit.refused',
    iteration: 0,
    violation: {
      rule: 'evaluator',
      reaction: 'error',
      path: 'test_a.py',
      because: 'the check "tests" runs it',
    },
    putBack: true,
  },
  {
    type: 'tree.changed',
    iteration: 0,
    tree: 't1',
    changed: [{ path: 'src/fetch.py', change: 'modified' }],
    stat: ' src/fetch.py | 4 +++-\n 1 file changed, 3 insertions(+), 1 deletion(-)\n',
    diff: '',
    total: [{ path: 'src/fetch.py', change: 'modified' }],
    totalStat: ' src/fetch.py | 4 +++-\n 1 file changed, 3 insertions(+), 1 deletion(-)\n',
  },
  { type: 'check.started', phase: 'iteration', name: 'tests' },
  {
    type: 'check.finished',
    phase: 'iteration',
    check: check({ results: [test('test_a.py::test_one', 'failed')] }),
  },
  { type: 'iteration.judged', iteration: 0, verdict: verdict('fail', 'tests fails', 0, 1) },
  { type: 'warned', message: 'the agent touched a test' },
  { type: 'warned', message: 'the agent touched a test' },
  { type: 'iteration.started', iteration: 1, driver: 'claude' },
  { type: 'agent.finished', iteration: 1, result: completed, durationMs: 30_000 },
  {
    type: 'tree.changed',
    iteration: 1,
    tree: 't2',
    changed: [
      { path: 'src/fetch.py', change: 'modified' },
      { path: 'src/wait.py', change: 'added' },
    ],
    stat: ' src/fetch.py | 2 +-\n src/wait.py  | 9 +++++++++\n 2 files changed, 10 insertions(+), 1 deletion(-)\n',
    diff: '',
    total: [
      { path: 'src/fetch.py', change: 'modified' },
      { path: 'src/wait.py', change: 'added' },
    ],
    totalStat:
      ' src/fetch.py | 6 +++++-\n src/wait.py  | 9 +++++++++\n 2 files changed, 14 insertions(+), 1 deletion(-)\n',
  },
  { type: 'check.started', phase: 'iteration', name: 'tests' },
  {
    type: 'check.finished',
    phase: 'iteration',
    check: check({ status: 'pass', feedback: '1 passed', results: [test('test_a.py::test_one', 'passed')] }),
  },
  { type: 'iteration.judged', iteration: 1, verdict: verdict('pass', 'tests passes', 1) },
  { type: 'check.started', phase: 'confirm', name: 'tests' },
  {
    type: 'check.finished',
    phase: 'confirm',
    check: check({ status: 'pass', feedback: '1 passed', results: [test('test_a.py::test_one', 'passed')] }),
  },
  { type: 'confirmation.judged', iteration: 1, how: 'rerun', verdict: verdict('pass', 'tests passes', 1) },
  { type: 'run.finished', outcome: { kind: 'success' } },
];

interface Recording {
  readonly attempts: readonly {
    readonly n: number;
    readonly reasoning: string;
    readonly code: string;
    readonly result: {
      readonly passed: number;
      readonly failed: number;
      readonly output_tail: string;
      readonly first_traceback: string | null;
      readonly duration_s: number;
    };
  }[];
}

export const recording = JSON.parse(
  readFileSync(new URL('../../recordings/lru-cache-mistral-7b.json', import.meta.url), 'utf8'),
) as Recording;

/** The recorded run of the LRU cache challenge as events. */
export const challengeStory: readonly Happening[] = [
  runStarted({
    spec: '04_lru_cache',
    face: 'tdd',
    driver: 'ollama',
    driverKind: 'one-shot',
    mode: 'copy',
    workdir: '/scratch/04_lru_cache',
    limits: { ...limits, maxIterations: 4 },
  }),
  { type: 'preflight.finished', errors: [] },
  ...recording.attempts.flatMap(({ reasoning, code, result }, iteration): Happening[] => {
    const ids = Array.from(
      { length: Math.max(result.passed, result.failed) },
      (_, i) => `test_solution.py::test_${i}`,
    );
    const loads = iteration > 0;
    const green = result.failed === 0;
    const outcome = check({
      status: green ? 'pass' : loads ? 'fail' : 'unusable',
      feedback: result.output_tail,
      durationMs: result.duration_s * 1000,
      ...(loads
        ? {
            results: ids.map((id) =>
              test(id, green ? 'passed' : 'failed', result.first_traceback ?? undefined),
            ),
          }
        : { cause: 'collection' as const }),
    });
    const reason = green ? 'tests passes' : loads ? 'tests fails' : 'tests is unusable (collection)';
    return [
      { type: 'iteration.started', iteration, driver: 'ollama' },
      {
        type: 'agent.finished',
        iteration,
        durationMs: 190_000,
        result: {
          stopReason: 'completed',
          summary: reasoning,
          proposal: { reasoning, files: [{ path: 'solution.py', content: code }] },
        },
      },
      {
        type: 'tree.changed',
        iteration,
        tree: `t${iteration + 1}`,
        changed: [{ path: 'solution.py', change: iteration === 0 ? 'added' : 'modified' }],
        stat: ' solution.py | 20 +++\n',
        diff: '',
        total: [{ path: 'solution.py', change: 'added' }],
        totalStat: ' solution.py | 20 +++\n',
      },
      { type: 'check.started', phase: 'iteration', name: 'tests' },
      { type: 'check.finished', phase: 'iteration', check: outcome },
      {
        type: 'iteration.judged',
        iteration,
        verdict: verdict(outcome.status, reason, result.passed, loads ? result.failed : 0),
      },
    ];
  }),
  { type: 'run.finished', outcome: { kind: 'success' } },
];
