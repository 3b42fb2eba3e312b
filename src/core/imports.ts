import { namedPackages, type PackageFolder } from './named-packages.ts';
import { folderOf, joinPath, nameOf } from './start-tree.ts';

const PYTHON_IMPORT = /^[ \t]*import[ \t]+([\w., \t]+)/gm;
const PYTHON_FROM = /^[ \t]*from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]*(\([^)]*\)|[^\n]+)/gm;
const PYTHON_NAMES = /(?:import_module|__import__|importorskip|run_module)\(\s*['"]([\w.]+)['"]/g;
const PYTHON_PLUGINS = /^pytest_plugins\s*=\s*(\[[^\]]*\]|\([^)]*\)|[^\n]+)/gm;
const JS_IMPORT =
  /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire(?:\.resolve)?\s*\(\s*|\bmock\s*\(\s*|\bimportActual\s*\(\s*)(?:\/\*[^*]*\*\/\s*)?['"`]([^'"`\n$]+)['"`]/g;
const GO_IMPORT = /^import\s+(?:[\w.]+\s+)?"([^"\n]+)"/gm;
const GO_IMPORTS = /^import\s*\(([^)]*)\)/gm;
const JS_FILE = /\.(?:[cm]?[jt]sx?|vue|svelte|json|snap)$/;

/** Names of modules that a Python, JS/TS or Go text imports, as far as they stand in it. */
export function importsOf(path: string, text: string): readonly string[] {
  if (path.endsWith('.go')) return goImports(text);
  return path.endsWith('.py')
    ? pythonImports(text)
    : [...text.matchAll(JS_IMPORT)].map(([, name]) => name ?? '');
}

function goImports(text: string): string[] {
  const single = [...text.matchAll(GO_IMPORT)].map(([, name = '']) => name);
  const grouped = [...text.matchAll(GO_IMPORTS)].flatMap(([, list = '']) =>
    [...list.matchAll(/"([^"\n]+)"/g)].map(([, name = '']) => name),
  );
  return [...single, ...grouped];
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
  readonly #read: ((path: string) => string | undefined) | undefined;
  #packages: readonly PackageFolder[] | undefined;

  /** `read`: where packages of the project that have a name of their own are to be found too. */
  constructor(paths: readonly string[], read?: (path: string) => string | undefined) {
    this.#paths = new Set(paths);
    this.#read = read;
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
    if (from.endsWith('.py')) return this.#python(name);
    return from.endsWith('.go') ? this.#go(name) : this.#javascript(from, name);
  }

  /** The package of the project that an import names by its name, and what of it. */
  packageOf(name: string, manifest: 'package.json' | 'go.mod'): PackageFolder | undefined {
    const read = this.#read;
    if (!read) return undefined;
    this.#packages ??= namedPackages([...this.#paths], read);
    return this.#packages
      .filter(
        (found) => found.manifest === manifest && (name === found.name || name.startsWith(`${found.name}/`)),
      )
      .sort((a, b) => b.name.length - a.name.length)[0];
  }

  /** All files of a package are one. */
  #go(name: string): readonly string[] {
    const found = this.packageOf(name, 'go.mod');
    if (!found) return [];
    const folder = joinPath(found.folder, name.slice(found.name.length));
    return [...this.#paths].filter(
      (path) => path.endsWith('.go') && !path.endsWith('_test.go') && folderOf(path) === folder,
    );
  }

  #fromPackage(name: string): readonly string[] {
    const found = this.packageOf(name, 'package.json');
    if (!found) return [];
    const rest = name.slice(found.name.length);
    const entries = rest === '' ? found.entries : [rest];
    return entries.flatMap((entry) => this.#file(joinPath(found.folder, entry)));
  }

  #python(name: string): readonly string[] {
    const wanted = name.replaceAll('.', '/');
    return (this.#byStem.get(nameOf(wanted)) ?? []).filter(
      (path) => path.endsWith('.py') && endsWith(moduleOf(path), wanted),
    );
  }

  #javascript(from: string, name: string): readonly string[] {
    if (!name.startsWith('.')) {
      const files = this.#fromPackage(name);
      return files.length > 0 ? files : this.#alias(name);
    }
    return this.#file(joinPath(folderOf(from), name));
  }

  #file(path: string | undefined): readonly string[] {
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
