import type { ObserverFactory } from '../core/plugin.ts';
import type { LazyPlugin } from '../core/registry.ts';

/** The observers that a spec can name. */
export const builtInObservers: readonly LazyPlugin<ObserverFactory>[] = [
  {
    name: 'jsonl',
    description: 'writes the run as JSON lines: run.start, agent.event, iteration.end, signal, run.end',
    load: async () => (await import('./jsonl.ts')).jsonl,
  },
];
