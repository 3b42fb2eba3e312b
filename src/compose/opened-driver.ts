import type { AgentDriver, OpenedDriver } from '../core/plugin.ts';
import { within } from '../system/deadline.ts';

/** A driver in use by one run, whether it keeps something alive over the turns or not. */
export type Opened = Pick<AgentDriver, 'name' | 'reportsUsage' | 'preflight' | 'run'> &
  AsyncDisposable & { close(): Promise<void> };

/** How long a driver may take to give up what it keeps. */
const CLOSE_MS = 5_000;

/** Opens a driver when it is first used. What fails then fails as that preflight or turn; a failing `close` breaks nothing. */
export function openedDriver(driver: AgentDriver): Opened {
  let open: OpenedDriver | undefined;
  const inUse = () => {
    if (driver.open) open ??= driver.open();
    return open ?? driver;
  };
  const close = async () => {
    const closing = open;
    open = undefined;
    if (closing) await within(CLOSE_MS, quietly(closing));
  };
  return {
    name: driver.name,
    ...(driver.reportsUsage !== undefined && { reportsUsage: driver.reportsUsage }),
    preflight: async (context) => (await inUse().preflight?.(context)) ?? [],
    run: (turn) => inUse().run(turn),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function quietly(driver: OpenedDriver): Promise<void> {
  try {
    await driver.close();
  } catch {
    // The run is over; its outcome stands.
  }
}

/** Names of the variables that a driver needs, with these options. */
export function keysOf({ env }: AgentDriver, options: unknown): readonly string[] {
  return (typeof env === 'function' ? env(options) : env) ?? [];
}
