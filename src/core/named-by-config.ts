import { folderOf, joinPath, nameOf, type StartTree } from './start-tree.ts';

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

/** Files of the start that the start's configuration names as a part of itself, with the configuration that does so. */
export function namedByConfig(start: StartTree): ReadonlyMap<string, string> {
  const named = new Map<string, string>();
  const configs = start.facts.paths.filter((path) => CONFIGS.test(nameOf(path)));
  for (const config of configs) {
    for (const path of namedIn(config, start)) if (!named.has(path)) named.set(path, config);
  }
  return named;
}

function namedIn(config: string, start: StartTree): string[] {
  const text = start.read(config) ?? '';
  return [...text.matchAll(KEYS)].flatMap(([whole, value = '']) => {
    const key = /\w+/.exec(whole)?.[0] ?? '';
    if (FOR_MOCHA.has(key) && !config.includes('.mocharc')) return [];
    return valuesIn(value).flatMap((name) => fileOf(name, config, start) ?? []);
  });
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
