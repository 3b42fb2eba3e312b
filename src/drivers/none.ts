import type { AgentDriver } from '../core/plugin.ts';
import { strictOptions } from './options.ts';
import { NO_USAGE } from './turn.ts';

/** The driver of a run for which none is configured: changes nothing, and says so. */
export const noneDriver: AgentDriver = {
  name: 'none',
  description: 'changes nothing; stands in where no driver is configured',
  options: strictOptions({}),
  run: async () => ({ stopReason: 'completed', summary: 'no driver configured', usage: NO_USAGE }),
};
