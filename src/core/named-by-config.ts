import { importsOf, Modules } from './imports.ts';
import { folderOf, joinPath, languageOf, nameOf, type StartTree } from './start-tree.ts';

/** Configuration of runners and compilers that names other files. */
const CONFIGS =
  /^(?:(?:vitest|vite|jest|ava|playwright|karma)\.(?:config|workspace|conf)\.\w+|\.mocharc(?:\.\w+)?|tsconfig[\w.-]*\.json|package\.json|\.(?:nyc|c8|swc)rc(?:\.\w+)?|\.eslintrc(?:\.\w+)?)$/;
/** Keys whose values are files that run with the tests or decide about them. Not `include`, `entry` and the like. */
const KEYS =
  /["']?\b(?:setupFiles|setupFilesAfterEnv|globalSetup|globalTeardown|preset|extends|testRunner|runner|transform|testEnvironment|environment|reporters?|resolver|snapshotSerializers|snapshotResolver|testSequencer|require|file)["']?\s*:\s*(\[[^\]]*\]|\{[^}]*\}|["'`][^"'`\n]*["'`]|-?\s*[./][^\s,}]*(?:\n\s*-\s*\S+)*)/g;
const ENDINGS = [
  '',
  '.js',
  '.ts',
  '.mjs',
  '.cjs',
  '.mts',
  '.cts',
  '.jsx',
  '.tsx',
  '.json',
  '/index.js',
  '/index.ts',
];
/** Keys that name such files for mocha only; elsewhere they name parts of the program (`exports`). */
const FOR_MOCHA = new Set(['require', 'file']);

/** Keys whose values are configuration of the same kind again. */
const CONFIG_AGAIN = new Set(['extends', 'preset']);
/** Configuration that is a program, and may be written in more than one file. */
const PROGRAM =
  /^(?:(?:vitest|vite|jest|ava|playwright|karma|babel|eslint)\.(?:config|workspace|conf)|\.mocharc|\.eslintrc)\.[cm]?[jt]s$/;

/** Files of the start that the start's configuration names as a part of itself, with the configuration that does so. */
export function namedByConfig(start: StartTree): ReadonlyMap<string, string> {
  const named = new Map<string, string>();
  const configs = new Set(start.facts.paths.filter((path) => CONFIGS.test(nameOf(path))));
  // A set hands out what is added to it while it is gone through.
  for (const config of configs) {
    for (const { path, key } of namedIn(config, start)) {
      if (!named.has(path)) named.set(path, config);
      if (CONFIG_AGAIN.has(key)) configs.add(path);
    }
  }
  for (const [path, config] of importedByConfig(start)) if (!named.has(path)) named.set(path, config);
  return named;
}

function namedIn(config: string, start: StartTree): { readonly path: string; readonly key: string }[] {
  const text = start.read(config) ?? '';
  return [...text.matchAll(KEYS)].flatMap(([whole, value = '']) => {
    const key = /\w+/.exec(whole)?.[0] ?? '';
    if (FOR_MOCHA.has(key) && !config.includes('.mocharc')) return [];
    return valuesIn(value).flatMap((name) => {
      const path = fileOf(name, config, start);
      return path === undefined ? [] : [{ path, key }];
    });
  });
}

/** Files that configuration imports and nothing else does: what the program imports too is a part of the program. */
function importedByConfig(start: StartTree): ReadonlyMap<string, string> {
  const { paths } = start.facts;
  const found = new Map<string, string>();
  const programs = new Set(paths.filter((path) => PROGRAM.test(nameOf(path))));
  const modules = new Modules(paths);
  const importsIn = (path: string) =>
    importsOf(path, start.read(path) ?? '')
      .filter((name) => name.startsWith('.'))
      .flatMap((name) => modules.resolve(path, name));
  for (const config of programs) {
    for (const path of importsIn(config)) {
      if (!programs.has(path) && languageOf(path) === 'javascript' && !found.has(path))
        found.set(path, config);
    }
  }
  if (found.size === 0) return found;
  const others = paths.filter(
    (path) => languageOf(path) === 'javascript' && !programs.has(path) && !found.has(path),
  );
  for (const path of others.flatMap(importsIn)) found.delete(path);
  return found;
}

function valuesIn(value: string): string[] {
  const quoted = [...value.matchAll(/["'`]([^"'`\n]+)["'`]/g)].map(([, name = '']) => name);
  return quoted.length > 0
    ? quoted
    : value.split(/[\s,[\]{}]+/).filter((word) => word.startsWith('.') || word.startsWith('/'));
}

function fileOf(name: string, config: string, start: StartTree): string | undefined {
  const relative = name.replace(/^<rootDir>\//, './');
  if (!/^[\w.@-]*[./]/.test(relative)) return undefined;
  const path = joinPath(folderOf(config), relative);
  if (path === undefined) return undefined;
  return ENDINGS.map((ending) => path + ending).find((candidate) => start.has(candidate));
}
