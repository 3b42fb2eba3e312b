import type { Evaluator } from '../core/plugin.ts';
import type { LazyPlugin } from '../core/registry.ts';

/** The built-in evaluators; each is loaded when it is used. */
export const builtInEvaluators: readonly LazyPlugin<Evaluator>[] = [
  {
    name: 'command',
    description:
      'a shell line, judged by its exit code; a plain call of a known runner is judged by its tests',
    load: async () => (await import('./command.ts')).commandEvaluator,
  },
  {
    name: 'tests',
    description:
      'a suite of tests, each known by its id: by a runner of the list, or by JUnit XML, TAP or CTRF',
    load: async () => (await import('./tests.ts')).testsEvaluator,
  },
  {
    name: 'experiment',
    description: 'a number out of JSON, against limits or a baseline',
    load: async () => (await import('./experiment.ts')).experimentEvaluator,
  },
  {
    name: 'pytest',
    description: 'tests by pytest',
    load: async () => (await import('./tests.ts')).runnerEvaluator('pytest'),
  },
  {
    name: 'unittest',
    description: 'tests by unittest',
    load: async () => (await import('./tests.ts')).runnerEvaluator('unittest'),
  },
  {
    name: 'node-test',
    description: 'tests by node --test',
    load: async () => (await import('./tests.ts')).runnerEvaluator('node-test'),
  },
  {
    name: 'vitest',
    description: 'tests by Vitest',
    load: async () => (await import('./tests.ts')).runnerEvaluator('vitest'),
  },
  {
    name: 'jest',
    description: 'tests by Jest',
    load: async () => (await import('./tests.ts')).runnerEvaluator('jest'),
  },
  {
    name: 'mocha',
    description: 'tests by mocha',
    load: async () => (await import('./tests.ts')).runnerEvaluator('mocha'),
  },
  {
    name: 'go-test',
    description: 'tests by go test',
    load: async () => (await import('./tests.ts')).runnerEvaluator('go-test'),
  },
  {
    name: 'cargo-test',
    description: 'tests by cargo test',
    load: async () => (await import('./tests.ts')).runnerEvaluator('cargo-test'),
  },
  {
    name: 'maven',
    description: 'tests by Maven with Surefire',
    load: async () => (await import('./tests.ts')).runnerEvaluator('maven'),
  },
  {
    name: 'junit',
    description: 'tests of any runner that writes JUnit XML',
    load: async () => (await import('./tests.ts')).runnerEvaluator('junit'),
  },
  {
    name: 'tap',
    description: 'tests of any runner that prints TAP',
    load: async () => (await import('./tests.ts')).runnerEvaluator('tap'),
  },
  {
    name: 'ctrf',
    description: 'tests of any runner that writes a CTRF report',
    load: async () => (await import('./tests.ts')).runnerEvaluator('ctrf'),
  },
];
