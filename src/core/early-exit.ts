import { javascriptAtImport, pythonAtImport } from './import-time.ts';
import { importsOf, type Modules } from './imports.ts';
import type { LineAt } from './lines-behind.ts';
import { JS_ENDS, javascriptEnds, pythonEnds } from './process-ends.ts';
import { languageOf } from './start-tree.ts';
import { setsNamesOfMain } from './suspicion/patches.ts';
import { viewsOf } from './suspicion/views.ts';

/** Statements that end the process as if all were well. Names of modules are written out. */
const PYTHON_EXIT =
  /^(?:@?(?:sys\.|os\.|builtins\.)?_?(?:exit|quit)\(\s*(?:0|None|False)?\s*\)|raise\s+(?:@?builtins\.)?SystemExit(?:\(\s*(?:0|None)?\s*\))?)$/;
/** Statements that end it whatever the code says: whoever reads a report afterwards reads what was left there. */
const PYTHON_ANY_EXIT = /^@?(?:sys\.exit\(|exit\(|quit\()|^raise\s+SystemExit\b/;
/** Hooks on errors that nobody caught turn the failure of whoever imports it into a success. */
const PYTHON_HOOK = /\bexcepthook\s*=\s*lambda[^\n]*exit\(\s*0?\s*\)|\bexcepthook\s*=\s*@?os\._exit\b/;
const REGISTERS = /\bregister\(|hook\b|\bTimer\(|\bThread\(|\bsignal\(/;
const JS_EXIT_CALL = String.raw`@?(?:(?:globalThis|global)\.)?process\.(?:exit|reallyExit)\(\s*0?\s*\)`;
const JS_EXIT = new RegExp(`^${JS_EXIT_CALL}$`);
const JS_HOOK =
  /\bprocess\.(?:on|once|addListener|prependListener)\(\s*['"`](?:exit|beforeExit|uncaughtException|unhandledRejection)['"`][^\n]{0,80}(?:\n[^\n]{0,120}){0,2}?(?:\bexitCode\s*=\s*0\b|\bprocess\.(?:exit|reallyExit)\(\s*0?\s*\))/;
const JS_LATER = /\b(?:on|once|addListener|setTimeout|setImmediate|nextTick|queueMicrotask|then)\(/;

/**
 * Whether a module of Python or JavaScript ends the process while it is imported, or sees to it that the process ends
 * well whatever happens: whoever imports it never gets to what it wanted to check. Other languages: false.
 */
export function exitsAtImport(path: string, text: string): boolean {
  const language = languageOf(path);
  if (language === 'python') {
    const { code } = viewsOf(language, text);
    return PYTHON_HOOK.test(code) || registersExit(code) || pythonExits(code);
  }
  if (language !== 'javascript') return false;
  const { code, bare } = viewsOf(language, text);
  const ends = javascriptEnds(code);
  return (
    JS_HOOK.test(code) ||
    javascriptAtImport(code, bare)
      .split(/[;{}\n]/)
      .map((statement) => statement.trim())
      .some((statement) => JS_EXIT.test(statement) || ends.test(ranAtOnce(statement)))
  );
}

/** Without the function that it only makes, unless it gives it to what calls it. */
function ranAtOnce(statement: string): string {
  return JS_LATER.test(statement) ? statement : statement.replace(/=>.*/s, '');
}

/** Whether a module of Python sets names of the program that imports it: what that program asserts is then its own. */
export function replacesMain(path: string, text: string): boolean {
  return languageOf(path) === 'python' && setsNamesOfMain(viewsOf('python', text).code);
}

/** Names of functions of a module that do nothing but end the process, once they are called. */
export function exitingFunctions(path: string, text: string): readonly string[] {
  const language = languageOf(path);
  if (language === 'python') return pythonFunctions(viewsOf(language, text).code);
  if (language !== 'javascript') return [];
  const { code, bare } = viewsOf(language, text);
  // Names of members are read with their quotes.
  return [bare, code]
    .flatMap((view) => [...view.matchAll(JS_FUNCTION)].flatMap(([, named, kept]) => named ?? kept ?? []))
    .filter((name, at, all) => all.indexOf(name) === at);
}

const JS_END = `(?:${JS_EXIT_CALL}|${JS_ENDS.source})`;
/** A function whose first statement it is, or an arrow that is nothing else. */
const JS_FUNCTION = new RegExp(
  String.raw`\bfunction\s+([\w$]+)\s*\([^)]*\)\s*\{\s*${JS_END}|\b([\w$]+)\s*[=:]\s*(?:async\s*)?(?:function\s*)?\(?[^()=]*\)?\s*(?:=>)?\s*\{?\s*${JS_END}`,
  'g',
);

function pythonExits(code: string): boolean {
  const hard = pythonEnds(code);
  const ends = new Set(pythonFunctions(code));
  return pythonAtImport(code).some(({ text, isNested }) => {
    if (
      hard.test(REGISTERS.test(text) ? text : text.replace(/\blambda\b.*/, '')) &&
      !/^(?:from|import)\b[^;]*$/.test(text)
    )
      return true;
    if (/^(?:async\s+)?(?:def|class)\b/.test(text)) return false;
    const calls = [...text.matchAll(/(?<![\w.])(\w+)\(/g)].some(([, name = '']) => ends.has(name));
    return (
      calls ||
      text.split(/;|:\s/).some((part, index) => {
        const statement = part.trim();
        return (
          PYTHON_EXIT.test(statement) ||
          (!isNested && (index === 0 || !/:\s/.test(text)) && PYTHON_ANY_EXIT.test(statement))
        );
      })
    );
  });
}

/** `@atexit.register` above a function that ends the process, or the name of one in its brackets. */
function registersExit(code: string): boolean {
  const ends = pythonEnds(code).source;
  const decorated = new RegExp(
    String.raw`^@+atexit\.register\b[^\n]*\n(?:async\s+)?def\s[^\n]*(?:\n[ \t]+[^\n]*)*?(?:${ends})`,
    'm',
  );
  if (decorated.test(code)) return true;
  const named = [...code.matchAll(/\batexit\.register\(\s*(\w+)/g)].map(([, name = '']) => name);
  return named.some((name) =>
    new RegExp(String.raw`^[ \t]*def\s+${name}\b[^\n]*(?:\n[ \t]+[^\n]*|\n(?=\s))*?(?:${ends})`, 'm').test(
      code,
    ),
  );
}

/** Functions at the top of a module with a statement of their own that ends the process, not in a block of theirs. */
function pythonFunctions(code: string): string[] {
  const hard = pythonEnds(code);
  const functions = code.matchAll(
    /^(?:async\s+)?def\s+(\w+)\s*\([^\n]*?\)\s*(?:->[^\n:]*)?:[ \t]*([^\n]*)((?:\n(?:[ \t][^\n]*)?)*)/gm,
  );
  return [...functions].flatMap(([, name = '', onLine = '', body = '']) => {
    const indent = /\n([ \t]+)\S/.exec(body)?.[1] ?? '';
    const own = body
      .split('\n')
      .filter((line) => line.startsWith(indent) && /\S/.test(line.charAt(indent.length)))
      .flatMap((line) => line.split(';'));
    const ends = [onLine, ...own]
      .map((line) => line.trim())
      .some(
        (line) =>
          PYTHON_EXIT.test(line) ||
          (!/^(?:if|elif|while|for|def|class|lambda)\b/.test(line) && hard.test(line)),
      );
    return ends ? [name] : [];
  });
}

/** The files that import a module; a program that ends by itself is imported by nobody. */
export function importersOf(
  path: string,
  files: readonly (readonly [path: string, text: string])[],
  modules: Modules,
): readonly (readonly [path: string, text: string])[] {
  const language = languageOf(path);
  return files.filter(
    ([other, text]) =>
      other !== path &&
      languageOf(other) === language &&
      importsOf(other, text).some((name) => modules.resolve(other, name).includes(path)),
  );
}

/** Lines of a shell that import a module: code behind `-c` or `-e`, and what is handed to an interpreter. */
export function linesThatImport(path: string, lines: readonly LineAt[], modules: Modules): readonly string[] {
  const language = languageOf(path);
  if (language !== 'python' && language !== 'javascript') return [];
  return lines.flatMap(({ line, cwd }) => {
    const from = `${cwd === '' ? '' : `${cwd}/`}line.${language === 'python' ? 'py' : 'js'}`;
    const text = line.replace(/\\(["'])/g, '$1');
    // A statement of Python begins where a quote opens, or behind another one.
    const texts = language === 'python' ? [text, text.replace(/["';]/g, '\n')] : [text];
    const names = texts.flatMap((each) => importsOf(from, each));
    return names.some((name) => modules.resolve(from, name).includes(path)) ? [line] : [];
  });
}
