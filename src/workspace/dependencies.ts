import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folders that hold nothing but what a tool can make again. Not walked. */
const CACHES = new Set([
  '.cache',
  '.gradle',
  '.ipynb_checkpoints',
  '.mypy_cache',
  '.pnpm-store',
  '.pytest_cache',
  '.pytype',
  '.ruff_cache',
  '__pycache__',
]);

/** Folders of installed packages, known by their name alone. Not walked. */
const BY_NAME = new Set([
  '.nox',
  '.tox',
  'bower_components',
  'jspm_packages',
  'node_modules',
  '__pypackages__',
]);

/** Folders of installed packages or of compiled ones, known by what stands beside them and in them. */
const BY_MARKER: readonly {
  readonly name: string;
  readonly beside: readonly string[];
  /** One of these must be in it. Absent: anything will do. */
  readonly within?: readonly string[];
}[] = [
  { name: 'target', beside: ['Cargo.toml', 'pom.xml'] },
  { name: 'vendor', beside: ['go.mod'], within: ['modules.txt'] },
  { name: 'vendor', beside: ['composer.json'], within: ['autoload.php', 'composer'] },
  { name: 'vendor', beside: ['Gemfile'], within: ['bundle', 'cache'] },
  { name: 'Pods', beside: ['Podfile'] },
  { name: 'deps', beside: ['mix.exs'] },
  { name: '_build', beside: ['mix.exs'] },
  { name: 'elm-stuff', beside: ['elm.json'] },
];

/** True where `dir` holds installed dependencies, so that a copy of it is ready to be used. */
export function holdsDependencies(dir: string): boolean {
  const entries = readdirSync(dir, { withFileTypes: true });
  const names = entries.map((entry) => entry.name);
  return entries.some(
    (entry) =>
      entry.isDirectory() &&
      (BY_NAME.has(entry.name) || isDependencyFolder(entry.name, names, readdirSync(join(dir, entry.name)))),
  );
}

/**
 * Every folder of installed dependencies below `root`, relative to it and sorted; none that lies in another. Those
 * that a package has none of yet are among them: where nothing stands, the first installation makes one.
 */
export function dependencyFolders(root: string): string[] {
  const found: string[] = [];
  const folders = [''];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    const entries = entriesOf(join(root, at));
    const names = entries.map((entry) => entry.name);
    const pathOf = (name: string) => (at === '' ? name : `${at}/${name}`);
    if (names.includes('package.json') && !names.includes('node_modules')) found.push(pathOf('node_modules'));
    for (const { name } of entries.filter((entry) => entry.isDirectory())) {
      const path = pathOf(name);
      if (name === '.git' || CACHES.has(name)) continue;
      if (BY_NAME.has(name) || isDependencyFolder(name, names, namesIn(join(root, path)))) found.push(path);
      else folders.push(path);
    }
  }
  return found.sort();
}

function namesIn(dir: string): string[] {
  return entriesOf(dir).map((entry) => entry.name);
}

function entriesOf(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch {
    // Not readable for us, so not for the checks either.
    return [];
  }
}

/** True for a folder that is never walked, whatever it holds. */
export function isCacheOrPackages(name: string): boolean {
  return CACHES.has(name) || BY_NAME.has(name);
}

/** True for a folder of dependencies, known by its marker files: a virtual environment, `vendor`, `target`, … */
export function isDependencyFolder(
  name: string,
  siblings: readonly string[],
  within: readonly string[],
): boolean {
  if (within.includes('pyvenv.cfg')) return true;
  return BY_MARKER.some(
    (row) =>
      row.name === name &&
      row.beside.some((marker) => siblings.includes(marker)) &&
      (row.within?.some((marker) => within.includes(marker)) ?? true),
  );
}
