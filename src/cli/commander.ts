import { createRequire } from 'node:module';
import type * as Commander from 'commander';

// By `require`: an `import` of a CommonJS package costs Node twice the time, which each start would pay.
export const { Command, CommanderError, InvalidArgumentError, Option }: typeof Commander = createRequire(
  import.meta.url,
)('commander');
