import { describe, expect, test } from 'vitest';
import { keysOf, openedDriver } from '../../src/compose/opened-driver.ts';
import type { AgentResult } from '../../src/core/event.ts';
import type { AgentDriver, OpenedDriver } from '../../src/core/plugin.ts';
import { openBench } from '../support/engine.ts';

const done = (summary: string): AgentResult => ({ stopReason: 'completed', summary });

/** A driver that keeps count of what it has open. */
function keeper(more: Partial<OpenedDriver> = {}) {
  const told: string[] = [];
  const driver: AgentDriver = {
    name: 'keeper',
    run: async () => done('alone'),
    open: () => {
      told.push('open');
      let turns = 0;
      return {
        run: async () => done(`turn ${++turns}`),
        close: async () => {
          told.push('close');
        },
        ...more,
      };
    },
  };
  return { driver, told };
}

describe('a driver that keeps something alive', () => {
  test('is opened once for all turns of a run, and closed at its end', async () => {
    const { driver, told } = keeper();
    await using bench = await openBench({ drivers: [driver] });
    const { report } = await bench.run(
      bench.spec({ driver: { uses: 'keeper' }, limits: { maxIterations: 2 } }),
    );
    expect(report.iterations.map(({ agent }) => agent?.summary)).toEqual(['turn 1', 'turn 2']);
    expect(told).toEqual(['open', 'close']);
  });

  test('has its own preflight, by which it is opened', async () => {
    const { driver, told } = keeper({ preflight: async () => ['log in first'] });
    await using bench = await openBench({ drivers: [driver] });
    const { report } = await bench.run(bench.spec({ driver: { uses: 'keeper' } }));
    expect(report).toMatchObject({
      outcome: 'preflight-failed',
      reason: expect.stringContaining('log in first'),
    });
    expect(told).toEqual(['open', 'close']);
  });

  test('is not opened where it is not used', async () => {
    const { driver, told } = keeper();
    const opened = openedDriver(driver);
    await opened.close();
    expect(told).toEqual([]);
  });

  test('is closed once, and breaks nothing where that fails', async () => {
    let closed = 0;
    const { driver } = keeper({
      close: () => {
        closed++;
        throw new Error('no');
      },
    });
    await using bench = await openBench({ drivers: [driver] });
    const { report } = await bench.run(
      bench.spec({ driver: { uses: 'keeper' }, limits: { maxIterations: 1 } }),
    );
    expect(report.iterations).toHaveLength(1);
    expect(closed).toBe(1);
  });
});

test('a driver of a class keeps its methods and what they stand on', async () => {
  class Counting implements AgentDriver {
    readonly name = 'counting';
    #turns = 0;
    async run() {
      return done(`turn ${++this.#turns}`);
    }
  }
  const opened = openedDriver(new Counting());
  const run = opened.run as () => Promise<AgentResult>;
  await run();
  expect(await run()).toEqual(done('turn 2'));
});

test('the variables that a driver needs may hang on its options', () => {
  const driver: AgentDriver = {
    name: 'x',
    run: async () => done(''),
    env: (options) => [`${options.of}_KEY`],
  };
  expect(keysOf(driver, { of: 'A' })).toEqual(['A_KEY']);
  expect(keysOf({ ...driver, env: ['B_KEY'] }, {})).toEqual(['B_KEY']);
  expect(keysOf({ name: 'y', run: driver.run }, {})).toEqual([]);
});
