import { importsOf, Modules } from '../imports.ts';
import { inTestFolder, isTestFile, isTestLike } from '../judge-names.ts';
import { isSource, languageOf } from '../start-tree.ts';
import type { ChangedFile } from '../tree.ts';
import { DETECTION } from './detection.ts';
import { EQUALITY } from './equality.ts';
import { EXITS } from './exits.ts';
import { PATCHES } from './patches.ts';
import { PEEKING } from './peeking.ts';
import { equalsEverything } from './python-equality.ts';
import { readsOfTests } from './reads-tests.ts';
import type { Row, Scope, Suspicion, View } from './row.ts';
import { SILENCING } from './silencing.ts';
import { viewsOf } from './views.ts';

/** All that is looked for by a pattern. Of two of one name, the later one has the line. */
export const ROWS: readonly Row[] = [
  ...EXITS,
  ...EQUALITY,
  ...PATCHES,
  ...DETECTION,
  ...PEEKING,
  ...SILENCING,
];

export interface Patch {
  /** The agent's changes that count. */
  readonly changes: readonly ChangedFile[];
  /** The agent's text; undefined where the file is gone or no text. */
  readonly agents: (path: string) => string | undefined;
  readonly start: {
    readonly paths: readonly string[];
    readonly read: (path: string) => string | undefined;
  };
}

/** Findings that are told of one patch: more say no more. */
const MOST = 50;

/**
 * Constructs in a patch that can make a judge blind, by path and line. Only lines that the start does not have, in
 * the same file or in another that changed, count; comments and texts only where they are what silences a tool.
 */
export function suspicionsIn(patch: Patch, rows: readonly Row[] = ROWS): readonly Suspicion[] {
  const files = filesOf(patch);
  const unread = patch.changes.filter(
    ({ path, change }) =>
      change !== 'deleted' && languageOf(path) !== undefined && patch.agents(path) === undefined,
  );
  const moved = new LineCounts(patch.changes.flatMap(({ path }) => patch.start.read(path) ?? []));
  const found = files.flatMap((file) => inFile(file, patch, moved, rows));
  return [...found, ...unread.map(({ path }) => notRead(path))].slice(0, MOST);
}

function notRead(path: string): Suspicion {
  return { path, line: 1, name: 'not-read', because: 'it is too large to be read, or no text' };
}

interface File {
  readonly path: string;
  readonly text: string;
  readonly scopes: ReadonlySet<Scope>;
}

/** Helpers for tests, by name or folder. */
const FOR_TESTS =
  /(?:^|[-_./])(?:tests?|testing|testdata|test[-_]?(?:utils?|support|helpers?|setup)|setup[-_]?tests?|fixtures?|mocks?|__mocks__|fakes?|stubs?)(?:[-_./]|$)/i;
/** Files that set tools up; tests do not import them. */
const CONFIGURATION =
  /(?:^|\/)(?:[^/]*\.config\.\w+|\.[^/]+|conftest\.py|noxfile\.py|tasks\.py|setup\.py|manage\.py|fabfile\.py|[Gg]ulpfile\.\w+|Gruntfile\.\w+|Rakefile|build\.rs)$/;

function filesOf({ changes, agents, start }: Patch): File[] {
  const texts = changes
    .filter(({ change, path }) => change !== 'deleted' && isSource(path))
    .flatMap(({ path }) => {
      const text = agents(path);
      return text === undefined ? [] : [[path, text] as const];
    });
  const there = new Set(start.paths);
  const isApart = (path: string) => isTestLike(path) || FOR_TESTS.test(path) || CONFIGURATION.test(path);
  // What sources import is a part of them, whatever it is called.
  const modules = new Modules([...new Set([...start.paths, ...texts.map(([path]) => path)])]);
  const used = new Set(
    texts
      .filter(([path]) => !isApart(path))
      .flatMap(([path, text]) => importsOf(path, text).flatMap((name) => modules.resolve(path, name))),
  );
  return texts.map(([path, text]) => {
    const scopes = new Set<Scope>(['anywhere']);
    if (!isApart(path) || (used.has(path) && !isTestFile(path))) scopes.add('sources');
    if (there.has(path) && (isTestFile(path) || inTestFolder(path))) scopes.add('tests');
    return { path, text, scopes };
  });
}

function inFile(
  { path, text, scopes }: File,
  { start }: Patch,
  moved: LineCounts,
  sought: readonly Row[],
): Suspicion[] {
  const language = languageOf(path);
  if (language === undefined) return [];
  const added = addedLines(text, start.read(path), moved);
  if (added.size === 0) return [];
  const views = viewsOf(language, text);
  const found = sought
    .filter((row) => scopes.has(row.scope) && (row.languages?.includes(language) ?? true))
    .flatMap((row) => matchesOf(row, views, added).map((line) => suspicion(path, line, row)));
  const read = scopes.has('sources')
    ? [
        ...readsOfTests({ path, text: views.plain, added, start }),
        ...(language === 'python' ? equalsEverything({ path, ...views, added }) : []),
      ]
    : [];
  const all = new Map([...found, ...read].map((one) => [`${one.line} ${one.name}`, one] as const));
  return [...all.values()].sort((a, b) => a.line - b.line);
}

function suspicion(path: string, line: number, row: Row): Suspicion {
  const { name, because, harmlessByIds } = row;
  return { path, line, name, because, ...(harmlessByIds && { harmlessByIds }) };
}

/** Lines of the matches of which at least one line is new: the first such line of each. */
function matchesOf(
  { view, pattern, unless }: Row,
  views: Readonly<Record<View, string>>,
  added: ReadonlySet<number>,
): number[] {
  const text = views[view];
  const all = new RegExp(pattern.source, [...new Set(`${pattern.flags}gm`)].join(''));
  const found: number[] = [];
  let line = 1;
  let counted = 0;
  for (const match of text.matchAll(all)) {
    line += newlines(text.slice(counted, match.index));
    counted = match.index;
    const lines = Array.from({ length: newlines(match[0]) + 1 }, (_, i) => line + i);
    const first = lines.find((each) => added.has(each));
    if (first === undefined) continue;
    if (unless?.test(wholeLines(text, match.index, match[0].length))) continue;
    found.push(first);
  }
  return found;
}

const newlines = (text: string) => text.split('\n').length - 1;

function wholeLines(text: string, at: number, length: number): string {
  const end = text.indexOf('\n', at + length);
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, end === -1 ? undefined : end);
}

/** Numbers of the lines that neither this file of the start has, nor another that lost them. */
function addedLines(text: string, before: string | undefined, moved: LineCounts): ReadonlySet<number> {
  const own = new LineCounts(before === undefined ? [] : [before]);
  const added = new Set<number>();
  text.split('\n').forEach((line, index) => {
    const key = line.trim();
    if (key === '' || own.take(key) || moved.has(key)) return;
    added.add(index + 1);
  });
  return added;
}

/** How often each line stands in some texts, without the space around it. */
class LineCounts {
  readonly #counts = new Map<string, number>();

  constructor(texts: readonly string[]) {
    for (const line of texts.flatMap((text) => text.split('\n'))) {
      const key = line.trim();
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    }
  }

  has(line: string): boolean {
    return this.#counts.has(line);
  }

  /** True once for each time that the line stands there. */
  take(line: string): boolean {
    const left = this.#counts.get(line) ?? 0;
    if (left > 0) this.#counts.set(line, left - 1);
    return left > 0;
  }
}
