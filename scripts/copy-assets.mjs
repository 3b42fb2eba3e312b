// Files that are no TypeScript go to `dist` as they are; the command becomes executable.
import { chmodSync, cpSync } from 'node:fs';

const root = new URL('../', import.meta.url);
cpSync(new URL('src/evaluators/assets', root), new URL('dist/evaluators/assets', root), { recursive: true });
chmodSync(new URL('dist/cli/main.js', root), 0o755);
