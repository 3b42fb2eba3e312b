import { importsOf, type Modules } from './imports.ts';
import { languageOf } from './start-tree.ts';
import { viewsOf } from './suspicion/views.ts';

const PYTHON_MODULE = /^[ \t]*import[ \t]+([\w.]+)(?:[ \t]+as[ \t]+(\w+))?[ \t]*$/gm;
const PYTHON_FROM = /^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(\w+)(?:[ \t]+as[ \t]+(\w+))?/gm;
const JS_MODULE = /\b(?:const|let|var)\s+(\w+)\s*=\s*require\(\s*['"]([^'"]+)['"]\s*\)\s*(?:;|$)/gm;
const BY_CALL = /(?:\bimport_module|\b__import__|\brequire)\(\s*['"]([\w./@-]+)['"]\s*\)\.(\w+)\s*=(?!=)/g;
const BY_TABLE = /\bsys\.modules(?:\[\s*['"]([\w.]+)['"]\s*\]\s*=(?!=)|\.(?:update|setdefault|pop)\()/g;

/** Cheap to ask of any text: an attribute of something else is set. */
const MAY_REPLACE =
  /\bsys\.modules\b|\bsetattr\s*\(|(?<![\w.])(?!(?:self|cls|this)\.)[A-Za-z_][\w.]*\.\w+\s*=(?!=)|\)\.\w+\s*=(?!=)/;

interface Bound {
  /** The name in the file. */
  readonly name: string;
  readonly files: readonly string[];
}

/**
 * The function of a source of the project for which a file puts another one, for good: `prices.net`. In a process with
 * tests of the start it would be tested in the place of the real one. Undefined where the file does no such thing,
 * or puts it back. `read` gives texts of sources. Pure.
 */
export function replacedBy(
  path: string,
  text: string,
  modulesOf: () => Modules,
  read: (path: string) => string | undefined,
): string | undefined {
  const language = languageOf(path);
  if (language !== 'python' && language !== 'javascript') return undefined;
  if (!MAY_REPLACE.test(text)) return undefined;
  const { plain } = viewsOf(language, text);
  const modules = modulesOf();
  const has = (files: readonly string[], name: string) =>
    files.some((file) =>
      new RegExp(`\\b(?:def|class|function|async|exports\\.|const|let)\\s*${name}\\b`).test(read(file) ?? ''),
    );
  const bound = language === 'python' ? pythonNames(path, plain, modules) : jsNames(path, plain, modules);
  for (const { name, files } of bound) {
    const found = assignedTo(name, plain).find((attribute) => has(files, attribute));
    if (found !== undefined) return `${name}.${found}`;
  }
  for (const [, module = '', attribute = ''] of plain.matchAll(BY_CALL))
    if (has(modules.resolve(path, module), attribute)) return `${module}.${attribute}`;
  const inTable = [...plain.matchAll(BY_TABLE)].find(
    ([, module]) => module === undefined || modules.resolve(path, module).length > 0,
  );
  return inTable === undefined ? undefined : `sys.modules (${inTable[1] ?? 'any'})`;
}

/** Attributes that get a value once: what is put back gets one twice. */
function assignedTo(name: string, plain: string): string[] {
  const counts = new Map<string, number>();
  const by = new RegExp(
    `(?:(?:^|[;:{)])[ \\t]*${name}\\.(\\w+)(?:\\.__code__)?\\s*=(?!=)|(?<![\\w.])setattr\\(\\s*${name}\\s*,\\s*['"](\\w+)['"])`,
    'gm',
  );
  for (const [, plainly, bySetter] of plain.matchAll(by)) {
    const attribute = plainly ?? bySetter ?? '';
    counts.set(attribute, (counts.get(attribute) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count === 1).map(([attribute]) => attribute);
}

function pythonNames(path: string, plain: string, modules: Modules): Bound[] {
  const whole = [...plain.matchAll(PYTHON_MODULE)].map(([, module = '', as]) => ({
    name: as ?? module.replaceAll('.', '\\.'),
    files: modules.resolve(path, module),
  }));
  const parts = [...plain.matchAll(PYTHON_FROM)].map(([, module = '', name = '', as]) => ({
    name: as ?? name,
    files: modules.resolve(path, `${module}.${name}`),
  }));
  return [...whole, ...parts];
}

function jsNames(path: string, plain: string, modules: Modules): Bound[] {
  return [...plain.matchAll(JS_MODULE)].map(([, name = '', module = '']) => ({
    name,
    files: importsOf(path, `require('${module}')`).flatMap((found) => modules.resolve(path, found)),
  }));
}
