import picomatch from 'picomatch';
import { globMatcher } from './globs.ts';
import { displayOf, type Key, nameOf, parentOf } from './names.ts';

/** Files of any folder that tools write, and nobody counts as work. */
const FILES = [
  '*.log',
  'npm-debug.log*',
  '*.tmp',
  '*.temp',
  '*.swp',
  '*~',
  '.DS_Store',
  'Thumbs.db',
  '*.pyc',
  '*.pyo',
  '*.class',
  '*.tsbuildinfo',
  '.eslintcache',
  '.stylelintcache',
  '.coverage',
  '.coverage.*',
  'coverage.xml',
  'coverage.out',
  'lcov.info',
  '*.lcov',
  '*.profraw',
  '*.gcda',
  '*.gcno',
  '*.sqlite',
  '*.sqlite3',
  '*.{sqlite,sqlite3,db}-{wal,shm,journal}',
  '*.db-journal',
];

/** Folders that are artefacts wherever they stand. */
const FOLDERS = new Set([
  '.coverage',
  '.eggs',
  '.hypothesis',
  '.next',
  '.nuxt',
  '.nyc_output',
  '.output',
  '.parcel-cache',
  '.svelte-kit',
  '.terraform',
  '.tmp',
  '.turbo',
  '.vite',
  '.vitest',
  'coverage-report',
  'htmlcov',
  'playwright-report',
  'test-results',
]);

/** Folders whose names sources have too: artefacts only at the root of the workspace or beside a manifest. */
const FOLDERS_OF_A_PROJECT = new Set([
  'build',
  'coverage',
  'dist',
  'log',
  'logs',
  'out',
  'target',
  'temp',
  'tmp',
]);

const MANIFESTS = new Set([
  'build.gradle',
  'build.gradle.kts',
  'Cargo.toml',
  'CMakeLists.txt',
  'composer.json',
  'deno.json',
  'Gemfile',
  'go.mod',
  'Makefile',
  'package.json',
  'pom.xml',
  'pyproject.toml',
  'setup.cfg',
  'setup.py',
  'tsconfig.json',
]);

/** Tells artefacts (seen, but no work) from work. */
export interface Artefacts {
  /** `siblings`: the names in the same folder. All that lies in an artefact folder is an artefact too. */
  isArtefact(key: Key, isFolder: boolean, siblings: readonly string[]): boolean;
}

/** The built-in artefacts and the user's globs. */
export function artefacts(ignore: readonly string[]): Artefacts {
  const isBuiltIn = picomatch(FILES, { dot: true });
  const isIgnored = globMatcher(ignore);
  return {
    isArtefact(key, isFolder, siblings) {
      const name = nameOf(key);
      if (isFolder && (FOLDERS.has(name) || name.endsWith('.egg-info'))) return true;
      if (isFolder && FOLDERS_OF_A_PROJECT.has(name) && isOfAProject(key, siblings)) return true;
      return isBuiltIn(displayOf(name)) || isIgnored(displayOf(key));
    },
  };
}

function isOfAProject(key: Key, siblings: readonly string[]): boolean {
  return parentOf(key) === '' || siblings.some((name) => MANIFESTS.has(name));
}
