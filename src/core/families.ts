import type { FamilyContext, Matcher } from './families/context.ts';
import { hiddenBy } from './families/ignore-files.ts';
import { JAVASCRIPT_FAMILIES } from './families/javascript.ts';
import { ANY_FAMILIES, OTHER_FAMILIES } from './families/others.ts';
import { PYTHON_FAMILIES } from './families/python.ts';
import type { Family } from './families/row.ts';
import { mockOf, shadowOf, stubOf } from './families/shadows.ts';
import { folderOf, foldersAbove, type StartTree } from './start-tree.ts';
import type { ChangedFile } from './tree.ts';

/** Every family of configuration that something reads by itself. The first row that applies has a file. */
export const FAMILIES: readonly Family[] = [
  ...PYTHON_FAMILIES,
  ...JAVASCRIPT_FAMILIES,
  ...OTHER_FAMILIES,
  ...ANY_FAMILIES,
];

export interface FamilyHit {
  /** A phrase about the file. */
  readonly because: string;
  /** What tools leave behind by themselves: nobody needs to be told. */
  readonly quiet: boolean;
}

/** Makes the question whether a change is one of a protected family. */
export function familyFinder(
  matcher: Matcher,
): (change: ChangedFile, context: FamilyContext) => FamilyHit | undefined {
  const rows = FAMILIES.map((family) => ({ family, matches: matcher(family.globs, { anySpelling: true }) }));
  // Every turn asks for all changes since the start again.
  const known = new Map<string, typeof rows>();
  const rowsOf = (path: string) => {
    const found = known.get(path) ?? rows.filter(({ matches }) => matches(path));
    known.set(path, found);
    return found;
  };
  return (change, context) => {
    const row = rowsOf(change.path).find(
      ({ family, matches }) => governs(family, matches, change, context) && says(family, change, context),
    );
    if (row) return { because: row.family.because, quiet: row.family.quiet ?? false };
    const because =
      shadowOf(change, context) ??
      stubOf(change, context.start) ??
      mockOf(change, context.start) ??
      hiddenBy(change, context, matcher);
    return because === undefined ? undefined : { because, quiet: false };
  };
}

function governs(
  family: Family,
  matches: (path: string) => boolean,
  { path }: ChangedFile,
  { start }: FamilyContext,
): boolean {
  const folder = governedFolder(family, path);
  const { language } = family;
  switch (family.when) {
    case 'always':
      return true;
    case 'existing':
      return start.has(path);
    case 'new':
      return !start.has(path) && !!language && start.sourcesBelow(folder, language);
    case 'planted-cache':
      return !/(?:^|\/)__pycache__\/[^/]+$/.test(path);
    case 'governed':
      return foldersAbove(path).some((above) => start.inFolder(above).some(matches));
    case 'outranks':
      return start.inFolder(folder).some(matches);
    case 'nested':
      return (
        !start.has(path) &&
        belowAnother(path, matches, start) &&
        !!language &&
        start.sourcesBelow(folder, language)
      );
    case 'tests-below':
      return !!language && start.testsBelow(folder, language);
    case 'tests-beside':
      return start.inFolder(folder).some((other) => start.holdsTests(other));
    case 'sources-below':
      return !!language && start.sourcesBelow(folder, language);
  }
}

/** The folder for which the file speaks: the one that holds `.cargo/config.toml`, not `.cargo`. */
function governedFolder(family: Family, path: string): string {
  const hidden = family.globs.some((glob) => glob.includes('/')) ? path.search(/(?:^|\/)\.[^/]+\//) : -1;
  return hidden < 0 ? folderOf(path) : path.slice(0, hidden);
}

function belowAnother(path: string, matches: (path: string) => boolean, start: StartTree): boolean {
  return foldersAbove(path).some((folder) => start.inFolder(folder).some(matches));
}

function says(family: Family, { path }: ChangedFile, { start, agents }: FamilyContext): boolean {
  const { mentions, lines } = family;
  if (!mentions && !lines) return true;
  const before = withoutComments(start.read(path) ?? '');
  const after = withoutComments(agents(path) ?? '');
  if (mentions) return mentions.test(before) || mentions.test(after);
  return lines !== undefined && (lacks(after, before, lines.keeps) || lacks(before, after, lines.adds));
}

/** A comment around a section takes it out. Globs in texts look like the second kind, but never begin a line. */
function withoutComments(text: string): string {
  return text.replace(/<!--[\s\S]*?-->/g, '').replace(/^[ \t]*\/\*[\s\S]*?\*\//gm, '');
}

/** True where a line of `from` that meets the pattern is not in `text`, as often as it is there. */
function lacks(text: string, from: string, pattern: RegExp): boolean {
  const left = new Map<string, number>();
  for (const line of linesOf(text)) left.set(line, (left.get(line) ?? 0) + 1);
  return linesOf(from).some((line) => {
    if (line === '' || !pattern.test(line)) return false;
    const many = left.get(line) ?? 0;
    left.set(line, many - 1);
    return many <= 0;
  });
}

function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.trim());
}
