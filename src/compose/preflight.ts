import { messageOf } from '../core/error.ts';
import type { AgentDriver, Environment, Observer } from '../core/plugin.ts';
import type { Spec } from '../core/spec.ts';
import { which } from '../system/which.ts';
import { deadline } from './deadline.ts';

/** A driver that is asked what it lacks. */
export interface Checked {
  readonly driver: Pick<AgentDriver, 'name' | 'reportsUsage' | 'preflight'> & { close?(): Promise<void> };
  readonly options: unknown;
  readonly env: Environment;
}

export interface Preflight {
  readonly spec: Spec;
  readonly driver: Checked['driver'];
  readonly options: unknown;
  /** Drivers that may take over, in their order. */
  readonly rungs?: readonly Checked[];
  readonly observers: readonly Observer[];
  readonly workdir: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
  /** Takes what is no reason to stop. */
  readonly warn?: (message: string) => void;
}

/** How long one plug-in may take to say what it lacks. */
const LIMIT_MS = 30_000;

/** What is missing before anything is spent; empty to go on. Never rejects. */
export async function preflight(setup: Preflight): Promise<readonly string[]> {
  const rungs = setup.rungs ?? [];
  const found = await Promise.all([
    ofDriver(setup, setup),
    ...rungs.map(async (rung, index) => onRung(index, await ofRung(rung, setup))),
    ...setup.observers.map((observer) =>
      bounded(`observer "${observer.name}"`, setup.signal, async () => (await observer.preflight?.()) ?? []),
    ),
  ]);
  const unmeasured = rungs.flatMap(({ driver }, index) => onRung(index, blind(setup.spec, driver)));
  return [...withoutGit(setup), ...blind(setup.spec, setup.driver), ...unmeasured, ...found.flat()];
}

const onRung = (index: number, messages: readonly string[]) =>
  messages.map((message) => `escalate[${index}]: ${message}`);

async function ofDriver(checked: Checked, { workdir, signal, warn }: Preflight): Promise<readonly string[]> {
  const { driver, options, env } = checked;
  return await bounded(`driver "${driver.name}"`, signal, async (limit) =>
    driver.preflight
      ? await driver.preflight({ workdir, options, env, signal: limit, ...(warn && { warn }) })
      : [],
  );
}

/** What it started for this is not kept: its turn may never come. */
async function ofRung(rung: Checked, setup: Preflight): Promise<readonly string[]> {
  try {
    return await ofDriver(rung, setup);
  } finally {
    await rung.driver.close?.();
  }
}

/** The store of a run is git's: without it the first turn would be paid for and lost. */
function withoutGit({ env }: Preflight): string[] {
  if (which('git', env) !== undefined) return [];
  return [`git is not on PATH, and what an agent changes is kept by it: install git (PATH: ${env['PATH']})`];
}

/** Limits that nothing can keep: unknown cost is not zero. */
function blind({ limits }: Spec, driver: Checked['driver']): string[] {
  const { maxCostUsd, maxTokens, unknownUsage } = limits;
  if (driver.reportsUsage !== false || unknownUsage === 'ignore') return [];
  const keys = [maxCostUsd !== undefined && 'maxCostUsd', maxTokens !== undefined && 'maxTokens'].filter(
    Boolean,
  );
  if (keys.length === 0) return [];
  return [
    `limits.${keys.join(', limits.')} cannot be kept: driver "${driver.name}" reports no usage (limits.unknownUsage: ignore goes on without them)`,
  ];
}

async function bounded(
  name: string,
  signal: AbortSignal,
  ask: (signal: AbortSignal) => Promise<readonly string[] | undefined>,
): Promise<readonly string[]> {
  using limit = deadline(signal, LIMIT_MS);
  const late = limit.passed.then(() => [`${name}: preflight did not come back`]);
  try {
    return (await Promise.race([ask(limit.signal), late])) ?? [];
  } catch (error) {
    return [`${name}: ${messageOf(error)}`];
  }
}
