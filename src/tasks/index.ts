import type { TaskType } from '../core/plugin.ts';
import type { LazyPlugin } from '../core/registry.ts';

/** The task types that come with loopgen; they are loaded when one is used. */
export const builtInTasks: readonly LazyPlugin<TaskType>[] = [
  {
    name: 'function',
    description: 'A function, class or module in existing code',
    load: async () => (await import('./builtin.ts')).functionTask,
  },
  {
    name: 'api',
    description: 'An HTTP API or service',
    load: async () => (await import('./builtin.ts')).apiTask,
  },
  {
    name: 'webapp',
    description: 'A web application or a part of its user interface',
    load: async () => (await import('./builtin.ts')).webappTask,
  },
  {
    name: 'experiment',
    description: 'A number that has to get better',
    load: async () => (await import('./builtin.ts')).experimentTask,
  },
  {
    name: 'generic',
    description: 'Any other work with checks',
    load: async () => (await import('./builtin.ts')).genericTask,
  },
];
