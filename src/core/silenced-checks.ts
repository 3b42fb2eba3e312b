import { CHECKERS, type Checker } from './checkers.ts';
import { baseName, commandsOf, executionOf } from './command-line.ts';
import type { Language } from './families/row.ts';
import { linesBehind, pathIn, scriptOf } from './lines-behind.ts';
import { type BaselineCheck, runsNoTests } from './red-tests.ts';
import type { SimpleCommand } from './shell-line.ts';
import { folderOf, languageOf, nameOf } from './start-tree.ts';
import { LOOSENING } from './suspicion/loosening.ts';
import type { Suspicion } from './suspicion/row.ts';
import { type Patch, suspicionsIn } from './suspicion/scan.ts';
import { SILENCING } from './suspicion/silencing.ts';
import { uncheckedSources } from './unchecked-sources.ts';

/** A check of the baseline, with what it printed. */
export interface CheckAtStart extends BaselineCheck {
  readonly feedback?: string;
}

type Read = (path: string) => string | undefined;

/** A checker that a red check runs. */
interface RedChecker {
  readonly check: string;
  readonly checker: Checker;
}

const SILENCES = [...SILENCING, ...LOOSENING].filter(({ name }) => /^(?:silenced|loosened)-/.test(name));
const NAMES = new Set(SILENCES.map(({ name }) => name));

/**
 * Why a green does not count, by path: a check that was red at the start runs a checker of sources, and the patch
 * tells this very checker to look away. Whatever tests say, nobody saw the complaint mended. Pure.
 */
export function silencedChecks(
  baseline: readonly CheckAtStart[],
  paths: readonly string[],
  patch: Patch,
): ReadonlyMap<string, string> {
  const red = baseline.filter(({ status }) => status !== 'pass');
  const checkers = red.flatMap((check) => checkersOf(check, paths, patch.start.read));
  const found = new Map<string, string>();
  if (checkers.length === 0) return found;
  for (const suspicion of suspicionsIn(patch, SILENCES)) {
    const by = checkers.find(({ checker }) => honours(checker, suspicion, patch));
    const { path, line, because } = suspicion;
    if (by && !found.has(path)) found.set(path, `${path}:${line}: ${because}, and ${whoIsRed(by)}`);
  }
  for (const [path, because] of uncheckedSources(patch)) {
    const language = languageOf(path);
    const by = checkers.find(({ checker }) => language && checksTypesOf(checker, language));
    if (by && !found.has(path)) found.set(path, `${because}, and ${whoIsRed(by)}`);
  }
  return found;
}

function whoIsRed({ check, checker }: RedChecker): string {
  return `the check "${check}", which was red, runs ${checker.name}`;
}

function checksTypesOf({ languages, ofTypes }: Checker, language: Language): boolean {
  return ofTypes === true && languages.includes(language);
}

function honours(checker: Checker, { path, line, name }: Suspicion, { agents }: Patch): boolean {
  const language = languageOf(path);
  if (!NAMES.has(name) || !language || !checker.languages.includes(language)) return false;
  if (name === 'loosened-types') return checksTypesOf(checker, language);
  // A cast may go on in the next line.
  const lines = agents(path)?.split('\n') ?? [];
  return checker.honours.test(lines.slice(line - 1, line + 1).join('\n'));
}

/** Where tests run behind the same exit code, the checker has to have complained. */
function checkersOf(check: CheckAtStart, paths: readonly string[], read: Read): RedChecker[] {
  if (check.judgedBy !== 'exit-code') return [];
  const { name, commands = [], feedback = '' } = check;
  const lines = commands.flatMap((line) => linesBehind(line, read)).map(({ line }) => line);
  const plain = lines.every((line) => commandsOf(line, '').every(({ command }) => runsNoSuite(command)));
  const called = new Set(lines.flatMap(programsIn));
  const told = new Set(commands.flatMap((line) => wordsBehind(line, paths, read)));
  return CHECKERS.filter(({ programs, complains }) => {
    if (plain && programs.some((program) => called.has(program))) return true;
    return programs.some((program) => called.has(program) || told.has(program)) && complains.test(feedback);
  }).map((checker) => ({ check: name, checker }));
}

const PROGRAMS = new Set(CHECKERS.flatMap(({ programs }) => programs));

function runsNoSuite(command: SimpleCommand): boolean {
  const text = command.words.map((word) => word.text).join(' ');
  return (
    scriptOf(text.split(' ')) !== undefined ||
    runsNoTests(text) ||
    programsIn(text).some((program) => PROGRAMS.has(program))
  );
}

/** The programs of a line; of `cargo clippy`, `python -m mypy` and `mvn checkstyle:check` the words behind them too. */
function programsIn(line: string): string[] {
  return commandsOf(line, '').flatMap(({ command }) => {
    const { words = [], module } = executionOf(command) ?? {};
    const [program, ...rest] = words.map(({ text }) => baseName(text));
    const behind = /^(?:cargo|mvn|mvnw|gradle|gradlew|next|deno|astro)$/.test(program ?? '') ? rest : [];
    // These do other things as well.
    if (
      /^(?:next|astro|deno)$/.test(program ?? '') &&
      !/^(?:lint|check|fmt|type-?check)$/.test(rest[0] ?? '')
    )
      return [];
    return [program, module?.split('.')[0], ...behind].filter((word) => word !== undefined);
  });
}

/** What tells a program that runs others which: its own files. */
const TOLD: ReadonlyMap<string, RegExp> = new Map([
  ['make', /^(?:GNUmakefile|[Mm]akefile)$/],
  ['just', /^\.?[Jj]ustfile$/],
  ['task', /^[Tt]askfile\.ya?ml$/],
  ['tox', /^(?:tox\.ini|pyproject\.toml|setup\.cfg)$/],
  ['nox', /^noxfile\.py$/],
  ['pre-commit', /^\.pre-commit-config\.yaml$/],
  ['prek', /^\.pre-commit-config\.yaml$/],
  ['hatch', /^(?:pyproject|hatch)\.toml$/],
  ['invoke', /^tasks\.py$/],
  ['turbo', /^package\.json$/],
  ['nx', /^(?:package|project|nx)\.json$/],
  ['rake', /^Rakefile$/],
]);

/** Words of the scripts that a line runs, and of what it takes its tasks from. */
function wordsBehind(line: string, paths: readonly string[], read: Read): string[] {
  const texts = commandsOf(line, '').flatMap(({ command, cwd }) => {
    const { words = [], script } = executionOf(command) ?? {};
    const told = TOLD.get(baseName(words[0]?.text ?? ''));
    const named = told
      ? paths.filter((path) => told.test(nameOf(path)) && isAtOrAbove(folderOf(path), cwd))
      : [];
    return [...named, ...(script === undefined ? [] : [pathIn(cwd, script)])].map((path) => read(path) ?? '');
  });
  return texts.flatMap((text) => text.match(/[\w:-]+/g) ?? []);
}

function isAtOrAbove(folder: string, cwd: string): boolean {
  return folder === '' || folder === cwd || cwd.startsWith(`${folder}/`) || cwd === '';
}
