import { importsOf, type Modules, moduleOf } from './imports.ts';
import { isJudgeLike } from './judge-names.ts';
import { type Call, callsOf, definitionOf } from './judging-calls.ts';
import { folderOf, languageOf, type StartTree } from './start-tree.ts';

/** What a helper has by which tests fail. */
const ASSERTS: Readonly<Record<string, RegExp>> = {
  python: /^\s*assert\b|\bAssertionError\b|\bpytest\.(?:fail|raises|approx)\b|\bself\.(?:assert|fail)\w*\(/m,
  javascript:
    /\bassert(?:\.\w+)*\(|\bexpect\(|\.should\b|['"](?:node:)?(?:assert(?:\/strict)?|chai)['"]|\bAssertionError\b/,
  go: /"testing"/,
};
/** By which it may, where it is called like one. */
const FAILS = /^\s*raise\b|\bthrow\b|\bpanic\(/m;
/** Parts of a path that say that it helps tests, beside those that judge. */
const HELPS = /(?:^|[-_.])(?:support|helpers?|fixtures?|testing|matchers?|comparers?|near|close)(?:[-_.]|$)/i;
/** A function that nobody has written yet. */
const STUB = /NotImplementedError|not implemented|TODO|:\s*(?:pass|\.\.\.)\s*$|\{\s*\}/i;

interface Parts {
  readonly start: StartTree;
  readonly modules: Modules;
  /** Tests of the start that count as red. */
  readonly red: () => ReadonlySet<string>;
  /** True for files that, by name or place, are there for tests. */
  readonly isForTests: (path: string) => boolean;
  readonly hasTestsOfItsOwn: (path: string) => boolean;
  /** Sources of the start that import a file. */
  readonly importers: (path: string) => readonly string[];
}

/** Modules of any name and place by which red tests assert. */
export class Helpers {
  readonly #parts: Parts;
  readonly #known = new Map<string, boolean>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** True for a module of the start by which red tests assert, and which no source uses; of Go, for its package. */
  has(path: string): boolean {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    // Who asks for itself on the way gets a no.
    this.#known.set(path, false);
    const answer = this.#isHelper(path);
    this.#known.set(path, answer);
    return answer;
  }

  /** A new file that would be part of a package of Go by which red tests assert. */
  joins(path: string): string | undefined {
    if (!path.endsWith('.go') || path.endsWith('_test.go')) return undefined;
    return this.#parts.start.inFolder(folderOf(path)).find((other) => this.has(other));
  }

  /** The function of a source by which red tests compare, where the agent wrote it anew: they may ask for less. */
  rewritten(path: string, agents: string | undefined): string | undefined {
    const before = this.#parts.start.read(path);
    if (before === undefined || this.has(path) || this.#parts.isForTests(path)) return undefined;
    const changed = (name: string) => {
      const definition = definitionOf(before, name);
      return (
        definition !== undefined && !STUB.test(definition) && definitionOf(agents ?? '', name) !== definition
      );
    };
    for (const test of this.#testsOf([path])) {
      const found = this.#calls(test, [path]).find(
        (call) => call.kind === 'judges' && this.#comparesOthers(call, test, [path]) && changed(call.name),
      );
      if (found) return found.name;
    }
    return undefined;
  }

  #isHelper(path: string): boolean {
    const { start, isForTests, hasTestsOfItsOwn } = this.#parts;
    if (languageOf(path) === undefined || start.isTestFile(path) || isForTests(path)) return false;
    const unit = this.#unitOf(path);
    if (unit.some(hasTestsOfItsOwn) || this.#isUsedBySources(unit)) return false;
    if (this.#isPartOfHelper(path)) return true;
    const text = unit.map((file) => start.read(file) ?? '').join('\n');
    const asserts = ASSERTS[languageOf(path) ?? '']?.test(text) ?? false;
    const tests = this.#testsOf(unit);
    const calls = tests.flatMap((test) => this.#calls(test, unit).map((call) => ({ call, test })));
    if (calls.some(({ call }) => call.kind === 'judged')) return false;
    const judging = calls.filter(({ call }) => call.kind === 'judges');
    if (asserts && judging.some(({ call }) => call.args.trim() !== '')) return true;
    const says = FAILS.test(text) || path.split('/').some((part) => isJudgeLike(part) || HELPS.test(part));
    return says && judging.some(({ call, test }) => this.#comparesOthers(call, test, unit));
  }

  /** `support/same.py`, of which `support/__init__.py` takes what tests import. */
  #isPartOfHelper(path: string): boolean {
    return this.#parts
      .importers(path)
      .some((other) => moduleOf(other) !== '' && path.startsWith(`${moduleOf(other)}/`) && this.has(other));
  }

  #isUsedBySources(unit: readonly string[]): boolean {
    return unit.some((file) =>
      this.#parts.importers(file).some((other) => !unit.includes(other) && !this.has(other)),
    );
  }

  /** All files of a package of Go are one. */
  #unitOf(path: string): readonly string[] {
    if (!path.endsWith('.go')) return [path];
    return this.#parts.start
      .inFolder(folderOf(path))
      .filter((other) => other.endsWith('.go') && !other.endsWith('_test.go'));
  }

  /** Red tests that import it beside something that is not there for tests. */
  #testsOf(unit: readonly string[]): readonly string[] {
    return [...this.#parts.red()].filter((test) => {
      if (languageOf(test) !== languageOf(unit[0] ?? '')) return false;
      const imported = this.#importedBy(test);
      if (!imported.some((file) => unit.includes(file))) return false;
      return (
        test.endsWith('.go') ||
        imported.some((other) => !unit.includes(other) && !this.#parts.isForTests(other))
      );
    });
  }

  #importedBy(test: string): readonly string[] {
    const names = importsOf(test, this.#parts.start.read(test) ?? '');
    return names.flatMap((name) => this.#parts.modules.resolve(test, name));
  }

  #calls(test: string, unit: readonly string[]): readonly Call[] {
    const { modules, start } = this.#parts;
    const isUnit = (module: string) => modules.resolve(test, module).some((file) => unit.includes(file));
    return callsOf(test, start.read(test) ?? '', isUnit);
  }

  /** True where a call gets the result of something else of the project, and what it should be. */
  #comparesOthers({ args }: Call, test: string, unit: readonly string[]): boolean {
    if (!args.includes(',')) return false;
    const { modules } = this.#parts;
    const isOther = (module: string) =>
      modules.resolve(test, module).some((file) => !unit.includes(file) && !this.#parts.isForTests(file));
    const others = callsOf(test, this.#parts.start.read(test) ?? '', isOther);
    return others.some(({ name }) => new RegExp(`\\b${name.replaceAll('$', '\\$')}\\s*\\(`).test(args));
  }
}
