import { expect, test } from 'vitest';
import { LoopgenError } from '../../src/core/error.ts';
import { Registry } from '../../src/core/registry.ts';

const registry = () =>
  new Registry<{ name: string; version?: number }>('evaluator', ({ name }) => ({
    name,
    description: `the ${name}`,
  }))
    .register({ name: 'command' })
    .register({ name: 'pytest' });

test('a plug-in is found by its name', async () => {
  expect(await registry().get('pytest')).toEqual({ name: 'pytest' });
  expect(registry().has('pytest')).toBe(true);
  expect(registry().has('nose')).toBe(false);
});

test('an unknown name is told with the nearest one', async () => {
  const error = await registry()
    .get('comand')
    .catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(LoopgenError);
  expect(error).toMatchObject({
    code: 'unknown-evaluator',
    message: '"comand" is not an evaluator',
    hint: 'did you mean "command"?  (loopgen list)',
  });
});

test('an unknown name with nothing near is told with where to look', async () => {
  await expect(registry().get('zzzzzzzzz')).rejects.toMatchObject({
    hint: expect.stringContaining('loopgen list'),
  });
});

test('the code of an unknown name has the kind in it', async () => {
  const tasks = new Registry<{ name: string }>('task type', ({ name }) => ({ name, description: '' }));
  await expect(tasks.get('x')).rejects.toMatchObject({
    code: 'unknown-task-type',
    message: '"x" is not a task type',
  });
});

test('registering a name again replaces it', async () => {
  const twice = registry().register({ name: 'pytest', version: 2 });
  expect(await twice.get('pytest')).toEqual({ name: 'pytest', version: 2 });
  expect(twice.list().map(({ name }) => name)).toEqual(['command', 'pytest']);
});

test('the list loads nothing', async () => {
  let loads = 0;
  const lazy = registry().registerLazy({
    name: 'slow',
    description: 'loads late',
    needs: 'slowtool',
    load: async () => {
      loads++;
      return { name: 'slow' };
    },
  });
  expect(lazy.list().at(-1)).toEqual({ name: 'slow', description: 'loads late', needs: 'slowtool' });
  expect(loads).toBe(0);
  await lazy.get('slow');
  expect(loads).toBe(1);
});
