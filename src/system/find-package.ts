import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Folders of an installed package as Node looks for it from these folders: the nearest first, then those above. */
export function* packageFolders(name: string, starts: readonly string[]): Generator<string> {
  for (const start of starts) {
    for (let folder = resolve(start); ; folder = dirname(folder)) {
      const found = join(folder, 'node_modules', name);
      if (existsSync(join(found, 'package.json'))) yield found;
      if (folder === dirname(folder)) break;
    }
  }
}
