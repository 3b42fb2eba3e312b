import type { RunStarted } from '../core/event.ts';
import type { History } from '../core/history.ts';
import type { AgentDriver, Environment } from '../core/plugin.ts';
import type { DriverSpec, RevertPolicy, Spec } from '../core/spec.ts';
import { type Opened, openedDriver } from './opened-driver.ts';

/** A driver with its options read. */
export interface ResolvedDriver {
  readonly plugin: AgentDriver;
  readonly options: unknown;
}

/** A driver that is in use, with all that is its own. */
export interface DriverInUse {
  readonly driver: Opened;
  readonly options: unknown;
  /** Its keys, and no other driver's. */
  readonly env: Environment;
}

/** The drivers of one run: each is opened when it is used, and closed when the next takes over. */
export class Ladder implements AsyncDisposable {
  readonly base: DriverInUse;
  readonly rungs: readonly DriverInUse[];
  readonly #all: readonly DriverInUse[];

  /** `envFor`: the environment of a driver, with the keys that it needs. */
  constructor(
    base: ResolvedDriver,
    rungs: readonly ResolvedDriver[],
    envFor: (driver: ResolvedDriver) => Environment,
  ) {
    const inUse = (driver: ResolvedDriver): DriverInUse => ({
      driver: openedDriver(driver.plugin),
      options: driver.options,
      env: envFor(driver),
    });
    this.base = inUse(base);
    this.rungs = rungs.map(inUse);
    this.#all = [this.base, ...this.rungs];
  }

  /** The driver whose turn it is; what the others keep alive is given up first. */
  async inTurn({ escalations }: Pick<History, 'escalations'>): Promise<DriverInUse> {
    const current = this.rungs[escalations.at(-1)?.rung ?? -1] ?? this.base;
    await Promise.all(this.#all.filter((other) => other !== current).map(({ driver }) => driver.close()));
    return current;
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map(({ driver }) => driver.close()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

type Told = Pick<RunStarted, 'driver' | 'driverKind' | 'revert' | 'ladder'>;

/** The drivers of a run, as its first event tells them. */
export function ladderTold(spec: Spec, base: ResolvedDriver, rungs: readonly ResolvedDriver[]): Told {
  const [first = '', ...names] = namesOf([spec.driver, ...spec.escalate.map(({ driver }) => driver)]);
  const told = (driver: string, { plugin }: ResolvedDriver) => {
    const driverKind = plugin.kind ?? 'agent';
    const byKind: RevertPolicy = driverKind === 'one-shot' ? 'regression' : 'never';
    return { driver, driverKind, revert: spec.workspace.revert ?? byKind };
  };
  const ladder = rungs.map((rung, index) => ({
    after: spec.escalate[index]?.after ?? [],
    ...told(names[index] ?? rung.plugin.name, rung),
  }));
  return { ...told(first, base), ...(ladder.length > 0 && { ladder }) };
}

/** What each is called: where a name is there more than once, with the options that tell its drivers apart. */
function namesOf(drivers: readonly DriverSpec[]): readonly string[] {
  return drivers.map(({ uses, options: { preset, model } }, index) => {
    if (drivers.filter((other) => other.uses === uses).length === 1) return uses;
    const which = [preset, model].filter((option) => typeof option === 'string').join(', ');
    return `${uses} (${which || `driver ${index + 1}`})`;
  });
}
