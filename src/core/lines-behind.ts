import { baseName, commandsOf, executionOf, normalisePath } from './command-line.ts';
import { recipeLines } from './makefile.ts';
import { readShellLine, type SimpleCommand } from './shell-line.ts';
import { joinPath } from './start-tree.ts';

/** Lines that run lines, one in the other. */
const MOST_NESTED = 12;

/** A shell line and the folder it runs in, relative to the workspace. */
export interface LineAt {
  readonly line: string;
  readonly cwd: string;
}

type Read = (path: string) => string | undefined;

/**
 * A line, and those that it stands for, each once: scripts of `package.json`, recipes of makefiles and the text of
 * shell scripts, as the start has them, the lines before them included.
 */
export function linesBehind(line: string, read: Read, cwd = ''): LineAt[] {
  const found = new Map<string, LineAt>();
  const follow = (at: LineAt, depth: number) => {
    const key = `${at.cwd}\n${at.line}`;
    if (found.has(key)) return;
    found.set(key, at);
    if (depth >= MOST_NESTED) return;
    for (const { command, cwd: folder } of commandsOf(at.line, at.cwd))
      for (const next of ranBy(command, normalisePath(folder) ?? folder, read)) follow(next, depth + 1);
  };
  follow({ line, cwd }, 0);
  return [...found.values()];
}

/** What a command only starts. */
function ranBy(command: SimpleCommand, cwd: string, read: Read): LineAt[] {
  const named = scriptOf(command.words.map(({ text }) => text));
  if (named !== undefined) return scriptsIn(read(pathIn(cwd, 'package.json')), named, cwd);
  const { words = [], script } = executionOf(command) ?? {};
  const [program = '', ...args] = words.map(({ text }) => text);
  if (/^g?make$/.test(baseName(program))) return madeBy(args, cwd, read);
  const path = script === undefined ? undefined : joinPath(cwd, script);
  const text = path === undefined ? undefined : read(path);
  if (text === undefined || !isShell(program, text)) return [];
  // What cannot be read as a whole is read line by line.
  return (readShellLine(text) ? [text] : text.split('\n')).map((line) => ({ line, cwd }));
}

function isShell(program: string, text: string): boolean {
  return (
    /^(?:(?:ba|da|z|k|a)?sh|source|\.)$/.test(baseName(program)) ||
    /\.(?:ba|z|k)?sh$/.test(program) ||
    (program.includes('/') && /^#!.*\b(?:ba|da|z|k|a)?sh\b/.test(text))
  );
}

const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'];

function madeBy(args: readonly string[], cwd: string, read: Read): LineAt[] {
  let folder = cwd;
  let names = MAKEFILES;
  const targets: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    const [, option, own] = /^(-C|--directory|-f|--file|--makefile)(?:=?(.+))?$/s.exec(arg) ?? [];
    if (option !== undefined) {
      const value = own ?? args[++at] ?? '';
      if (/^(?:-C|--directory)$/.test(option)) folder = joinPath(folder, value) ?? folder;
      else names = [value];
    } else if (!/^-|=/.test(arg)) targets.push(arg);
  }
  const text = names.map((name) => read(joinPath(folder, name) ?? '')).find((found) => found !== undefined);
  return text === undefined ? [] : recipeLines(text, targets).map((line) => ({ line, cwd: folder }));
}

/** The script that words run. */
export function scriptOf([program = '', ...words]: readonly string[]): string | undefined {
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(program)) return undefined;
  const [verb, name] = words.filter((word) => !word.startsWith('-'));
  if (verb === 'run' || verb === 'run-script') return name;
  if (verb === 't' || verb === 'tst') return 'test';
  return program === 'npm' && verb !== 'test' ? undefined : verb;
}

/** A script, with what npm runs before and after it. */
function scriptsIn(manifest: string | undefined, name: string, cwd: string): LineAt[] {
  try {
    const { scripts } = JSON.parse(manifest ?? '{}') as { scripts?: Readonly<Record<string, unknown>> };
    return [`pre${name}`, name, `post${name}`].flatMap((key) => {
      const line = scripts?.[key];
      return typeof line === 'string' ? [{ line, cwd }] : [];
    });
  } catch {
    // A manifest that cannot be read has no scripts.
    return [];
  }
}

/** A path as it is written in a command that runs in the folder. */
export function pathIn(folder: string, path: string): string {
  const clean = path.replace(/^\.\//, '');
  return folder === '' ? clean : `${folder}/${clean}`;
}
