import { importsOf, Modules } from '../imports.ts';
import { inTestFolder, isTestFile } from '../judge-names.ts';
import { foldersAbove, nameOf } from '../start-tree.ts';
import type { Suspicion } from './row.ts';

interface Reading {
  readonly path: string;
  /** Without comments. */
  readonly text: string;
  readonly added: ReadonlySet<number>;
  readonly start: {
    readonly paths: readonly string[];
    readonly read: (path: string) => string | undefined;
  };
}

/** Calls by which a program reads a file, or the names of files. */
const READS =
  /\b(?:open|read_text|read_bytes|i?glob|rglob|iterdir|listdir|scandir|walk|getlines?|run_path|run_module|fopen|file_get_contents|readFile(?:Sync)?|readdir(?:Sync)?|createReadStream|globSync|ReadFile|ReadDir|WalkDir|Open|Glob)\s*\(/;
/** Calls that make the path of one. */
const PLACES = /\b(?:Path|joinpath|join|resolve|URL|require|import|getsource\w*)\s*\(/;
const TEXT = /(['"`])((?:(?!\1)[^\\\n]|\\.)*)\1/g;
/** Folders that hold answers by their name. */
const ANSWERS =
  /^(?:goldens?|golden[-_]files?|approved|approvals|expected|expectations?|fixtures?|test[-_]?data|__snapshots__|snapshots?|answers|baselines?|refs?|want)$/i;
/** Tests that are read to learn which folders they name. */
const MOST_READ = 200;
/** Lines above and below in which a place may be kept apart from what reads it. */
const NEAR = 2;

/** Sources that read tests of the start or their data, or import them. */
export function readsOfTests(reading: Reading): Suspicion[] {
  const tests = reading.start.paths.filter((path) => isTestFile(path) || inTestFolder(path));
  if (tests.length === 0) return [];
  const told = (because: string) => (line: number) => ({
    path: reading.path,
    line,
    name: 'reads-tests',
    because,
  });
  const answers = answersReadIn(reading, tests).map(({ line, folder }) =>
    told(`it reads ${folder}/, where tests have what they expect`)(line),
  );
  const itself = [...readLines(reading, tests), ...importedTests(reading, tests)];
  return [...answers, ...itself.map(told('it reads the tests, or what they expect'))];
}

/** Lines that name a folder of answers that tests of the start name as well, and this source did not. */
function answersReadIn({ path, text, added, start }: Reading, tests: readonly string[]) {
  const lines = text.split('\n');
  const found = lines.flatMap((line, index) => {
    if (!added.has(index + 1) || !isNear(lines, READS, index)) return [];
    const parts = [...line.matchAll(TEXT)].flatMap(([, , value = '']) => placeIn(value).split('/'));
    const folder = parts.find((part) => ANSWERS.test(part));
    return folder === undefined ? [] : [{ line: index + 1, folder }];
  });
  if (found.length === 0) return [];
  const folders = new Set(start.paths.flatMap(foldersAbove).map(nameOf));
  const texts = tests.slice(0, MOST_READ).map((test) => start.read(test) ?? '');
  const own = start.read(path) ?? '';
  return found.filter(
    ({ folder }) => folders.has(folder) && texts.some((test) => names(test, folder)) && !names(own, folder),
  );
}

function names(text: string, folder: string): boolean {
  return [...text.matchAll(TEXT)].some(([, , value = '']) => value.split('/').includes(folder));
}

function isNear(lines: readonly string[], calls: RegExp, index: number): boolean {
  return lines.slice(Math.max(0, index - NEAR), index + NEAR + 1).some((line) => calls.test(line));
}

function readLines({ text, added }: Reading, tests: readonly string[]): number[] {
  const lines = text.split('\n');
  const names = new Names(tests);
  const near = (calls: RegExp, index: number) => isNear(lines, calls, index);
  return lines.flatMap((line, index) => {
    if (!added.has(index + 1)) return [];
    const texts = [...line.matchAll(TEXT)].map(([, , value = '']) => placeIn(value));
    const reads = () => near(READS, index);
    const found =
      (texts.some((place) => names.isFile(place)) && (reads() || near(PLACES, index))) ||
      (texts.some((place) => names.isFolder(place)) && reads());
    return found ? [index + 1] : [];
  });
}

/** `../tests/a.py` → `tests/a.py`. */
function placeIn(value: string): string {
  return value.replace(/^(?:\.{0,2}\/)+/, '').replace(/\/+$/, '');
}

function importedTests({ path, text, added, start }: Reading, tests: readonly string[]): number[] {
  const modules = new Modules(start.paths);
  const named = new Set(tests.filter((test) => isTestFile(test) || !/\.\w*$/.test(nameOf(test))));
  const wanted = importsOf(path, text).filter((name) =>
    modules.resolve(path, name).some((other) => other !== path && named.has(other)),
  );
  const lines = text.split('\n');
  return wanted.flatMap((name) => {
    const word = name.split('.').at(-1) ?? name;
    return lines.flatMap((line, index) =>
      added.has(index + 1) && /import|require|from/.test(line) && line.includes(word) ? [index + 1] : [],
    );
  });
}

/** Texts that name a test of the start, or something that tests read. */
class Names {
  readonly #tests: readonly string[];
  /** Names of test files, which say so by themselves. */
  readonly #names: ReadonlySet<string>;
  readonly #folders: ReadonlySet<string>;

  constructor(tests: readonly string[]) {
    this.#tests = tests;
    this.#names = new Set(tests.filter(isTestFile).map(nameOf));
    this.#folders = new Set(tests.flatMap(foldersAbove).filter((folder) => inTestFolder(`${folder}/`)));
  }

  /** A file, or a pattern that finds some. */
  isFile(place: string): boolean {
    if (place === '') return false;
    if (/[*?]/.test(place)) return this.#isGlob(place);
    if (this.#names.has(nameOf(place))) return true;
    return inTestFolder(place) && this.#tests.some((path) => path === place || path.endsWith(`/${place}`));
  }

  isFolder(place: string): boolean {
    return this.#folders.has(place);
  }

  #isGlob(glob: string): boolean {
    const folders = foldersAbove(glob).filter(Boolean);
    if (folders.some((folder) => this.#folders.has(folder))) return true;
    const name = nameOf(glob);
    const source = name
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replace(/\*+/g, '.*')
      .replace(/\?/g, '.');
    const pattern = new RegExp(`^${source}$`);
    return /test|spec/i.test(name) && [...this.#names].some((file) => pattern.test(file));
  }
}
