import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadSpec } from '../../src/spec/load.ts';

const examples = fileURLToPath(new URL('../../examples/', import.meta.url));
const files = (await readdir(`${examples}building-blocks`)).filter((name) => name.endsWith('.loop.yaml'));

test.each(files)('%s is a sound spec without notices, named after its file', async (name) => {
  const { spec, notices } = await loadSpec(`${examples}building-blocks/${name}`);
  expect(notices).toEqual([]);
  expect(`${spec.name}.loop.yaml`).toBe(name);
});

test('every example stands in the tour', async () => {
  const tour = await readFile(`${examples}README.md`, 'utf8');
  for (const name of files) expect(tour).toContain(`building-blocks/${name}`);
});
