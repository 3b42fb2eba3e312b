import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { which } from '../../src/system/which.ts';

/** `node_modules` with the runners that only tests need: `npm ci --prefix test/tools`. */
export const TOOLS = join(import.meta.dirname, '../tools/node_modules');

/** Whether a program of `TOOLS`, else of the machine, is there. */
export function hasTool(name: string): boolean {
  return (
    existsSync(join(TOOLS, '.bin', name)) || which(name, { PATH: process.env['PATH'] ?? '' }) !== undefined
  );
}
