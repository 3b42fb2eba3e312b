import { importsOf, type Modules } from './imports.ts';
import { languageOf } from './start-tree.ts';

/** A call, as a whole statement, that ends the process as if all were well. */
const PYTHON_EXIT =
  /^(?:(?:sys\.|os\.|builtins\.)?_?(?:exit|quit)\(\s*(?:0|None|False)?\s*\)|raise\s+SystemExit(?:\(\s*(?:0|None)?\s*\))?|atexit\.register\(\s*os\._exit\b.*)$/;
const JS_EXIT = /^(?:globalThis\.)?process\.(?:exit|reallyExit)\(\s*(?:0)?\s*\)$/;
/** What runs only when it is called, or only where the file is the program. */
const NOT_AT_IMPORT = /^(?:async\s+def|def|class|@)\b|__name__/;

/**
 * Whether a module of Python or JavaScript ends the process while it is imported, with the exit code of a success:
 * whoever imports it never gets to what it wanted to check. Other languages: false.
 */
export function exitsAtImport(path: string, text: string): boolean {
  const language = languageOf(path);
  if (language === 'python') return statementsAtImport(text).some((line) => PYTHON_EXIT.test(line));
  if (language !== 'javascript') return false;
  return text
    .split('\n')
    .filter((line) => !/^\s/.test(line))
    .flatMap((line) => line.split(';'))
    .some((statement) => JS_EXIT.test(statement.trim()));
}

/** Statements outside of functions, classes and the part for the program. */
function statementsAtImport(text: string): string[] {
  const found: string[] = [];
  let skips = false;
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    if (!/^\s/.test(line)) skips = NOT_AT_IMPORT.test(line);
    if (!skips) found.push(...line.split(/;|:\s/).map((part) => part.trim()));
  }
  return found;
}

/** Whether one of the files imports the module; a program that ends by itself is imported by nobody. */
export function isImportedBy(
  path: string,
  files: readonly (readonly [path: string, text: string])[],
  modules: Modules,
): boolean {
  const language = languageOf(path);
  return files.some(
    ([other, text]) =>
      other !== path &&
      languageOf(other) === language &&
      importsOf(other, text).some((name) => modules.resolve(other, name).includes(path)),
  );
}
