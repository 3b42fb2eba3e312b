import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Files of one folder. */
const FOLDER = 40;

/** Path of the file with this number, three folders deep. */
export function fileAt(number: number): string {
  const folder = Math.floor(number / FOLDER);
  return `src/area${Math.floor(folder / 20)}/part${folder % 20}/file${number % FOLDER}.ts`;
}

/** A committed git repository of `files` sources, about 2 kB each, with an index that is up to date. */
export function makeTree(root: string, files: number): void {
  for (let number = 0; number < files; number++) {
    const file = join(root, fileAt(number));
    if (number % FOLDER === 0) mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, textOf(number));
  }
  git(root, 'init', '-q');
  // Else git would pack in the background while others are measured.
  git(root, 'config', 'gc.auto', '0');
  git(root, 'add', '.');
  git(root, '-c', 'user.name=bench', '-c', 'user.email=bench@localhost', 'commit', '-qm', 'start');
  git(root, 'status');
}

export function textOf(number: number, turn = 0): string {
  const lines = Array.from({ length: 50 }, (_, line) => `export const value${line} = ${number * 50 + line};`);
  return `// file ${number}, turn ${turn}\n${lines.join('\n')}\n`;
}

/** `git status` that leaves the index as it is, so that asking does not change the tree that is measured. */
export function gitStatus(root: string): void {
  git(root, '--no-optional-locks', 'status', '--porcelain');
}

function git(root: string, ...args: string[]): void {
  execFileSync('git', ['-C', root, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
}
