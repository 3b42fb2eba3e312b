import { checkOf } from '../../src/core/check.ts';
import { runLoop } from '../../src/core/engine.ts';
import { messageOf } from '../../src/core/error.ts';
import type { AgentResult, Event, Face, LadderRung } from '../../src/core/event.ts';
import { feedbackOf } from '../../src/core/feedback.ts';
import { type GuardRule, isPutBack, violationOf } from '../../src/core/guard.ts';
import { ownIterations } from '../../src/core/ladder.ts';
import type { AgentDriver, Evaluator, TaskType, Turn } from '../../src/core/plugin.ts';
import type { DriveRequest, EvaluateRequest, Ports } from '../../src/core/ports.ts';
import { promptOf, sessionOf } from '../../src/core/prompt.ts';
import type { Report } from '../../src/core/report.ts';
import type { Limits, RevertPolicy, Spec } from '../../src/core/spec.ts';
import type { StopPolicy } from '../../src/core/stop.ts';
import {
  type Judge,
  type MemoryWorkspace,
  memoryWorkspace,
  type Scripted,
  scriptedDriver,
  scriptedEvaluator,
} from '../../src/testing/index.ts';
import { specOf } from './spec.ts';

/** A clock that only moves when it is told to. */
export interface FakeClock {
  /** Monotonic. */
  elapsed: number;
  /** Wall clock. */
  now: number;
}

export const fakeClock = (): FakeClock => ({ elapsed: 0, now: Date.UTC(2026, 0, 1) });

export interface MemoryRun {
  readonly files?: Readonly<Record<string, string>>;
  readonly steps: readonly Scripted[];
  /** Name → judge. */
  readonly checks: Readonly<Record<string, Judge>>;
  readonly limits?: Partial<Limits>;
  readonly spec?: Partial<Spec>;
  readonly rules?: readonly GuardRule[];
  readonly revert?: RevertPolicy;
  readonly kind?: 'agent' | 'one-shot';
  /** Drivers that may take over, each with its own script. */
  readonly ladder?: readonly MemoryRung[];
  readonly face?: Face;
  readonly signal?: AbortSignal;
  readonly policy?: StopPolicy;
  readonly clock?: FakeClock;
  readonly workspace?: MemoryWorkspace;
  readonly ports?: Partial<Ports>;
  /** Default: true. False where memory is measured. */
  readonly keepEvents?: boolean;
}

export interface MemoryRung extends Pick<LadderRung, 'after'> {
  /** Its name. */
  readonly name: string;
  readonly steps: readonly Scripted[];
  /** Default: `never`. */
  readonly revert?: RevertPolicy;
  /** Default: `resume`. */
  readonly session?: 'resume' | 'fresh';
}

export interface Played {
  readonly report: Report;
  readonly events: readonly Event[];
  readonly prompts: readonly string[];
  readonly workspace: MemoryWorkspace;
}

const task: TaskType = {
  type: 'plain',
  system: () => 'you are scripted',
  initial: () => 'begin',
  iteration: () => 'go on',
};

/** The whole loop without a disk or a process. */
export async function playInMemory(run: MemoryRun): Promise<Played> {
  const workspace = run.workspace ?? memoryWorkspace(run.files ?? {});
  const clock = run.clock ?? fakeClock();
  const signal = run.signal ?? new AbortController().signal;
  const kind = run.kind ?? 'agent';
  const names = Object.keys(run.checks);
  const ladder = run.ladder ?? [];
  const spec = specOf({
    ...run.spec,
    escalate: ladder.map(({ after, name, session = 'resume' }) => ({
      after,
      driver: { uses: name, options: {}, session },
    })),
    evaluators: names.map((name) => ({ uses: 'scripted', name })),
    limits: run.limits ?? {},
  });
  const driver = scriptedDriver(run.steps, { kind, files: workspace.files });
  const rungs = ladder.map(({ name, steps }) => scriptedDriver(steps, { name, files: workspace.files }));
  const evaluators = names.map((name) => ({
    name,
    evaluator: scriptedEvaluator(run.checks[name] ?? (() => false), { files: workspace.files }),
  }));
  const events: Event[] = [];
  const prompts: string[] = [];
  const rules = run.rules ?? [];
  const ports: Ports = {
    now: () => clock.now,
    elapsed: () => clock.elapsed,
    redact: (value) => value,
    notify: (event) => {
      if (run.keepEvents !== false) events.push(event);
    },
    failure: () => undefined,
    takeWarnings: () => [],
    obstacle: () => undefined,
    unusableHint: () => undefined,
    preflight: async () => [],
    workspace,
    rules,
    drive: (request) =>
      drive(
        { spec, driver, rungs, workspace, rules, signal, prompts, keepPrompts: run.keepEvents !== false },
        request,
      ),
    evaluate: async (request) => ({
      checks: await evaluate(evaluators, workspace.dir, signal, request),
      keptOut: [],
    }),
    suspicions: () => [],
    recordFile: (name) => `/records/${name}`,
    ...run.ports,
  };
  const report = await runLoop({
    runId: 'run-1',
    spec,
    start: {
      spec: spec.name,
      requirements: spec.requirements,
      face: run.face ?? 'run',
      workdir: workspace.dir,
      mode: workspace.mode,
      driver: 'scripted',
      driverKind: kind,
      evaluators: names.map((name) => ({ name, type: 'scripted' })),
      limits: spec.limits,
      revert: run.revert ?? 'never',
      ...(ladder.length > 0 && {
        ladder: ladder.map(({ after, name, revert = 'never' }) => ({
          after,
          driver: name,
          driverKind: 'agent' as const,
          revert,
        })),
      }),
      version: '0.0.0',
    },
    ports,
    signal,
    ...(run.policy && { policy: run.policy }),
  });
  return { report, events, prompts, workspace };
}

interface Driving {
  readonly spec: Spec;
  readonly driver: AgentDriver;
  readonly rungs: readonly AgentDriver[];
  readonly workspace: MemoryWorkspace;
  readonly rules: readonly GuardRule[];
  readonly signal: AbortSignal;
  readonly prompts: string[];
  readonly keepPrompts: boolean;
}

async function drive(setup: Driving, request: DriveRequest): Promise<AgentResult> {
  const { workspace, rules } = setup;
  const driver = setup.rungs[request.history.escalations.at(-1)?.rung ?? -1] ?? setup.driver;
  const sessionId = sessionOf(setup.spec, request.history);
  const { prompt, system } = promptOf(setup.spec, task, request.history, 'f3nc3');
  if (setup.keepPrompts) setup.prompts.push(prompt);
  const feedback = feedbackOf(request.history);
  const edit = async (path: string, content: string | undefined) => {
    const violation = violationOf(path, rules);
    if (violation && isPutBack(violation)) {
      request.refused(violation);
      return { written: false, because: violation.because } as const;
    }
    await (content === undefined ? workspace.remove(path) : workspace.write(path, content));
    return { written: true } as const;
  };
  const turn: Turn = {
    runId: 'run-1',
    iteration: request.iteration,
    ownTurn: ownIterations(request.history).length,
    ...(sessionId !== undefined && { sessionId }),
    workdir: workspace.dir,
    prompt,
    system,
    ...(feedback && { feedback }),
    options: {},
    env: {},
    signal: setup.signal,
    acted: request.acted,
    output: () => {},
    waiting: () => {},
    scratch: '/scratch',
    write: edit,
    remove: (path) => edit(path, undefined),
  };
  try {
    return await driver.run(turn);
  } catch (error) {
    return { stopReason: 'error', summary: messageOf(error) };
  }
}

async function evaluate(
  evaluators: readonly { readonly name: string; readonly evaluator: Evaluator }[],
  workdir: string,
  signal: AbortSignal,
  { phase, started, finished }: EvaluateRequest,
) {
  const checks = [];
  for (const { name, evaluator } of evaluators) {
    started(name);
    const outcome = await evaluator.evaluate({
      name,
      workdir,
      seenAt: workdir,
      enter: (call) => call,
      options: {},
      env: {},
      timeoutMs: 1_000,
      signal,
      phase,
      scratch: '/scratch',
      logFile: '/scratch/log',
    });
    const check = checkOf({ name, type: evaluator.type }, outcome, 1);
    finished(check);
    checks.push(check);
  }
  return checks;
}
