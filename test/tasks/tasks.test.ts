import { describe, expect, test } from 'vitest';
import type { TaskType } from '../../src/core/plugin.ts';
import { parseSpec } from '../../src/spec/parse.ts';
import { builtInTasks } from '../../src/tasks/index.ts';

const spec = parseSpec({
  name: 'retry',
  description: 'The service drops requests under load.',
  requirements: 'Try again three times.\n',
  task: { type: 'function', entry: 'src/fetch.ts', limits: [1, 2] },
  stack: { language: 'typescript', packageManager: 'npm' },
  driver: { uses: 'mock' },
  evaluators: [
    { uses: 'command', as: 'tests', options: { command: 'npm test' } },
    { uses: 'pytest' },
    { uses: 'experiment', as: 'speed' },
  ],
});

const tasks: TaskType[] = await Promise.all(builtInTasks.map((entry) => entry.load()));

test('there are five types, each with a description', () => {
  expect(builtInTasks.map((entry) => entry.name)).toEqual([
    'function',
    'api',
    'webapp',
    'experiment',
    'generic',
  ]);
  for (const entry of builtInTasks) expect(entry.description).not.toBe('');
});

describe.each(tasks.map((task) => [task.type, task] as const))('the prompts of %s', (_, task) => {
  test('say who the agent is, where it may work and what decides', () => {
    const system = task.system(spec);
    expect(system).toMatch(/^You are /);
    expect(system).toContain('only inside the workspace');
    expect(system).toMatch(/Do not edit, .* what judges/);
    expect(system).toContain('checks decide');
  });

  test('begin with the whole task', () => {
    const initial = task.initial(spec);
    for (const part of [
      'Name: retry',
      'The service drops requests under load.',
      'Try again three times.',
      'entry: src/fetch.ts',
      'limits: [1,2]',
      'language: typescript',
      'package manager: npm',
      '- tests: `npm test`',
      '- pytest\n',
      '- speed (experiment)',
    ]) {
      expect(initial).toContain(part);
    }
  });

  test('repeat the requirements in later turns, for an agent that does not remember', () => {
    const iteration = task.iteration(spec);
    expect(iteration).toContain('Try again three times.');
    expect(iteration).toMatch(/not done yet/);
    expect(iteration).toMatch(/cause/);
  });
});

test('each type has guidance of its own', () => {
  expect(new Set(tasks.map((task) => task.initial(spec))).size).toBe(tasks.length);
  expect(new Set(tasks.map((task) => task.system(spec))).size).toBe(tasks.length);
});

test('a section without content is left out', () => {
  const bare = parseSpec({
    name: 'a',
    requirements: 'b',
    driver: { uses: 'c' },
    evaluators: [{ uses: 'd' }],
  });
  expect(tasks[0]?.initial(bare)).not.toContain('## Stack');
});
