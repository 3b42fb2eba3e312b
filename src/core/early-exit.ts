import { importsOf, type Modules } from './imports.ts';
import { languageOf } from './start-tree.ts';
import { setsNamesOfMain } from './suspicion/patches.ts';
import { viewsOf } from './suspicion/views.ts';

/** Statements that end the process as if all were well. Names of modules are written out. */
const PYTHON_EXIT =
  /^(?:@?(?:sys\.|os\.|builtins\.)?_?(?:exit|quit)\(\s*(?:0|None|False)?\s*\)|raise\s+(?:@?builtins\.)?SystemExit(?:\(\s*(?:0|None)?\s*\))?)$/;
/** Statements that end it whatever the code says: whoever reads a report afterwards reads what was left there. */
const PYTHON_END =
  /^@?(?:os\.(?:_exit|abort|kill\(\s*@?os\.getpid\(\))|signal\.raise_signal\(|sys\.exit\(|exit\(|quit\()|^raise\s+SystemExit\b/;
/** What turns the failure of whoever imports it into a success: exit hooks, and hooks on errors that nobody caught. */
const PYTHON_HOOK =
  /\batexit\.register\([^\n]*\b_exit\b|\bexcepthook\s*=\s*lambda[^\n]*exit\(\s*0?\s*\)|\bexcepthook\s*=\s*@?os\._exit\b/;
const JS_EXIT = /^(?:globalThis\.)?process\.(?:exit|reallyExit)\(\s*0?\s*\)$/;
const JS_HOOK =
  /\bprocess\.(?:on|once|addListener|prependListener)\(\s*['"`](?:exit|beforeExit|uncaughtException|unhandledRejection)['"`][^\n]{0,80}(?:\n[^\n]{0,120}){0,2}?(?:\bexitCode\s*=\s*0\b|\bprocess\.(?:exit|reallyExit)\(\s*0?\s*\))/;
/** What runs only when it is called, or only where the file is the program. */
const NOT_AT_IMPORT = /^(?:async\s+def|def|class|@)\b|__name__/;

/**
 * Whether a module of Python or JavaScript ends the process while it is imported, or sees to it that the process ends
 * well whatever happens: whoever imports it never gets to what it wanted to check. Other languages: false.
 */
export function exitsAtImport(path: string, text: string): boolean {
  const language = languageOf(path);
  if (language === 'python') {
    const { code, plain } = viewsOf(language, text);
    return PYTHON_HOOK.test(code) || registersExit(code) || pythonExits(code, plain);
  }
  if (language !== 'javascript') return false;
  const { code } = viewsOf(language, text);
  return JS_HOOK.test(code) || topStatements(code).some((statement) => JS_EXIT.test(statement));
}

/** Whether a module of Python sets names of the program that imports it: what that program asserts is then its own. */
export function replacesMain(path: string, text: string): boolean {
  return languageOf(path) === 'python' && setsNamesOfMain(viewsOf('python', text).code);
}

/** Names of functions of a module that do nothing but end the process, once they are called. */
export function exitingFunctions(path: string, text: string): readonly string[] {
  const language = languageOf(path);
  if (language === 'python') return pythonFunctions(viewsOf(language, text).code).map(([name]) => name);
  if (language !== 'javascript') return [];
  const { bare } = viewsOf(language, text);
  return [...bare.matchAll(JS_FUNCTION)].flatMap(([, named, kept]) => named ?? kept ?? []);
}

const JS_END = String.raw`(?:globalThis\.)?process\.(?:exit|reallyExit)\(\s*0?\s*\)`;
/** A function whose first statement it is, or an arrow that is nothing else. */
const JS_FUNCTION = new RegExp(
  String.raw`\bfunction\s+([\w$]+)\s*\([^)]*\)\s*\{\s*${JS_END}|\b([\w$]+)\s*[=:]\s*(?:async\s*)?(?:function\s*)?\(?[^()=]*\)?\s*(?:=>)?\s*\{?\s*${JS_END}`,
  'g',
);

function pythonExits(code: string, plain: string): boolean {
  const statements = statementsAtImport(code, plain);
  const ends = new Set(pythonFunctions(code).map(([name]) => name));
  return statements.some(({ text, isNested }) => {
    const called = /^(\w+)\(/.exec(text)?.[1];
    return (
      PYTHON_EXIT.test(text) ||
      (!isNested && PYTHON_END.test(text)) ||
      (called !== undefined && ends.has(called))
    );
  });
}

/** `@atexit.register` above a function that ends the process. */
function registersExit(code: string): boolean {
  return /^@+atexit\.register\b[^\n]*\n(?:async\s+)?def\s[^\n]*(?:\n[ \t]+[^\n]*)*?\b_exit\(/m.test(code);
}

interface Statement {
  readonly text: string;
  /** It stands in a block: it may run, or not. */
  readonly isNested: boolean;
}

/** Statements outside of functions, classes and the part for the program. */
function statementsAtImport(code: string, plain: string): Statement[] {
  const found: Statement[] = [];
  const asWritten = plain.split('\n');
  let skips = false;
  for (const [index, line] of code.split('\n').entries()) {
    if (line.trim() === '') continue;
    const isNested = /^\s/.test(line);
    // A decorator looks like a name that is written out.
    if (!isNested) skips = NOT_AT_IMPORT.test(asWritten[index] ?? '');
    if (skips) continue;
    const parts = line.split(/;|:\s/).map((part) => part.trim());
    found.push(
      ...parts.map((text, index) => ({ text, isNested: isNested || (index > 0 && /:\s/.test(line)) })),
    );
  }
  return found;
}

/** Functions at the top of a module with a statement of their own that ends the process well, not in a block of theirs. */
function pythonFunctions(code: string): (readonly [name: string, body: string])[] {
  const functions = code.matchAll(
    /^(?:async\s+)?def\s+(\w+)\s*\([^\n]*:[ \t]*([^\n]*)((?:\n(?:[ \t][^\n]*)?)*)/gm,
  );
  return [...functions].flatMap(([, name = '', onLine = '', body = '']) => {
    const indent = /\n([ \t]+)\S/.exec(body)?.[1] ?? '';
    const own = body
      .split('\n')
      .filter((line) => line.startsWith(indent) && /\S/.test(line.charAt(indent.length)))
      .flatMap((line) => line.split(';'));
    const ends = [onLine, ...own].some((line) => PYTHON_EXIT.test(line.trim()));
    return ends ? [[name, body] as const] : [];
  });
}

/** Statements of JavaScript that begin at the start of a line. */
function topStatements(code: string): string[] {
  return code
    .split('\n')
    .filter((line) => !/^\s/.test(line))
    .flatMap((line) => line.split(';'))
    .map((statement) => statement.trim());
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
