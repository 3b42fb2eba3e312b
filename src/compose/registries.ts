import type { AgentDriver, Evaluator, ObserverFactory, TaskType } from '../core/plugin.ts';
import { Registry } from '../core/registry.ts';
import { builtInDrivers } from '../drivers/index.ts';
import { builtInEvaluators } from '../evaluators/index.ts';
import { builtInObservers } from '../observers/index.ts';
import { builtInTasks } from '../tasks/index.ts';

/** The four kinds of plug-in that an engine knows. Register your own with `.register(plugin)`. */
export interface Registries {
  readonly drivers: Registry<AgentDriver>;
  readonly evaluators: Registry<Evaluator>;
  readonly tasks: Registry<TaskType>;
  readonly observers: Registry<ObserverFactory>;
}

/** Registries that hold all that is built in; each plug-in is loaded when it is used. */
export function createDefaultRegistries(): Registries {
  const named = (plugin: { name: string; description?: string }) => ({
    name: plugin.name,
    description: plugin.description ?? '',
  });
  const typed = (plugin: { type: string; description?: string }) => ({
    name: plugin.type,
    description: plugin.description ?? '',
  });
  const registries: Registries = {
    drivers: new Registry<AgentDriver>('driver', named),
    evaluators: new Registry<Evaluator>('evaluator', typed),
    tasks: new Registry<TaskType>('task type', typed),
    observers: new Registry<ObserverFactory>('observer', typed),
  };
  for (const entry of builtInDrivers) registries.drivers.registerLazy(entry);
  for (const entry of builtInEvaluators) registries.evaluators.registerLazy(entry);
  for (const entry of builtInTasks) registries.tasks.registerLazy(entry);
  for (const entry of builtInObservers) registries.observers.registerLazy(entry);
  return registries;
}
