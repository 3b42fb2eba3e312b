import { cp } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createDefaultRegistries } from '../src/compose/registries.ts';
import { LoopEngine } from '../src/loopgen.ts';
import { loadSpec } from '../src/spec/load.ts';
import { tempDir } from './support/temp-dir.ts';

const examples = fileURLToPath(new URL('../examples/building-blocks/', import.meta.url));

const ENDS: readonly [name: string, outcome: string, iterations: number][] = [
  ['mock-demo', 'success', 2],
  ['pytest-ids', 'success', 2],
  ['experiment', 'success', 2],
  ['command-agent', 'success', 2],
  ['ladder', 'success', 4],
  ['no-progress', 'no-progress', 2],
];

test.each(ENDS)('the example %s ends %s after %i iterations', async (name, outcome, iterations) => {
  await using dir = await tempDir();
  const report = await runExample(dir.path, name);
  expect(report).toMatchObject({ outcome, success: outcome === 'success' });
  expect(report.iterations).toHaveLength(iterations);
});

test('the demo run again finds its work done and says so', async () => {
  await using dir = await tempDir();
  await runExample(dir.path, 'mock-demo');
  const again = await runExample(dir.path, 'mock-demo');
  expect(again.outcome).toBe('baseline-vacuous');
  expect(again.iterations).toHaveLength(0);
});

async function runExample(dir: string, name: string) {
  const folder = path.join(dir, 'examples');
  const leftovers = /\/\.(workspace|loopgen)(\/|$)/;
  await cp(examples, folder, { recursive: true, filter: (source) => !leftovers.test(source) });
  const specFile = path.join(folder, `${name}.loop.yaml`);
  const { spec } = await loadSpec(specFile);
  const engine = new LoopEngine(createDefaultRegistries());
  return await engine.run(spec, { baseDir: folder, specFile, stateDir: path.join(dir, 'state') });
}
