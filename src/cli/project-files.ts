import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ProjectFiles } from '../core/runners/detect.ts';

const SKIPPED = new Set(['node_modules', '.git', '.venv', 'venv', '__pycache__', 'dist', 'target', 'vendor']);
const MOST_FILES = 5_000;
const MOST_BYTES = 1_000_000;

/** The files of a project, nearest first, as far as finding its test command needs them. */
export function projectFiles(dir: string): ProjectFiles {
  const files: string[] = [];
  for (let level = ['']; level.length > 0 && files.length < MOST_FILES; ) {
    level = level.flatMap((folder) => {
      const found = readdirSync(join(dir, folder), { withFileTypes: true });
      const pathOf = ({ name }: { readonly name: string }) => (folder === '' ? name : `${folder}/${name}`);
      files.push(...found.filter((entry) => entry.isFile()).map(pathOf));
      return found.filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name)).map(pathOf);
    });
  }
  return { files, read: (path) => readSmall(join(dir, path)) };
}

function readSmall(file: string): string | undefined {
  try {
    return statSync(file).size > MOST_BYTES ? undefined : readFileSync(file, 'utf8');
  } catch {
    // It says nothing about the test command then.
    return undefined;
  }
}
