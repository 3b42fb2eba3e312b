import { folderOf, joinPath, nameOf } from './start-tree.ts';

const PYTHON_IMPORT = /^[ \t]*import[ \t]+([\w., \t]+)/gm;
const PYTHON_FROM = /^[ \t]*from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]*(\([^)]*\)|[^\n]+)/gm;
const PYTHON_NAMES = /(?:import_module|__import__|importorskip|run_module)\(\s*['"]([\w.]+)['"]/g;
const PYTHON_PLUGINS = /^pytest_plugins\s*=\s*(\[[^\]]*\]|\([^)]*\)|[^\n]+)/gm;
const JS_IMPORT =
  /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire(?:\.resolve)?\s*\(\s*|\bmock\s*\(\s*|\bimportActual\s*\(\s*)(?:\/\*[^*]*\*\/\s*)?['"`]([^'"`\n$]+)['"`]/g;
const JS_FILE = /\.(?:[cm]?[jt]sx?|vue|svelte|json|snap)$/;

/** Names of modules that a Python or JS/TS text imports, as far as they stand in it. */
export function importsOf(path: string, text: string): readonly string[] {
  return path.endsWith('.py')
    ? pythonImports(text)
    : [...text.matchAll(JS_IMPORT)].map(([, name]) => name ?? '');
}

function pythonImports(text: string): string[] {
  const plain = [...text.matchAll(PYTHON_IMPORT)].flatMap(([, names = '']) =>
    names.split(',').map(firstWord),
  );
  const from = [...text.matchAll(PYTHON_FROM)].flatMap(([, module = '', names = '']) =>
    importedFrom(module.replace(/^\.+/, ''), names),
  );
  const named = [...text.matchAll(PYTHON_NAMES)].map(([, name = '']) => name);
  const plugins = [...text.matchAll(PYTHON_PLUGINS)].flatMap(([, list = '']) =>
    [...list.matchAll(/['"]([\w.]+)['"]/g)].map(([, name = '']) => name),
  );
  return [...plain, ...from, ...named, ...plugins].filter(Boolean);
}

/** The module, and each name in it, which may be a module too. */
function importedFrom(module: string, names: string): string[] {
  const own = names.replace(/#[^\n]*/g, '').match(/[A-Za-z_]\w*(?:\s+as\s+\w+)?/g) ?? [];
  return [module, ...own.map(firstWord).map((name) => (module === '' ? name : `${module}.${name}`))];
}

function firstWord(text: string): string {
  return text.trim().split(/\s/)[0] ?? '';
}

/** Finds the files of the start that an import can mean. Where a path is written short or by an alias, by its end. */
export class Modules {
  readonly #byStem = new Map<string, string[]>();
  readonly #paths: ReadonlySet<string>;

  constructor(paths: readonly string[]) {
    this.#paths = new Set(paths);
    for (const path of paths) {
      if (!path.endsWith('.py') && !JS_FILE.test(path)) continue;
      const stem = stemOf(path);
      const list = this.#byStem.get(stem);
      if (list) list.push(path);
      else this.#byStem.set(stem, [path]);
    }
  }

  /** Files that `name`, imported in `from`, can mean. */
  resolve(from: string, name: string): readonly string[] {
    return from.endsWith('.py') ? this.#python(name) : this.#javascript(from, name);
  }

  #python(name: string): readonly string[] {
    const wanted = name.replaceAll('.', '/');
    return (this.#byStem.get(nameOf(wanted)) ?? []).filter(
      (path) => path.endsWith('.py') && endsWith(moduleOf(path), wanted),
    );
  }

  #javascript(from: string, name: string): readonly string[] {
    if (!name.startsWith('.')) return this.#alias(name);
    const path = joinPath(folderOf(from), name);
    if (path === undefined) return [];
    if (this.#paths.has(path)) return [path];
    const wanted = path.replace(JS_FILE, '');
    return (this.#byStem.get(nameOf(wanted)) ?? []).filter((other) =>
      [wanted, path].includes(moduleOf(other)),
    );
  }

  /** `@/test/helpers`, `~lib/x`, `#support`: whatever the first part stands for. */
  #alias(name: string): readonly string[] {
    const rest = name.replace(JS_FILE, '').replace(/^[@~#]?[^/]*\//, '');
    if (!name.includes('/') || rest === '') return [];
    return (this.#byStem.get(nameOf(rest)) ?? []).filter(
      (path) => JS_FILE.test(path) && endsWith(moduleOf(path), rest),
    );
  }
}

/** A path without its ending; the folder for `__init__.py` and `index.js`. */
export function moduleOf(path: string): string {
  const bare = path.replace(/\.d\.ts$/, '').replace(/\.\w+$/, '');
  const name = nameOf(bare);
  return name === '__init__' || name === 'index' ? folderOf(bare) : bare;
}

function stemOf(path: string): string {
  return nameOf(moduleOf(path));
}

function endsWith(path: string, end: string): boolean {
  return path === end || path.endsWith(`/${end}`);
}
