import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createDefaultRegistries } from '../../src/compose/registries.ts';
import { resolvePlugins } from '../../src/compose/resolve.ts';
import { specOf } from '../support/spec.ts';

const place = (path: readonly (string | number)[]) => ({ file: 'a.yaml', line: path.length, column: 1 });
const registries = () => {
  const all = createDefaultRegistries();
  all.drivers.register({
    name: 'mine',
    options: z.strictObject({ model: z.string() }),
    run: async () => ({ stopReason: 'completed', summary: '' }),
  });
  all.evaluators.register({ type: 'looks', evaluate: async () => ({ passed: true, feedback: '' }) });
  all.observers.register({
    type: 'fragile',
    create: () => {
      throw new Error('no disk');
    },
  });
  return all;
};
const driver = { uses: 'mine', options: { model: 'x' }, session: 'resume' } as const;
const evaluators = [{ uses: 'looks', name: 'check' }];
const resolved = (change: Parameters<typeof specOf>[0]) =>
  resolvePlugins(specOf({ driver, evaluators, ...change }), registries(), {
    specDir: '/specs',
    locate: place,
  });

describe('the names of a spec become plug-ins', () => {
  test('with their options read', async () => {
    const found = await resolved({});
    expect(found.driver.options).toEqual({ model: 'x' });
    expect(found.evaluators.map(({ spec, plugin }) => [spec.name, plugin.type])).toEqual([
      ['check', 'looks'],
    ]);
    expect(found.task.type).toBe('function');
  });

  test('a wrong option is an error with its place, before anything is spent', async () => {
    const wrong = { ...driver, options: { model: 3, mdoel: 'x' } };
    await expect(resolved({ driver: wrong })).rejects.toMatchObject({
      code: 'bad-options',
      message: expect.stringMatching(/^driver\.options/),
      at: { file: 'a.yaml' },
    });
  });

  test('a wrong option or name of a driver in the ladder, too', async () => {
    const rung = (change: object) => ({
      escalate: [{ after: ['gave-up'] as const, driver: { ...driver, ...change } }],
    });
    await expect(resolved(rung({ options: { model: 3 } }))).rejects.toMatchObject({
      code: 'bad-options',
      message: expect.stringMatching(/^escalate\[0\]\.driver\.options/),
      at: { file: 'a.yaml' },
    });
    await expect(resolved(rung({ uses: 'comand' }))).rejects.toMatchObject({
      code: 'unknown-driver',
      message: 'escalate[0].driver.uses: "comand" is not a driver',
      hint: expect.stringContaining('"command"'),
      at: { file: 'a.yaml' },
    });
  });

  test('a mistyped option is one thing that is wrong, not two', async () => {
    const wrong = { uses: 'command', options: { comand: 'my-agent' }, session: 'resume' } as const;
    const error = await resolved({ driver: wrong }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      message: expect.stringContaining('did you mean "command"'),
      hint: undefined,
    });
    const without = { ...wrong, options: {} };
    await expect(resolved({ driver: without })).rejects.toMatchObject({
      message: 'driver.options.command: must be a shell line, or a list of a program and its arguments',
    });
  });

  test('an unknown plug-in is an error with its place and the nearest name', async () => {
    await expect(resolved({ evaluators: [{ uses: 'looke', name: 'x' }] })).rejects.toMatchObject({
      code: 'unknown-evaluator',
      message: 'evaluators[0].uses: "looke" is not an evaluator',
      hint: expect.stringContaining('"looks"'),
      at: { line: 3 },
    });
  });

  test('a plug-in that cannot be loaded, or whose schema throws, is an error with its name', async () => {
    const bang = () => {
      throw new Error('bang');
    };
    const all = registries();
    all.drivers.registerLazy({ name: 'lazy', description: '', load: async () => bang() });
    all.evaluators.register({
      type: 'odd',
      options: { '~standard': { version: 1, vendor: 'me', validate: bang } },
      evaluate: async () => ({ passed: true, feedback: '' }),
    });
    const of = (change: Parameters<typeof specOf>[0]) =>
      resolvePlugins(specOf({ driver, evaluators, ...change }), all, { specDir: '/specs' });
    await expect(of({ driver: { ...driver, uses: 'lazy' } })).rejects.toMatchObject({
      code: 'plugin-failed',
      message: 'driver.uses: "lazy" cannot be loaded: bang',
    });
    await expect(of({ evaluators: [{ uses: 'odd', name: 'x' }] })).rejects.toMatchObject({
      code: 'plugin-failed',
      message: 'evaluators[0].options: the schema of "odd" failed: bang',
    });
  });

  test('an unknown task type is generic, with a notice', async () => {
    const found = await resolved({ task: { type: 'poem' } });
    expect(found.task.type).toBe('generic');
    expect(found.notices).toEqual(['task type "poem" is not known; "generic" is used']);
  });

  test('an observer that cannot be made is told by preflight and breaks nothing', async () => {
    const found = await resolved({
      observability: { observers: [{ uses: 'fragile', name: 'f', options: {} }] },
    });
    const [observer] = found.observers;
    expect(await observer?.preflight?.()).toEqual(['it cannot be made: no disk']);
    expect(() => observer?.onEvent({} as never)).not.toThrow();
  });
});

test('the four kinds of built-in plug-ins are known without being loaded', () => {
  const { drivers, evaluators: checks, tasks, observers } = createDefaultRegistries();
  expect(drivers.list().map(({ name }) => name)).toEqual(
    expect.arrayContaining(['mock', 'command', 'ollama', 'none']),
  );
  expect(checks.list().map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'command',
      'experiment',
      'tests',
      'pytest',
      'unittest',
      'node-test',
      'vitest',
      'junit',
    ]),
  );
  expect(tasks.list().map(({ name }) => name)).toEqual([
    'function',
    'api',
    'webapp',
    'experiment',
    'generic',
  ]);
  expect(observers.list().map(({ name }) => name)).toContain('jsonl');
  for (const { description } of [...drivers.list(), ...checks.list()]) expect(description).not.toBe('');
});
