import { Helpers } from './helpers.ts';
import { importsOf, Modules, moduleOf } from './imports.ts';
import { inSourceTests, keepsInSourceTests } from './in-source.ts';
import { inTestFolder, isJudgeLike, isTestFile, isTestLike } from './judge-names.ts';
import { ListedData } from './listed-data.ts';
import type { Resolution } from './manifests/package-resolution.ts';
import type { RedTests } from './red-tests.ts';
import {
  folderOf,
  foldersAbove,
  isSource,
  joinPath,
  languageOf,
  nameOf,
  type StartTree,
} from './start-tree.ts';
import type { ChangedFile } from './tree.ts';

/** Folders for data and helpers of tests beside those that are test-like. */
const DATA_FOLDER =
  /(?:^|\/)(?:testdata|test[-_]?data|__fixtures__|fixtures?|goldens?|expect(?:ed|ations?)|testcases|vectors|snapshots|cassettes|mocks|__mocks__|test[-_]?(?:utils?|support|helpers))\//i;
/** Names of helpers that say that they are for tests. */
const HELPER =
  /(?:^|[-_.])(?:tests?|testing|test(?:utils?|helpers?)|fixtures?|mocks?|fakes?|stubs?)(?:[-_.]|$)/i;
/** The same of data. */
const DATA =
  /(?:^|[-_.])(?:tests?|fixtures?|mocks?|cases?|expected|wanted|answers?|vectors?|goldens?|samples?)(?:[-_.]|$)/i;
/** Names of helpers of anything: for tests where nothing but tests stands beside them. */
const PLAIN_HELPER =
  /^_*(?:helpers?|utils?|support|common|shared|asserts?|assertions?|expectations?|cases?|factor(?:y|ies)|builders?|harness|checks?|base|oracles?|references?|models?|expected|wanted|answers?|truth|goldens?|vectors|samples?|values|constants|tables?|data|inputs|params)\.\w+$/i;
const PACKAGE_FILE = /^(?:__init__|conftest)\.py$/;
const MANIFESTS = ['package.json', 'pyproject.toml', 'setup.py', 'go.mod', 'Cargo.toml'];
/** Languages whose imports are read: those where each file is a module of its own, and the others. */
const READ = new Set(['python', 'javascript']);
const IMPORTS_READ = new Set([...READ, 'go']);

export type AgentsText = (path: string) => string | undefined;

/** The tests of the start that were red, and what only they use: in the room they are as they were written. */
export class TestsAsWritten {
  readonly #start: StartTree;
  readonly #red: RedTests;
  readonly #setups: ReadonlySet<string>;
  readonly #modules: Modules;
  readonly #helpers: Helpers;
  #listed: ListedData | undefined;
  #reached: ReadonlySet<string> | undefined;
  #all: ReadonlySet<string> | undefined;
  #sources: ReadonlyMap<string, string> | undefined;
  #imported: ReadonlyMap<string, readonly string[]> | undefined;

  /** `setups`: files that the start's configuration names, which run with every test. */
  constructor(start: StartTree, red: RedTests, setups: ReadonlySet<string>) {
    this.#start = start;
    this.#red = red;
    this.#setups = setups;
    this.#modules = new Modules(start.facts.paths, (path) => start.read(path));
    this.#helpers = new Helpers({
      start,
      modules: this.#modules,
      red: () => this.#redFiles(),
      isForTests: (path) => this.#isForTests(path),
      hasTestsOfItsOwn: (path) => this.#hasTestsOfItsOwn(path),
      importers: (path) => this.#importersOf(path),
    });
  }

  /** Why a file counts as it was written: a phrase; undefined where the agent's version goes in. */
  keeps(path: string): string | undefined {
    const { files, unknown } = this.#red;
    if (!this.#start.has(path)) return this.#keepsNew(path);
    if (files.has(path)) return this.#isInSource(path) ? undefined : 'its tests were red at the start';
    if (this.#helpers.has(path)) return 'red tests assert by it, and no source uses it';
    const helps = this.#isForTests(path);
    if (unknown !== undefined && (helps || this.#onlyRedTestsUse(path) || this.#isListed(path)))
      return `which tests were red is not known (${unknown}), so all count`;
    if (unknown !== undefined || files.size === 0) return undefined;
    const used = helps ? this.#helpsRedTests(path) : this.#onlyRedTestsUse(path);
    return used || this.#isListed(path) ? 'tests that were red at the start use it' : undefined;
  }

  /** A caveat for an edit of tests that were green, or of a source by which red ones compare; undefined for every other change. */
  caveatOf({ path, change }: ChangedFile, agents: AgentsText): string | undefined {
    const rewritten = change === 'modified' ? this.#helpers.rewritten(path, agents(path)) : undefined;
    if (rewritten !== undefined) return `red tests compare by ${rewritten} of ${path}, which was edited`;
    if (change === 'added' || !this.#start.isTestFile(path) || this.#isProduct(path)) return undefined;
    if (this.#red.files.has(path) || this.keeps(path) !== undefined) return undefined;
    return `tests that were green were ${change === 'deleted' ? 'deleted' : 'edited'}: ${path}`;
  }

  /**
   * Why a green is not confirmed: tests that stand inside a source were edited with it. `others` gives the
   * texts of new files, where they may have moved.
   */
  doubtOf({ path }: ChangedFile, agents: AgentsText, others: () => readonly string[]): string | undefined {
    const text = this.#start.read(path);
    if (text === undefined || isTestLike(path) || !this.#mayRunInSource(path)) return undefined;
    const tests = inSourceTests(path, text);
    if (!tests) return undefined;
    const now = [agents(path) ?? '', ...others()].join('\n');
    return keepsInSourceTests(tests, now) ? undefined : `${tests.kind} of the start were edited in ${path}`;
  }

  #mayRunInSource(path: string): boolean {
    return path.endsWith('.rs') || this.#red.testFiles.has(path);
  }

  /** All tests of the start, where nobody knows which were red. */
  #redFiles(): ReadonlySet<string> {
    if (this.#red.unknown === undefined) return this.#red.files;
    this.#all ??= new Set([
      ...this.#red.files,
      ...this.#start.facts.paths.filter((path) => this.#start.isTestFile(path)),
    ]);
    return this.#all;
  }

  #isInSource(path: string): boolean {
    if (this.#start.isTestFile(path) && isTestLike(path)) return false;
    const text = this.#start.read(path) ?? '';
    return inSourceTests(path, text) !== undefined || this.#isImportedBySources(path);
  }

  /** True for files that, by name or place, are there for tests. */
  #isForTests(path: string): boolean {
    if (this.#setups.has(path)) return true;
    if (this.#isProduct(path)) return false;
    if (this.#start.isTestFile(path)) return true;
    if (DATA_FOLDER.test(path) && !isSource(path)) return this.#inUseByTests(path);
    if (!isTestLike(path) || this.#isProgram(path)) return false;
    return true;
  }

  /** True for a part of the program whose name merely sounds like a test: `src/test-runner.js`. */
  #isProduct(path: string): boolean {
    if (inTestFolder(path) || languageOf(path) === undefined || this.#red.testFiles.has(path)) return false;
    return isTestLike(path) && (this.#hasTestsOfItsOwn(path) || this.#isImportedBySources(path));
  }

  /** True for a program whose folder merely has a name like one for tests: `packages/test/src`, or tests beside it. */
  #isProgram(path: string): boolean {
    const language = languageOf(path);
    if (language === undefined || !inTestFolder(path)) return false;
    const home = foldersAbove(path).find(
      (folder) => folder !== '' && MANIFESTS.some((name) => this.#start.has(`${folder}/${name}`)),
    );
    if (home !== undefined && !inTestFolder(path.slice(home.length + 1))) {
      return [...this.#red.files].some((file) => file.startsWith(`${home}/`));
    }
    return this.#hasTestsOfItsOwn(path) && !this.#hasSourcesElsewhere(language);
  }

  #hasTestsOfItsOwn(path: string): boolean {
    const stem = nameOf(moduleOf(path)).toLowerCase();
    return this.#start.facts.paths.some((other) => {
      if (other === path || !this.#start.isTestFile(other) || languageOf(other) !== languageOf(path))
        return false;
      const name = nameOf(moduleOf(other)).toLowerCase();
      const bare = name.replace(/[-_.](?:tests?|specs?)$/, '');
      return (bare === name ? name.replace(/^tests?[-_.]/, '') : bare) === stem;
    });
  }

  #hasSourcesElsewhere(language: string): boolean {
    return this.#start.facts.paths.some(
      (path) =>
        languageOf(path) === language && !isTestLike(path) && !/(?:^setup\.py|\.config\.\w+)$/.test(path),
    );
  }

  /** Data, helpers, packages of tests, and files of tests that red ones import. */
  #helpsRedTests(path: string): boolean {
    const language = languageOf(path);
    if (language === undefined) return this.#usedByRed(path) || !this.#mentionedIn(path, this.#greenTexts());
    if (this.#start.isTestFile(path)) return this.#redAndReached().has(path);
    if (!READ.has(language)) return true;
    if (nameOf(path) === '__init__.py') {
      return [...this.#red.files].some((file) => file.startsWith(`${folderOf(path)}/`));
    }
    return this.#redAndReached().has(path) || this.#mentionedIn(path, this.#redTexts());
  }

  /** Outside of folders for tests: only where the name or its place says that it is for tests, and no source uses it. */
  #onlyRedTestsUse(path: string): boolean {
    const language = languageOf(path);
    const says = DATA_FOLDER.test(path) || (language === undefined ? DATA : HELPER).test(nameOf(path));
    if (!says && !this.#isAmongRedTests(path)) return false;
    if (language === undefined) return this.#usedByRed(path) && !this.#mentionedIn(path, this.#sourceTexts());
    if (!READ.has(language) || !this.#redAndReached().has(path)) return false;
    return !this.#hasTestsOfItsOwn(path) && !this.#isImportedBySources(path);
  }

  /**
   * Data, or a helper by its name, in a folder where otherwise only tests stand, of which red ones test what stands
   * elsewhere: a folder for tests, whatever it is called.
   */
  #isAmongRedTests(path: string): boolean {
    const folder = folderOf(path);
    // A folder that says that it judges holds helpers of any name.
    const judges = isJudgeLike(folder);
    const isHelper =
      judges ||
      languageOf(path) === undefined ||
      PLAIN_HELPER.test(nameOf(path)) ||
      this.#holdsOnlyData(path);
    if (folder === '' || !isHelper) return false;
    const sources = this.#start.inFolder(folder).filter((other) => languageOf(other) !== undefined);
    const red = sources.filter((other) => this.#redFiles().has(other));
    const stands = (other: string) =>
      judges || other === path || this.#start.isTestFile(other) || isBesideTests(nameOf(other));
    return (
      sources.every(stands) &&
      red.some((test) =>
        this.#importedBy(test).some((other) => folderOf(other) !== folder && !isTestLike(other)),
      )
    );
  }

  #holdsOnlyData(path: string): boolean {
    const text = READ.has(languageOf(path) ?? '') ? this.#start.read(path) : undefined;
    return (
      text !== undefined && /=/.test(text) && !/\b(?:def|class|lambda|function|async|new)\b|=>/.test(text)
    );
  }

  #usedByRed(path: string): boolean {
    return this.#mentionedIn(path, this.#redTexts());
  }

  /** Data below a folder like `testdata`: for tests where tests lie near, or speak of it. */
  #inUseByTests(path: string): boolean {
    const home = DATA_FOLDER.exec(`${path}`);
    const folder = path.slice(0, home?.index ?? 0);
    const near = this.#start.inFolder(folder).some((other) => this.#start.isTestFile(other));
    return inTestFolder(path) || near || this.#usedByRed(path);
  }

  #mentionedIn(path: string, texts: readonly string[]): boolean {
    const name = nameOf(path);
    const stem = name.replace(/\.\w+$/, '');
    const quoted = isSource(path)
      ? new RegExp(`["'\`/.]${escaped(stem)}(?:["'\`/]|\\.\\w+["'\`])`)
      : undefined;
    return texts.some((text) => (quoted ? quoted.test(text) : text.includes(name)));
  }

  #redTexts(): string[] {
    return [...this.#redAndReached()].map((path) => this.#start.read(path) ?? '');
  }

  #greenTexts(): string[] {
    const reached = this.#redAndReached();
    return this.#start.facts.paths
      .filter((path) => this.#start.isTestFile(path) && !reached.has(path))
      .map((path) => this.#start.read(path) ?? '');
  }

  #sourceTexts(): string[] {
    return [...this.#sourcesOfStart().values()];
  }

  #isImportedBySources(path: string): boolean {
    return this.#importersOf(path).some((source) => source !== path);
  }

  #importersOf(path: string): readonly string[] {
    this.#imported ??= this.#importedBySources();
    return this.#imported.get(path) ?? [];
  }

  /** Files of the start that its sources import, with these. */
  #importedBySources(): Map<string, string[]> {
    const imported = new Map<string, string[]>();
    for (const [source, text] of this.#sourcesOfStart()) {
      for (const path of importsOf(source, text).flatMap((name) => this.#modules.resolve(source, name))) {
        const by = imported.get(path) ?? [];
        if (!by.includes(source)) imported.set(path, [...by, source]);
      }
    }
    return imported;
  }

  #sourcesOfStart(): ReadonlyMap<string, string> {
    this.#sources ??= new Map(
      this.#start.facts.paths
        .filter(
          (path) =>
            IMPORTS_READ.has(languageOf(path) ?? '') && !isTestLike(path) && !this.#red.files.has(path),
        )
        .map((path) => [path, this.#start.read(path) ?? '']),
    );
    return this.#sources;
  }

  /** Red test files, what runs before them, and helpers that these import, directly or not. */
  #redAndReached(): ReadonlySet<string> {
    if (this.#reached) return this.#reached;
    const red = this.#redFiles();
    const conftests = [...red].flatMap(conftestsAbove).filter((path) => this.#start.has(path));
    const reached = new Set([...red, ...this.#setups, ...conftests]);
    // A set hands out what is added to it while it is gone through.
    for (const path of reached) {
      for (const found of this.#importedBy(path))
        if (mayHelp(found) || this.#isAmongRedTests(found) || this.#helpers.has(found)) reached.add(found);
    }
    this.#reached = reached;
    return reached;
  }

  #importedBy(path: string): string[] {
    if (!IMPORTS_READ.has(languageOf(path) ?? '')) return [];
    const names = importsOf(path, this.#start.read(path) ?? '');
    return names.flatMap((name) => this.#modules.resolve(path, name));
  }

  /** Where red tests read it through a folder that they name. */
  #isListed(path: string): boolean {
    return languageOf(path) === undefined && !this.#isMarkup(path) && this.#listedData().has(path);
  }

  #isMarkup(path: string): boolean {
    return MANIFESTS.includes(nameOf(path)) || /^(?:readme|changelog|license)\b/i.test(nameOf(path));
  }

  #listedData(): ListedData {
    if (this.#listed) return this.#listed;
    const red = this.#redFiles();
    // Tests of nothing but files ask for these files.
    const tests = [...this.#redAndReached()].filter(
      (path) =>
        !red.has(path) || path.endsWith('.go') || this.#importedBy(path).some((other) => !isTestLike(other)),
    );
    const sources = [...this.#sourcesOfStart()].filter(
      ([path]) => !this.#redAndReached().has(path) && !this.#helpers.has(path),
    );
    this.#listed = new ListedData(
      tests.map((path) => this.#start.read(path) ?? ''),
      sources.map(([, text]) => text),
    );
    return this.#listed;
  }

  /** What of a package.json red tests rely on to find what they import. */
  resolutionBy(path: string): Resolution {
    const folder = folderOf(path);
    const imports = [...this.#redAndReached()]
      .filter((test) => languageOf(test) === 'javascript' && this.#packageOf(test) === folder)
      .flatMap((test) => this.#hashImportsOf(test));
    const own = this.#start.facts.paths.filter(
      (other) => folderOf(other) === folder || folder === '' || other.startsWith(`${folder}/`),
    );
    return {
      imports,
      isHelper: own.some(
        (other) =>
          languageOf(other) === 'javascript' && this.#packageOf(other) === folder && this.#helpers.has(other),
      ),
      isThere: (target) => this.#start.has(joinPath(folder, target) ?? ''),
    };
  }

  /** The folder of the package.json that holds for a file. */
  #packageOf(path: string): string | undefined {
    return foldersAbove(path).find((folder) => this.#start.has(joinPath(folder, 'package.json') ?? ''));
  }

  #hashImportsOf(path: string): readonly string[] {
    return importsOf(path, this.#start.read(path) ?? '').filter((name) => name.startsWith('#'));
  }

  #keepsNew(path: string): string | undefined {
    const helper = this.#helpers.joins(path);
    if (helper !== undefined) return `it would be one package with ${helper}, by which red tests assert`;
    const folder = languageOf(path) === undefined ? this.#listedData().listing(path) : undefined;
    if (folder !== undefined) return `tests that were red at the start list ${folder}`;
    const first = this.#standsBefore(path) ?? this.#resolvesBefore(path);
    return first === undefined ? undefined : `an import would find it in the place of ${first}`;
  }

  /** Where a package or a folder of red tests comes before what they import by a name. */
  #resolvesBefore(path: string): string | undefined {
    if (path.endsWith('.py')) return this.#shadowedByFolder(path);
    const folder = folderOf(path);
    if (nameOf(path) === 'package.json') {
      const index = this.#start
        .inFolder(folder)
        .find((other) => /^index\.[cm]?[jt]sx?$/.test(nameOf(other)) && this.keeps(other) !== undefined);
      const user = [...this.#redAndReached()].find(
        (test) => test.startsWith(`${folder}/`) && this.#hashImportsOf(test).length > 0,
      );
      if (index !== undefined || user !== undefined) return index ?? `what ${user} imports`;
    }
    const [, above = '', name = ''] = /^(.+)\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
    if (name === '') return undefined;
    const user = [...this.#redAndReached()].find(
      (test) =>
        test.startsWith(`${above}/`) &&
        importsOf(test, this.#start.read(test) ?? '').some(
          (other) => other === name || other.startsWith(`${name}/`),
        ),
    );
    return user === undefined ? undefined : `${name}, which ${user} imports`;
  }

  /** pytest and unittest look in the folder of a test first, as long as that is no package. */
  #shadowedByFolder(path: string): string | undefined {
    if (isTestFile(path)) return undefined;
    for (const test of this.#redFiles()) {
      const folder = test.endsWith('.py')
        ? foldersAbove(test).find((above) => !this.#start.has(`${above}/__init__.py`))
        : undefined;
      if (!folder || !path.startsWith(`${folder}/`)) continue;
      const top =
        path
          .slice(folder.length + 1)
          .replace(/\.py$/, '')
          .split('/')[0] ?? '';
      if (this.#start.has(`${folder}/${top}.py`) || this.#start.isFolder(`${folder}/${top}`)) continue;
      const named = importsOf(test, this.#start.read(test) ?? '').filter(
        (name) => name.split('.')[0] === top,
      );
      const first = named.flatMap((name) => this.#modules.resolve(test, name))[0];
      if (first !== undefined) return first;
    }
    return undefined;
  }

  /** A new file that an import would find in the place of a helper that counts as it was written. */
  #standsBefore(path: string): string | undefined {
    const own = /\.(?:so|pyd|node)$/.test(path)
      ? path.replace(/(\/|^)([^/.]+)[^/]*$/, '$1$2')
      : moduleOf(path);
    if (!isSource(path) && !/\.(?:so|pyd|node|json)$/.test(path)) return undefined;
    const [folder, stem] = [folderOf(own), nameOf(own)];
    const near = [...this.#start.inFolder(folder), ...this.#start.inFolder(own)];
    const first = near.find(
      (other) => isSource(other) && moduleOf(other) === own && stem !== '' && this.keeps(other) !== undefined,
    );
    return first;
  }
}

function conftestsAbove(file: string): string[] {
  if (!file.endsWith('.py')) return [];
  return foldersAbove(file).map((folder) => (folder === '' ? 'conftest.py' : `${folder}/conftest.py`));
}

function isBesideTests(name: string): boolean {
  return PLAIN_HELPER.test(name) || PACKAGE_FILE.test(name);
}

function mayHelp(path: string): boolean {
  return isTestLike(path) || HELPER.test(nameOf(path)) || DATA_FOLDER.test(path);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
