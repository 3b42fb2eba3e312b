import type { Language } from './families/row.ts';
import { isTestFile, isTestLike } from './judge-names.ts';

/** What is known of the tree at the start of the run. */
export interface StartFacts {
  /** All files, relative to the workspace, with `/`. */
  readonly paths: readonly string[];
  /** Text of one of them; undefined where it cannot be read or is no text. */
  readonly read: (path: string) => string | undefined;
  /** Files that the baseline's reports named as holding tests. */
  readonly testFiles: readonly string[];
}

const LANGUAGES: readonly (readonly [Language, RegExp])[] = [
  ['python', /\.pyi?$/],
  ['javascript', /\.(?:[cm]?[jt]sx?|vue|svelte|astro|coffee)$/],
  ['go', /\.go$/],
  ['rust', /\.rs$/],
  ['jvm', /\.(?:java|kts?|scala|groovy)$/],
  ['ruby', /\.rb$/],
  ['php', /\.php$/],
  ['dotnet', /\.(?:cs|fs|vb)$/],
  ['c', /\.(?:c|h|cc|cpp|cxx|hpp|hh|m|mm|swift|zig)$/],
];
/** Sources that no family asks for. */
const OTHER_SOURCES = /\.(?:ex|exs|erl|hs|ml|lua|pl|pm|r|jl|dart|nim|clj|elm|sh|bash|sql)$/i;

/** The language of a source by its ending. */
export function languageOf(path: string): Language | undefined {
  return LANGUAGES.find(([, ending]) => ending.test(path))?.[0];
}

/** True for files of program text. */
export function isSource(path: string): boolean {
  return languageOf(path) !== undefined || OTHER_SOURCES.test(path);
}

/** The folder of a path; `''` for the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The folders that hold a path, nearest first, `''` last. */
export function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    folders.push(path.slice(0, at));
  }
  return [...folders, ''];
}

/** Joins a folder and a relative path; undefined where that leads out of the tree. */
export function joinPath(folder: string, relative: string): string | undefined {
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of relative.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

/** Files that only help tests, by their name, so that they speak for no test of their own. */
const NO_TEST =
  /(?:^|\/)(?:(?:conftest|__init__|sitecustomize|usercustomize)\.py|setup\.\w+|setupTests\.\w+|[^/]*\.(?:config|setup)\.\w+)$/;

/** The start as the rules ask for it: everything is worked out once, when first asked for. */
export class StartTree {
  readonly facts: StartFacts;
  readonly #paths: ReadonlySet<string>;
  readonly #named: ReadonlySet<string>;
  #testFolders: ReadonlyMap<Language, ReadonlySet<string>> | undefined;
  #sourceFolders: ReadonlyMap<Language, ReadonlySet<string>> | undefined;
  #folders: ReadonlySet<string> | undefined;
  #beside: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(facts: StartFacts) {
    this.facts = facts;
    this.#paths = new Set(facts.paths);
    this.#named = new Set(facts.testFiles);
  }

  has(path: string): boolean {
    return this.#paths.has(path);
  }

  read(path: string): string | undefined {
    return this.has(path) ? this.facts.read(path) : undefined;
  }

  /** True for files of the start that hold tests, by name, by folder or by a report. */
  holdsTests(path: string): boolean {
    return (
      this.#named.has(path) || (isTestLike(path) && languageOf(path) !== undefined && !NO_TEST.test(path))
    );
  }

  /** True for files that hold tests by their own name or by a report. */
  isTestFile(path: string): boolean {
    return (
      this.#named.has(path) || (isTestFile(path) && languageOf(path) !== undefined && !NO_TEST.test(path))
    );
  }

  /** True where files of the start lie below that path. */
  isFolder(path: string): boolean {
    this.#folders ??= new Set(this.facts.paths.flatMap(foldersAbove));
    return this.#folders.has(path);
  }

  /** True where tests of the start lie in the folder or below. */
  testsBelow(folder: string, language: Language): boolean {
    this.#testFolders ??= this.#foldersOf((path) => this.holdsTests(path));
    return this.#testFolders.get(language)?.has(folder) ?? false;
  }

  /** True where sources of the start lie in the folder or below. */
  sourcesBelow(folder: string, language: Language): boolean {
    this.#sourceFolders ??= this.#foldersOf(() => true);
    return this.#sourceFolders.get(language)?.has(folder) ?? false;
  }

  /** Files of the start in that very folder. */
  inFolder(folder: string): readonly string[] {
    if (!this.#beside) {
      const beside = new Map<string, string[]>();
      for (const path of this.facts.paths) {
        const at = folderOf(path);
        const list = beside.get(at);
        if (list) list.push(path);
        else beside.set(at, [path]);
      }
      this.#beside = beside;
    }
    return this.#beside.get(folder) ?? [];
  }

  #foldersOf(wanted: (path: string) => boolean): Map<Language, Set<string>> {
    const found = new Map<Language, Set<string>>();
    for (const path of this.facts.paths) {
      const language = languageOf(path);
      if (language === undefined || !wanted(path)) continue;
      const folders = found.get(language) ?? new Set();
      found.set(language, folders);
      for (const folder of foldersAbove(path)) {
        if (folders.has(folder)) break;
        folders.add(folder);
      }
    }
    return found;
  }
}
