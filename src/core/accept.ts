import { type AgentsText, TestsAsWritten } from './as-written.ts';
import { exitingFunctions, exitsAtImport, importersOf, linesThatImport, replacesMain } from './early-exit.ts';
import type { Matcher } from './families/context.ts';
import type { Language } from './families/row.ts';
import { type FamilyHit, familyFinder } from './families.ts';
import { type GuardRule, violationOf } from './guard.ts';
import { Modules } from './imports.ts';
import { isJudgeLike, isTestLike } from './judge-names.ts';
import { type LineAt, linesBehind } from './lines-behind.ts';
import { makefileObjection } from './makefile.ts';
import { manifestLanguage, mergeManifest } from './manifests/merge.ts';
import { keepResolution } from './manifests/package-resolution.ts';
import { type ReadByTools, readByTools, soughtOf } from './read-by-tools.ts';
import { redTests } from './red-tests.ts';
import { replacedBy } from './replaced-sources.ts';
import { assertsOtherwise, runByChecks } from './run-by-checks.ts';
import { foldedPath } from './same-path.ts';
import { type CheckAtStart, silencedChecks } from './silenced-checks.ts';
import { folderOf, foldersAbove, languageOf, nameOf, StartTree } from './start-tree.ts';
import type { ChangedFile } from './tree.ts';

/** What is known when the question is asked first, after the baseline. */
export interface AcceptFacts {
  readonly rules: readonly GuardRule[];
  /** `allow` of the spec. */
  readonly allow: readonly string[];
  readonly matcher: Matcher;
  readonly start: {
    /** All files, relative to the workspace, with `/`. */
    readonly paths: readonly string[];
    /** Text of one of them; undefined where it cannot be read or is no text. Asked for a few files only, each more than once. */
    readonly read: (path: string) => string | undefined;
  };
  /** The baseline's checks; absent where none ran. */
  readonly baseline?: readonly CheckAtStart[];
  /** Top-level module names of installed Python packages, beside those of the standard library. */
  readonly installed: ReadonlySet<string>;
}

/** A path whose version in the room is the start's, and not what the agent left. */
export interface KeptOut {
  readonly path: string;
  /** A phrase: `its tests were red at the start`. */
  readonly because: string;
  /** The line of the spec that would let it in; absent where nothing would. */
  readonly allow?: string;
  /** By-products of tools (caches): nobody needs to be told. */
  readonly quiet: boolean;
  /** A runner, a tool or an interpreter reads it by itself, where it stands. */
  readonly inForce?: true;
}

/** What the room gets of one change. */
export type Acceptance =
  | {
      readonly goesIn: true;
      /** Written in the place of the agent's text: some keys of it are the start's. */
      readonly text?: string;
    }
  | ({ readonly goesIn: false } & KeptOut);

/** What the room gets of a set of changes, and what a reader of a green has to know of it. */
export interface Accepted {
  readonly of: (path: string) => Acceptance;
  /** Without those that are quiet; a manifest that goes in with the start's sections is one. */
  readonly keptOut: readonly KeptOut[];
  /** Paths that only `allow` let in. */
  readonly allowed: readonly string[];
  /** Edits of green tests, new scripts. */
  readonly caveats: readonly string[];
  /** Why a green cannot be confirmed, each with the path to allow. */
  readonly doubts: readonly { readonly because: string; readonly allow: string }[];
}

/**
 * Makes the question what goes into a room, of all changes since the start. `agents` gives the agent's
 * text; undefined where the file is gone or no text. Pure; the answer for one set of changes is worked out at once.
 */
export function acceptor(
  facts: AcceptFacts,
): (changes: readonly ChangedFile[], agents: AgentsText) => Accepted {
  const there = new Set(facts.start.paths);
  const red = redTests(facts.baseline, (path) => there.has(path));
  const start = new StartTree({ ...facts.start, testFiles: [...red.testFiles] });
  const familyOf = familyFinder(facts.matcher);
  const isAllowed = facts.allow.length > 0 ? facts.matcher(facts.allow) : () => false;
  const isMakefile = facts.matcher(['GNUmakefile', 'makefile', 'Makefile.*', '*.mk'], { anySpelling: true });
  const commands = facts.baseline?.flatMap((check) => check.commands ?? []) ?? [];
  const byCode = facts.baseline?.filter((check) => check.judgedBy === 'exit-code') ?? [];
  let lines: readonly LineAt[] | undefined;
  let scripts: ReadonlySet<string> | undefined;
  let read: ReadByTools | undefined;
  let tests: TestsAsWritten | undefined;

  return (changes, agents) => {
    read ??= readByTools(start, commands);
    lines ??= byCode
      .flatMap((check) => check.commands ?? [])
      .flatMap((command) => linesBehind(command, (path) => start.read(path)));
    scripts ??= runByChecks(lines, start);
    tests ??= new TestsAsWritten(start, red, new Set(read.setups.keys()));
    const judge = new Judge({
      facts,
      start,
      tests,
      read,
      lines,
      scripts,
      agents,
      changes,
      familyOf,
      isAllowed,
      isMakefile,
    });
    return judge.answer();
  };
}

/** Files that are read to learn who imports one. */
const MOST_READ = 5_000;

interface JudgeParts {
  readonly facts: AcceptFacts;
  readonly start: StartTree;
  readonly tests: TestsAsWritten;
  readonly read: ReadByTools;
  /** What checks run that are judged by an exit code. */
  readonly lines: readonly LineAt[];
  /** Scripts of the start that are the verdict of a check. */
  readonly scripts: ReadonlySet<string>;
  readonly agents: AgentsText;
  readonly changes: readonly ChangedFile[];
  readonly familyOf: ReturnType<typeof familyFinder>;
  readonly isAllowed: (path: string) => boolean;
  readonly isMakefile: (path: string) => boolean;
}

/** An answer before `allow` is asked. */
interface Answer {
  readonly answer: Acceptance;
  /** What of a manifest was not taken. */
  readonly note?: KeptOut;
  readonly added?: readonly string[];
}

class Judge {
  readonly #parts: JudgeParts;
  readonly #answers = new Map<string, Acceptance>();
  readonly #keptOut: KeptOut[] = [];
  readonly #allowed: string[] = [];
  readonly #caveats: string[] = [];
  readonly #doubts: { because: string; allow: string }[] = [];
  #modules: Modules | undefined;
  #silenced: ReadonlyMap<string, string> | undefined;

  constructor(parts: JudgeParts) {
    this.#parts = parts;
  }

  answer(): Accepted {
    for (const change of this.#parts.changes) this.#answers.set(change.path, this.#accept(change));
    for (const change of this.#parts.changes) this.#keepPlaces(change);
    this.#keepSpellings();
    for (const answer of this.#answers.values())
      if (!answer.goesIn && !answer.quiet) this.#keptOut.push(toldOf(answer));
    return {
      of: (path) => this.#answers.get(path) ?? { goesIn: true },
      keptOut: this.#keptOut,
      allowed: this.#allowed,
      caveats: this.#caveats,
      doubts: this.#doubts,
    };
  }

  #accept(change: ChangedFile): Acceptance {
    const { facts, isAllowed, tests, agents } = this.#parts;
    const { path } = change;
    const violation = violationOf(path, facts.rules);
    if (violation) return keep(path, violation.because, { allowable: violation.rule !== 'spec' });
    const { answer, note, added = [] } = this.#unlessAllowed(change);
    const doubt = answer.goesIn
      ? (tests.doubtOf(change, agents, () => this.#newTexts(path)) ??
        this.#exits(path) ??
        this.#replaces(path) ??
        this.#silencedBy().get(path))
      : undefined;
    if (isAllowed(path)) {
      if (!answer.goesIn || note || doubt !== undefined) this.#allowed.push(path);
      return { goesIn: true };
    }
    if (note) this.#keptOut.push(note);
    if (doubt !== undefined) this.#doubts.push({ because: doubt, allow: allowLine(path) });
    this.#addCaveats(change, answer, added);
    return answer;
  }

  #unlessAllowed(change: ChangedFile): Answer {
    const { path } = change;
    const { start, agents, tests, isMakefile } = this.#parts;
    if (isMakefile(path) && start.has(path)) {
      return { answer: keepIf(path, makefileObjection(start.read(path) ?? '', agents(path) ?? '')) };
    }
    const isManifest = manifestLanguage(path) !== undefined;
    if (isManifest && start.has(path)) return this.#merged(path);
    const hit = this.#hit(change);
    if (hit) return { answer: { ...keep(path, hit.because, hit), inForce: true } };
    const because = isManifest ? tests.keeps(path) : undefined;
    if (isManifest && because === undefined) return this.#merged(path);
    return { answer: keepIf(path, because ?? tests.keeps(path)) };
  }

  #hit(change: ChangedFile): FamilyHit | undefined {
    const { start, agents, facts, familyOf, read } = this.#parts;
    const family = familyOf(change, { start, agents, installed: facts.installed });
    if (family) return family;
    const because =
      read.setups.get(change.path) ?? soughtOf(change.path, read) ?? this.#judgesOtherwise(change.path);
    return because === undefined ? undefined : { because, quiet: false };
  }

  #merged(path: string): Answer {
    const { start, agents, tests } = this.#parts;
    const isSnapshot = path.endsWith('.snap');
    const text = agents(path);
    if (text === undefined)
      return { answer: keepIf(path, isSnapshot ? 'it holds what tests expect' : 'it says how tests run') };
    // A manifest among the data of tests is data.
    const because = start.has(path) && !isSnapshot ? tests.keeps(path) : undefined;
    if (because !== undefined) return { answer: keep(path, because) };
    const language = manifestLanguage(path);
    const found = this.#withResolution(path, text);
    const merged = mergeManifest(path, start.read(path), found.text, {
      governs: isSnapshot || (language !== undefined && governsTests(folderOf(path), language, start)),
      checks: language !== undefined && start.sourcesBelow(folderOf(path), language),
    });
    const kept = [...found.kept, ...(merged?.kept ?? [])];
    if (!merged || kept.length === 0) return { answer: { goesIn: true }, added: merged?.added ?? [] };
    const what = `${list(kept)} ${kept.length === 1 ? 'is' : 'are'} the start’s`;
    return {
      answer: { goesIn: true, text: merged.text },
      note: keptOutOf(keep(path, what)),
      added: merged.added ?? [],
    };
  }

  #withResolution(path: string, text: string): { readonly text: string; readonly kept: readonly string[] } {
    const { start, tests } = this.#parts;
    const before = nameOf(path) === 'package.json' ? start.read(path) : undefined;
    return before === undefined ? { text, kept: [] } : keepResolution(before, text, tests.resolutionBy(path));
  }

  #addCaveats(change: ChangedFile, answer: Acceptance, added: readonly string[]): void {
    if (!answer.goesIn) return;
    const { tests, start, agents } = this.#parts;
    const caveat = tests.caveatOf(change, agents);
    if (caveat !== undefined) this.#caveats.push(caveat);
    // New scripts are worth a word where tests of the start could be run by them.
    const judging = added.filter((name) => /^(?:test|check|verify|ci)\b/.test(name));
    if (judging.length === 0 || !start.testsBelow(folderOf(change.path), 'javascript')) return;
    this.#caveats.push(`${change.path}: the agent wrote the scripts ${list(judging)}`);
  }

  /** Where nothing but an exit code judges, a module that ends the process decides it. */
  #exits(path: string): string | undefined {
    const { facts, start, agents } = this.#parts;
    const byCode = facts.baseline?.some((check) => check.judgedBy === 'exit-code' && check.status !== 'pass');
    const text = byCode ? agents(path) : undefined;
    if (text === undefined) return undefined;
    const before = start.read(path) ?? '';
    const atImport = exitsAtImport(path, text) && !exitsAtImport(path, before);
    const known = new Set(exitingFunctions(path, before));
    const functions = exitingFunctions(path, text).filter((name) => !known.has(name));
    const ofMain = replacesMain(path, text) && !replacesMain(path, before);
    if (!atImport && !ofMain && functions.length === 0) return undefined;
    const importers = this.#importersOf(path);
    const lines = linesThatImport(path, this.#parts.lines, new Modules([...facts.start.paths, path]));
    const isImported = importers.length + lines.length > 0;
    if (ofMain && isImported)
      return `${path} replaces names of the program that runs it, so what that checks may be nothing`;
    if (atImport && isImported)
      return `${path} ends the process when it is imported, so what imports it checks nothing`;
    const judges = importers.filter(([other]) => isTestLike(other) || isJudgeLike(other));
    const texts = [...judges.map(([, judge]) => judge), ...lines];
    const called = functions.find((name) => texts.some((other) => calls(other, name)));
    return called === undefined
      ? undefined
      : `${called} of ${path} ends the process when it is called, so what calls it checks nothing`;
  }

  /** Where an exit code alone judges, a script that the check runs is what asserts. */
  #judgesOtherwise(path: string): string | undefined {
    const { start, agents, scripts } = this.#parts;
    if (!scripts.has(path) || !assertsOtherwise(path, start.read(path) ?? '', agents(path) ?? ''))
      return undefined;
    return 'a check runs it, and it asserts something else now';
  }

  /** What is no part of the program (no source imports it), but runs with its tests, may not put others in its place. */
  #replaces(path: string): string | undefined {
    const { facts, start, agents, changes } = this.#parts;
    const text = agents(path);
    if (text === undefined) return undefined;
    const modules = () => {
      this.#modules ??= new Modules(facts.start.paths);
      return this.#modules;
    };
    const replaced = replacedBy(path, text, modules, (other) => agents(other) ?? start.read(other));
    if (replaced === undefined) return undefined;
    const before = replacedBy(path, start.read(path) ?? '', modules, (other) => start.read(other));
    const isProgram = this.#importersOf(path).some(
      ([other]) =>
        !isTestLike(other) && !changes.some((change) => change.path === other && !start.has(other)),
    );
    return before === replaced || isProgram
      ? undefined
      : `${path} puts something else in the place of ${replaced}, and tests that run beside it would test that`;
  }

  /** Where the patch tells a checker to look away that a red check runs. */
  #silencedBy(): ReadonlyMap<string, string> {
    const { facts, agents, changes } = this.#parts;
    this.#silenced ??= silencedChecks(facts.baseline ?? [], facts.start.paths, {
      changes,
      agents,
      start: facts.start,
    });
    return this.#silenced;
  }

  #importersOf(path: string): readonly (readonly [path: string, text: string])[] {
    const { facts, start, agents, changes } = this.#parts;
    const own = new Map(changes.map((change) => [change.path, agents(change.path) ?? '']));
    const paths = [...new Set([...facts.start.paths, ...own.keys()])];
    const like = paths.filter((other) => languageOf(other) === languageOf(path)).slice(0, MOST_READ);
    const files = like.map((other) => [other, own.get(other) ?? start.read(other) ?? ''] as const);
    return importersOf(path, files, new Modules(paths));
  }

  #newTexts(like: string): string[] {
    const ending = nameOf(like).replace(/^.*\./, '.');
    return this.#parts.changes
      .filter(({ change, path }) => change === 'added' && path.endsWith(ending))
      .map(({ path }) => this.#parts.agents(path) ?? '');
  }

  /** What would stand where a file that stays has to be (a link for its folder, a folder for itself) stays out. */
  #keepPlaces({ path, change }: ChangedFile): void {
    const answer = this.#answers.get(path);
    if (change === 'deleted' || answer?.goesIn !== true) return;
    const { start } = this.#parts;
    const below = start.isFolder(path)
      ? start.facts.paths.find((other) => other.startsWith(`${path}/`) && this.#stays(other))
      : undefined;
    const above = foldersAbove(path).find((folder) => start.has(folder) && this.#stays(folder));
    const inTheWay = below ?? above;
    if (inTheWay === undefined) return;
    const { goesIn: _, ...kept } = keep(path, `${inTheWay} of the start stands there`);
    this.#answers.set(path, { goesIn: false, ...kept });
  }

  /** What some file system would write over a file that stays out. */
  #keepSpellings(): void {
    const kept = new Map<string, string>();
    for (const [path, { goesIn }] of this.#answers) if (!goesIn) kept.set(foldedPath(path), path);
    for (const [path, { goesIn }] of this.#answers) {
      const other = goesIn ? kept.get(foldedPath(path)) : undefined;
      if (other !== undefined && !this.#parts.isAllowed(path))
        this.#answers.set(path, keep(path, `some file systems take it for ${other}`));
    }
  }

  /** True where the room has the start's file at that path. */
  #stays(path: string): boolean {
    const answer = this.#answers.get(path);
    return answer === undefined || !answer.goesIn;
  }
}

/** Tests of Rust stand in the sources, and what one module of Maven does when it is built reaches the others. */
function governsTests(folder: string, language: Language, start: StartTree): boolean {
  const bySources = language === 'rust' || language === 'jvm';
  return start.testsBelow(folder, language) || (bySources && start.sourcesBelow(folder, language));
}

/** Whether a text that judges calls a function, and would not notice that the process ends. */
function calls(text: string, name: string): boolean {
  return new RegExp(`\\b${name.replaceAll('$', '\\$')}\\s*\\(`).test(text) && !/\bSystemExit\b/.test(text);
}

function keep(
  path: string,
  because: string,
  { quiet = false, allowable = true }: { readonly quiet?: boolean; readonly allowable?: boolean } = {},
): { readonly goesIn: false } & KeptOut {
  return { goesIn: false, path, because, quiet, ...(allowable && { allow: allowLine(path) }) };
}

function keepIf(path: string, because: string | undefined): Acceptance {
  return because === undefined ? { goesIn: true } : keep(path, because);
}

function keptOutOf({ path, because, allow, quiet, inForce }: KeptOut): KeptOut {
  return { path, because, quiet, ...(allow !== undefined && { allow }), ...(inForce && { inForce }) };
}

/** The folder of a package's metadata: it goes in as a whole or not at all. */
const METADATA = /^(?:.*\/)?(?:[^/]+\.(?:dist-info|egg-info|egg)|EGG-INFO)(?=\/)/;

function toldOf(kept: KeptOut): KeptOut {
  const folder = METADATA.exec(kept.path)?.[0];
  return keptOutOf(
    folder === undefined
      ? kept
      : { ...kept, path: folder, ...(kept.allow !== undefined && { allow: allowLine(folder) }) },
  );
}

/** The line of the spec that accepts the agent's version of a path. */
export function allowLine(path: string): string {
  return `allow: [${JSON.stringify(path)}]`;
}

/** One line for the user. */
export function keptOutForUser({ path, because, allow }: Omit<KeptOut, 'quiet'>): string {
  const how = allow === undefined ? '' : `; to accept it, write in the spec: ${allow}`;
  return `${path}: the agent’s version did not count where the checks ran (${because})${how}`;
}

function list(words: readonly string[]): string {
  return words.length <= 4
    ? words.join(', ')
    : `${words.slice(0, 3).join(', ')} and ${words.length - 3} more`;
}
