import { LoopgenError, messageOf } from '../../core/error.ts';
import { requireOptions } from '../../core/options.ts';
import type { AgentDriver, Environment } from '../../core/plugin.ts';
import { nearest } from '../../core/suggest.ts';
import { monotonicMs } from '../../system/clock.ts';
import { allowedEnvironment } from '../../system/environment.ts';
import type { ModelServer } from '../model-server/server.ts';
import { Rig } from './rig.ts';
import {
  type ConformanceReport,
  NotApplicable,
  SCENARIO_IDS,
  type ScenarioBrief,
  type ScenarioId,
  type ScenarioResult,
  Unmet,
} from './scenario.ts';
import { isScenario, SCENARIOS } from './scenarios.ts';

export interface ConformanceOptions {
  /** Makes the driver; called once a scenario. */
  readonly makeDriver: () => AgentDriver | Promise<AgentDriver>;
  /**
   * Options of the driver for one turn, before its schema reads them. A driver that is led by its prompt has the same
   * ones always; a scripted one is told by them what to do. `undefined`: this driver cannot have the scenario.
   * Default: `{}`, and `undefined` for a denied permission, since which options deny is the driver's own.
   */
  readonly optionsFor?: (brief: ScenarioBrief) => unknown;
  /** Scenarios to leave out, with or without a reason. */
  readonly skip?: readonly string[] | Readonly<Record<string, string>>;
  /** The scripted model that the driver's agent is set up for. Without it a real model answers, or none is needed. */
  readonly model?: ModelServer;
  /** Environment of the driver's processes. Default: the allow-list of a run, and the driver's own variables. */
  readonly env?: Environment;
  /** Limit of a turn, milliseconds. Default: 120000. */
  readonly timeoutMs?: number;
  /** Stops it; what is left is told as skipped. */
  readonly signal?: AbortSignal;
  /** Takes each result as it comes. */
  readonly onScenario?: (result: ScenarioResult) => void;
}

/**
 * Tries a driver against all that a run relies on, in temporary folders. What a driver cannot have is skipped and told.
 * Throws `LoopgenError`: `bad-options` where the driver's schema refuses the options, `bad-scenario` for one in `skip`
 * that there is not.
 */
export async function runDriverConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const began = monotonicMs();
  const driver = await options.makeDriver();
  const skip = skipped(options.skip);
  const missing = await preflight(driver, options);
  const scenarios: ScenarioResult[] = [];
  for (const id of SCENARIO_IDS) {
    if (missing.length > 0) break;
    const result = await timed(id, () => outcomeOf(id, skip.get(id), options));
    scenarios.push(result);
    options.onScenario?.(result);
  }
  return {
    driver: driver.name,
    passed: missing.length === 0 && scenarios.every(({ status }) => status !== 'failed'),
    missing,
    scenarios,
    durationMs: monotonicMs() - began,
  };
}

function skipped(skip: ConformanceOptions['skip'] = []): ReadonlyMap<string, string> {
  const entries = Array.isArray(skip)
    ? skip.map((id): [string, string] => [id, 'as asked'])
    : Object.entries(skip);
  const unknown = entries.map(([id]) => id).find((id) => !isScenario(id));
  if (unknown !== undefined) {
    const guess = nearest(unknown, SCENARIO_IDS);
    throw new LoopgenError('bad-scenario', `there is no scenario "${unknown}"`, {
      hint: guess ? `did you mean "${guess}"?` : `there are ${SCENARIO_IDS.join(', ')}`,
    });
  }
  return new Map(entries);
}

async function preflight(driver: AgentDriver, options: ConformanceOptions): Promise<readonly string[]> {
  const brief: ScenarioBrief = { id: 'reports-a-name', assignments: [], turn: 0 };
  const given = optionsOf(options, brief) ?? {};
  const read = await requireOptions(`driver ${driver.name}`, driver.options, given);
  return (
    (await driver.preflight?.({
      workdir: process.cwd(),
      options: read,
      env: environmentOf(driver, options, read),
      signal: options.signal ?? new AbortController().signal,
    })) ?? []
  );
}

function environmentOf(driver: AgentDriver, { env }: ConformanceOptions, read: unknown): Environment {
  if (env) return env;
  const names = typeof driver.env === 'function' ? driver.env(read) : driver.env;
  return allowedEnvironment(process.env, names ?? []);
}

function optionsOf({ optionsFor }: ConformanceOptions, brief: ScenarioBrief): unknown {
  if (optionsFor) return optionsFor(brief);
  return brief.id === 'tells-a-denied-permission' ? undefined : {};
}

async function timed(id: ScenarioId, play: () => Promise<Outcome>): Promise<ScenarioResult> {
  const began = monotonicMs();
  const outcome = await play();
  return { id, title: SCENARIOS[id].title, ...outcome, durationMs: monotonicMs() - began };
}

type Outcome = Pick<ScenarioResult, 'status' | 'because'>;

async function outcomeOf(
  id: ScenarioId,
  why: string | undefined,
  options: ConformanceOptions,
): Promise<Outcome> {
  if (options.signal?.aborted) return { status: 'skipped', because: 'stopped before' };
  if (why !== undefined) return { status: 'skipped', because: why };
  try {
    const because = await played(id, options);
    return { status: 'passed', ...(because !== undefined && { because }) };
  } catch (error) {
    if (error instanceof NotApplicable) return { status: 'skipped', because: error.message };
    const told = error instanceof Unmet ? error.message : `it failed: ${messageOf(error)}`;
    return { status: 'failed', because: told };
  }
}

async function played(id: ScenarioId, options: ConformanceOptions): Promise<string | undefined> {
  const driver = await options.makeDriver();
  if (id === 'tells-a-rate-limit' && !options.model && !options.optionsFor)
    throw new NotApplicable('it takes a scripted model to have one');
  const optionsFor = (assignments: ScenarioBrief['assignments'], turn: number) => {
    const given = optionsOf(options, { id, assignments, turn });
    if (given === undefined) throw new NotApplicable('no options of the driver are known that lead to it');
    return given;
  };
  const first = await requireOptions(
    `driver ${driver.name}`,
    driver.options,
    optionsOf(options, EMPTY) ?? {},
  );
  await using rig = await Rig.create({
    driver,
    id,
    optionsFor,
    env: environmentOf(driver, options, first),
    model: options.model,
    timeoutMs: options.timeoutMs ?? 120_000,
    signal: options.signal,
  });
  return await SCENARIOS[id].play(rig);
}

const EMPTY: ScenarioBrief = { id: 'reports-a-name', assignments: [], turn: 0 };
