import { describe, expect, test } from 'vitest';
import { Ladder, ladderTold, type ResolvedDriver } from '../../src/compose/ladder.ts';
import type { AgentResult } from '../../src/core/event.ts';
import type { AgentDriver, Turn } from '../../src/core/plugin.ts';
import { openBench } from '../support/engine.ts';
import { specOf } from '../support/spec.ts';

/** A driver that keeps something alive, and tells when. */
function keeper(name: string, told: string[], result: Partial<AgentResult> = {}, key = 'NONE'): AgentDriver {
  return {
    name,
    env: [key],
    run: async () => ({ stopReason: 'error', summary: 'never asked' }),
    open: () => {
      told.push(`${name} opened`);
      return {
        preflight: async () => [],
        run: async ({ env }: Turn) => {
          const keys = Object.keys(env).filter((variable) => variable.endsWith('_KEY'));
          told.push(`${name} works with ${keys.join(', ')}`);
          return { stopReason: 'completed', summary: '', usage: {}, ...result };
        },
        close: async () => {
          told.push(`${name} closed`);
        },
      };
    },
  };
}

test('a driver is let go before the next works, each has its own keys, and all are gone at the end', async () => {
  const told: string[] = [];
  const first = keeper('first', told, { stopReason: 'gave-up' }, 'FIRST_KEY');
  const second = keeper('second', told, { stopReason: 'gave-up' }, 'SECOND_KEY');
  await using bench = await openBench({ drivers: [first, second] });
  const spec = bench.spec({
    driver: { uses: 'first' },
    escalate: [{ after: ['gave-up'], driver: { uses: 'second' } }],
  });
  const env = { ...bench.options.env, FIRST_KEY: 'one', SECOND_KEY: 'two', THIRD_KEY: 'three' };
  const { report } = await bench.run(spec, { env });
  expect(report).toMatchObject({ outcome: 'gave-up', escalations: [{ from: 'first', to: 'second' }] });
  expect([...told.slice(0, 3)].sort()).toEqual(['first opened', 'second closed', 'second opened']);
  expect(told.slice(3)).toEqual([
    'first works with FIRST_KEY',
    'first closed',
    'second opened',
    'second works with SECOND_KEY',
    'second closed',
  ]);
});

test('secrets in the options of a driver that may take over are kept out of the records from the start', async () => {
  const secret = 'sk-1234567890abcdefghij';
  await using bench = await openBench({ steps: [{ result: { stopReason: 'gave-up', summary: secret } }] });
  const { report } = await bench.run(
    bench.spec({
      escalate: [
        {
          after: ['no-progress'],
          driver: { uses: 'command', options: { command: 'true', env: { API_KEY: secret } } },
        },
      ],
    }),
  );
  expect(report.reason).toContain('the agent gave up');
  expect(JSON.stringify(report)).not.toContain(secret);
});

describe('what is told of the drivers at the start', () => {
  const plugin = (kind?: 'agent' | 'one-shot'): ResolvedDriver => ({
    plugin: { name: 'x', run: async () => ({ stopReason: 'completed', summary: '' }), ...(kind && { kind }) },
    options: {},
  });
  const escalate = [
    { after: ['gave-up'] as const, driver: { uses: 'asks-once', options: {}, session: 'resume' as const } },
  ];

  test('is the policy on what is undone by the kind of each, unless the spec has one', () => {
    const told = ladderTold(specOf({ escalate }), plugin(), [plugin('one-shot')]);
    expect(told).toEqual({
      driver: 'scripted',
      driverKind: 'agent',
      revert: 'never',
      ladder: [{ after: ['gave-up'], driver: 'asks-once', driverKind: 'one-shot', revert: 'regression' }],
    });
    const spec = specOf({ escalate });
    const set = { ...spec, workspace: { ...spec.workspace, revert: 'unusable' as const } };
    expect(ladderTold(set, plugin(), [plugin('one-shot')])).toMatchObject({
      revert: 'unusable',
      ladder: [{ revert: 'unusable' }],
    });
  });

  test('is a name for each, also where two are of one kind', () => {
    const acp = (options: object) => ({ uses: 'acp', options: { ...options }, session: 'resume' as const });
    const rung = (options: object) => ({ after: ['gave-up'] as const, driver: acp(options) });
    const spec = specOf({
      driver: acp({ preset: 'grok', model: 'small' }),
      escalate: [rung({ preset: 'grok', model: 'large' }), rung({ command: 'mine' })],
    });
    const told = ladderTold(spec, plugin(), [plugin(), plugin()]);
    expect([told.driver, ...(told.ladder ?? []).map(({ driver }) => driver)]).toEqual([
      'acp (grok, small)',
      'acp (grok, large)',
      'acp (driver 3)',
    ]);
  });

  test('is no ladder where there is none', () => {
    expect(ladderTold(specOf(), plugin(), [])).not.toHaveProperty('ladder');
  });
});

test('a ladder whose drivers were never used has nothing to give up', async () => {
  const told: string[] = [];
  const driver = { plugin: keeper('first', told), options: {} };
  {
    await using ladder = new Ladder(driver, [driver], () => ({}));
    expect(ladder.rungs).toHaveLength(1);
  }
  expect(told).toEqual([]);
});
