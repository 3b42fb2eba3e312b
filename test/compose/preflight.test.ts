import { describe, expect, test } from 'vitest';
import { type Checked, preflight } from '../../src/compose/preflight.ts';
import type { AgentDriver, Observer } from '../../src/core/plugin.ts';
import type { Limits } from '../../src/core/spec.ts';
import { specOf } from '../support/spec.ts';

const errors = (
  driver: Partial<AgentDriver>,
  more: {
    limits?: Partial<Limits>;
    observers?: readonly Observer[];
    warn?: (message: string) => void;
    rungs?: readonly Checked[];
  } = {},
) =>
  preflight({
    spec: specOf({ limits: more.limits ?? {} }),
    driver: { name: 'd', run: async () => ({ stopReason: 'completed', summary: '' }), ...driver },
    options: {},
    observers: more.observers ?? [],
    workdir: '/w',
    env: { PATH: process.env['PATH'] ?? '' },
    signal: new AbortController().signal,
    ...(more.warn && { warn: more.warn }),
    ...(more.rungs && { rungs: more.rungs }),
  });
const observer = (ask: Observer['preflight']): Observer => ({
  name: 'o',
  onEvent: () => {},
  ...(ask && { preflight: ask }),
});

describe('preflight', () => {
  test('finds nothing where nothing is missing', async () => {
    expect(await errors({})).toEqual([]);
    expect(await errors({ preflight: async () => [] }, { observers: [observer(undefined)] })).toEqual([]);
  });

  test('says all that the driver and the observers miss', async () => {
    const found = await errors(
      { preflight: async () => ['no log-in', 'no model'] },
      { observers: [observer(async () => ['no folder'])] },
    );
    expect(found).toEqual(['no log-in', 'no model', 'no folder']);
  });

  test('asks each driver of the ladder with its own options and environment, and lets it go again', async () => {
    const seen: unknown[] = [];
    const rung = (name: string, missing: readonly string[]): Checked => ({
      driver: {
        name,
        preflight: async ({ options, env }) => {
          seen.push([name, options, env]);
          return missing;
        },
        close: async () => {
          seen.push(`${name} closed`);
        },
      },
      options: { model: name },
      env: { KEY: name },
    });
    const rungs = [rung('a', []), rung('b', ['no log-in'])];
    expect(await errors({}, { rungs })).toEqual(['escalate[1]: no log-in']);
    expect(seen).toEqual([
      ['a', { model: 'a' }, { KEY: 'a' }],
      ['b', { model: 'b' }, { KEY: 'b' }],
      'a closed',
      'b closed',
    ]);
  });

  test('passes on what the driver doubts, which is nothing that is missing', async () => {
    const warnings: string[] = [];
    const driver: Partial<AgentDriver> = {
      preflight: async ({ warn }) => {
        warn?.('the model may not be loaded');
        return [];
      },
    };
    const warn = (message: string) => warnings.push(message);
    expect(await errors(driver, { warn })).toEqual([]);
    expect(warnings).toEqual(['the model may not be loaded']);
    expect(await errors(driver)).toEqual([]);
  });

  test('takes what a plug-in throws as that plug-in’s failure', async () => {
    const bang = async () => {
      throw new Error('bang');
    };
    expect(await errors({ preflight: bang }, { observers: [observer(bang)] })).toEqual([
      'driver "d": bang',
      'observer "o": bang',
    ]);
  });
});

describe('a limit on cost or tokens with a driver that reports no usage', () => {
  const blind = { reportsUsage: false };
  test('is found before anything is spent', async () => {
    const [error] = await errors(blind, { limits: { maxCostUsd: 5, maxTokens: 9 } });
    expect(error).toContain('limits.maxCostUsd, limits.maxTokens cannot be kept');
    expect(error).toContain('limits.unknownUsage: ignore');
  });

  test('is found for a driver of the ladder too', async () => {
    const rungs = [{ driver: { name: 'r', ...blind }, options: {}, env: {} }];
    const [error] = await errors({}, { rungs, limits: { maxTokens: 9 } });
    expect(error).toMatch(/^escalate\[0\]: limits\.maxTokens cannot be kept: driver "r" reports no usage/);
  });

  test('is accepted where the spec says so, and does not matter without a limit', async () => {
    expect(await errors(blind, { limits: { maxCostUsd: 5, unknownUsage: 'ignore' } })).toEqual([]);
    expect(await errors(blind)).toEqual([]);
    expect(await errors({}, { limits: { maxCostUsd: 5 } })).toEqual([]);
  });
});
