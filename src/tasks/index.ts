import type { TaskType } from '../core/plugin.ts';
import type { LazyPlugin } from '../core/registry.ts';
import { apiTask, experimentTask, functionTask, genericTask, webappTask } from './builtin.ts';

/** The task types that come with loopgen. */
export const builtInTasks: readonly LazyPlugin<TaskType>[] = [
  functionTask,
  apiTask,
  webappTask,
  experimentTask,
  genericTask,
].map((task) => ({ name: task.type, description: task.description ?? '', load: async () => task }));
