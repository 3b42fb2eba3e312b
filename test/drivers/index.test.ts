import { expect, test } from 'vitest';
import { builtInDrivers } from '../../src/drivers/index.ts';
import { noneDriver } from '../../src/drivers/none.ts';
import { tempDir } from '../support/temp-dir.ts';
import { optionsOf, turnIn } from './turn.ts';

test('each built-in driver loads under the name and description of the list', async () => {
  for (const { name, description, load } of builtInDrivers) {
    expect(await load()).toMatchObject({ name, description });
  }
  const names = builtInDrivers.map(({ name }) => name);
  expect(names).toEqual(names.toSorted());
  expect(names).toEqual(expect.arrayContaining(['acp', 'claude-agent-sdk', 'command', 'grok', 'mock']));
});

test('the driver "none" changes nothing, used nothing, and says that none is configured', async () => {
  await using dir = await tempDir();
  const t = await turnIn(dir.path, await optionsOf(noneDriver, {}));
  expect(await noneDriver.run(t)).toEqual({
    stopReason: 'completed',
    summary: 'no driver configured',
    usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 },
  });
  expect(t.told).toEqual({ acted: [], output: '', waiting: [] });
});
