import { isJudgeLike, isTestLike } from './judge-names.ts';
import { readShellLine, type SimpleCommand, type Word } from './shell-line.ts';

/** What there is at a path at the start of the run. */
export type Exists = (path: string) => 'file' | 'dir' | undefined;

/** A file or program that a command runs, with its arguments. */
export interface Execution {
  /** The words from the program on, behind `env`, `timeout 10`, `uv run` and the like. */
  readonly words: readonly Word[];
  /** The script it runs, as written; undefined for a program of the PATH. */
  readonly script?: string;
  /** The Python module behind `-m`. */
  readonly module?: string;
  /** The shell text behind `sh -c`. */
  readonly inner?: string;
}

/** Programs that only start another one. `skip` tells which of their own arguments to pass over. */
const LAUNCHERS: ReadonlyMap<string, { readonly verbs?: readonly string[]; readonly operands?: number }> =
  new Map([
    ['env', {}],
    ['exec', {}],
    ['command', {}],
    ['builtin', {}],
    ['nice', {}],
    ['nohup', {}],
    ['time', {}],
    ['sudo', {}],
    ['stdbuf', {}],
    ['xvfb-run', {}],
    ['timeout', { operands: 1 }],
    ['npx', {}],
    ['bunx', {}],
    ['pnpm', { verbs: ['exec', 'dlx'] }],
    ['yarn', { verbs: ['exec', 'run'] }],
    ['npm', { verbs: ['exec'] }],
    ['uv', { verbs: ['run'] }],
    ['poetry', { verbs: ['run'] }],
    ['pipenv', { verbs: ['run'] }],
    ['pdm', { verbs: ['run'] }],
    ['rye', { verbs: ['run'] }],
    ['hatch', { verbs: ['run'] }],
    ['bundle', { verbs: ['exec'] }],
  ]);

const INTERPRETERS =
  /^(?:sh|bash|dash|zsh|ksh|ash|node|nodejs|tsx|ts-node|bun|deno|ruby|perl|php|lua|Rscript|pwsh|python(?:\d+(?:\.\d+)*)?|pypy3?|source|\.)$/;
const SHELLS = /^(?:sh|bash|dash|zsh|ksh|ash)$/;
const PYTHON = /^(?:python(?:\d+(?:\.\d+)*)?|pypy3?)$/;
/** Options whose value is the next word, of interpreters and of what only starts a program. */
const VALUED = new Set(['-W', '-X', '-r', '--require', '--import', '--loader', '-o', '--env-file']);
const VALUED_OF_LAUNCHERS = new Set([...VALUED, '-u', '-s', '-k', '-n', '-C', '-p', '--package', '--with']);
/** Options after which the code stands in the command line itself. */
const INLINE_CODE = /^(?:-e|--eval|-p|--print|-pe|-c|-[a-z]*c)$/;

/** The last part of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** What a simple command really runs, once what only starts it is passed over. Undefined for a bare assignment. */
export function executionOf(command: SimpleCommand): Execution | undefined {
  let words = command.words;
  for (let first = words[0]; first; first = words[0]) {
    const launcher = LAUNCHERS.get(baseName(first.text));
    const rest = launcher && afterLauncher(words.slice(1), launcher);
    if (!rest || rest.length === 0) break;
    words = rest;
  }
  const program = words[0];
  if (!program) return undefined;
  if (INTERPRETERS.test(baseName(program.text))) return interpreted(words);
  return program.text.includes('/') && program.literal ? { words, script: program.text } : { words };
}

function afterLauncher(
  words: readonly Word[],
  launcher: { readonly verbs?: readonly string[]; readonly operands?: number },
): readonly Word[] | undefined {
  let rest = words;
  if (launcher.verbs) {
    if (!launcher.verbs.includes(rest[0]?.text ?? '')) return undefined;
    rest = rest.slice(1);
  }
  rest = withoutOptions(rest, VALUED_OF_LAUNCHERS);
  return rest.slice(launcher.operands ?? 0);
}

/** Passes over leading options, their values, and `NAME=value` words. */
function withoutOptions(words: readonly Word[], valued: ReadonlySet<string>): readonly Word[] {
  let at = 0;
  for (let word = words[at]; word; word = words[at]) {
    if (word.text === '--') return words.slice(at + 1);
    if (valued.has(word.text)) at += 2;
    else if (/^-|^[A-Za-z_][A-Za-z0-9_]*=/.test(word.text)) at += 1;
    else break;
  }
  return words.slice(at);
}

function interpreted(words: readonly Word[]): Execution {
  const name = baseName(words[0]?.text ?? '');
  const args = words.slice(1);
  const code = args.findIndex((word) => INLINE_CODE.test(word.text));
  const module = PYTHON.test(name) ? args.findIndex((word) => word.text === '-m') : -1;
  const operands = name === 'bun' || name === 'deno' ? args.filter((word) => word.text !== 'run') : args;
  const script = withoutOptions(operands, VALUED)[0];
  const scriptAt = script ? args.indexOf(script) : Number.POSITIVE_INFINITY;
  if (module >= 0 && module <= scriptAt) return { words, module: args[module + 1]?.text ?? '' };
  if (code >= 0 && code <= scriptAt) {
    const inner = SHELLS.test(name) ? args[code + 1] : undefined;
    return inner?.literal ? { words, inner: inner.text } : { words };
  }
  return script?.literal ? { words, script: script.text } : { words };
}

/** A path with `.` and `..` worked out, relative to the workspace; undefined where it leads out of it. */
export function normalisePath(path: string): string | undefined {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

/** Simple commands of a line with the folder each runs in, seen through lists, `cd` and `sh -c`. */
export function commandsOf(line: string, cwdRel: string): { command: SimpleCommand; cwd: string }[] {
  const found: { command: SimpleCommand; cwd: string }[] = [];
  let cwd = cwdRel;
  for (const command of readShellLine(line)?.commands ?? []) {
    const [program, target] = command.words;
    if ((program?.text === 'cd' || program?.text === 'pushd') && target?.literal) {
      cwd = joinPaths(cwd, target.text);
      continue;
    }
    found.push({ command, cwd });
    const inner = executionOf(command)?.inner;
    if (inner !== undefined) found.push(...commandsOf(inner, cwd));
  }
  return found;
}

/** The same, with those in `$(…)` and backquotes. */
function allCommandsOf(line: string, cwdRel: string): { command: SimpleCommand; cwd: string }[] {
  return commandsOf(line, cwdRel).flatMap((found) => {
    const { assignments, words } = found.command;
    const inner = [...assignments, ...words].filter((word) => word.substitution).flatMap(substitutedIn);
    return [found, ...inner.flatMap((text) => allCommandsOf(text, found.cwd))];
  });
}

function substitutedIn({ text }: Word): string[] {
  const found = text.matchAll(/\$\(((?:[^()]|\([^()]*\))*)\)|`([^`]*)`/g);
  return [...found].map(([, dollar, quoted]) => dollar ?? quoted ?? '');
}

/**
 * The files of a command line that belong to the judge: those it names that are
 * test-like by name, and the script it executes where that is judge-like by
 * name. Only files that exist at the start; never folders, never sources.
 *
 * @param cwdRel folder of the command, relative to the workspace (`''`: the workspace itself)
 * @param exists asked with paths relative to the workspace
 * @param root absolute path of the workspace, where absolute words are to be seen as well
 * @returns paths relative to the workspace, sorted
 */
export function guardedFiles(line: string, cwdRel: string, exists: Exists, root?: string): string[] {
  const found = new Set<string>();
  for (const { command, cwd } of allCommandsOf(line, cwdRel)) {
    const resolve = (path: string) => inWorkspace(path, cwd, root);
    for (const path of namedPaths(command)) {
      const file = resolve(path);
      if (file && isTestLike(file) && exists(file) === 'file') found.add(file);
    }
    for (const path of executedPaths(command)) {
      const file = resolve(path);
      if (
        file &&
        (isJudgeLike(file.replace(/\/__main__\.py$/, '')) || isTestLike(file)) &&
        exists(file) === 'file'
      )
        found.add(file);
    }
  }
  return [...found].sort();
}

function inWorkspace(path: string, cwd: string, root: string | undefined): string | undefined {
  const full = joinPaths(cwd, path);
  if (!full.startsWith('/')) return normalisePath(full);
  const absolute = normalisePath(full);
  const base = root === undefined ? undefined : normalisePath(root);
  if (absolute === undefined || base === undefined) return undefined;
  return absolute.startsWith(`${base}/`) ? absolute.slice(base.length + 1) : undefined;
}

function joinPaths(folder: string, path: string): string {
  return folder === '' || path.startsWith('/') ? path : `${folder}/${path}`;
}

/** Every word that could name a file: without `::test` ids, `--option=`, `:line`; dotted names of `-m unittest`. */
function namedPaths(command: SimpleCommand): string[] {
  const words = [...command.words, ...command.inputs].filter((word) => word.text !== '');
  const paths = words.flatMap(({ text }) => {
    const value = /^--?[\w-]+=(.+)$/s.exec(text)?.[1] ?? text;
    const file = value.replace(/::.*$/s, '');
    return [file, file.replace(/:\d+$/, '')];
  });
  return executionOf(command)?.module === 'unittest' ? [...paths, ...words.flatMap(modulePaths)] : paths;
}

/** `tests.test_calc.TestCalc.test_a` → `tests/test_calc.py` and its prefixes. */
function modulePaths({ text }: { readonly text: string }): string[] {
  if (!/^[\w.]+$/.test(text)) return [];
  const parts = text.split('.');
  return parts.map((_, i) => `${parts.slice(0, i + 1).join('/')}.py`);
}

function executedPaths(command: SimpleCommand): string[] {
  const execution = executionOf(command);
  if (!execution) return [];
  if (execution.module) {
    const path = execution.module.replaceAll('.', '/');
    return [`${path}.py`, `${path}/__main__.py`];
  }
  return execution.script === undefined ? [] : [execution.script];
}
