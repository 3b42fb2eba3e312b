import type { Language } from '../families/row.ts';

/** A construct of the patch that can make a judge blind. Plain data. */
export interface Suspicion {
  /** Relative to the workspace. */
  readonly path: string;
  /** 1-based, in the agent's text. */
  readonly line: number;
  /** The name of the row that found it. */
  readonly name: string;
  /** A phrase about the place: `it replaces the clock`. */
  readonly because: string;
  /** It blinds no judge that knows each test by its id: skips, and what silences types, style and coverage. */
  readonly harmlessByIds?: true;
}

/** One line: `src/a.py:3: it equals whatever it is compared with`. */
export function describeSuspicion({ path, line, because }: Suspicion): string {
  return `${path}:${line}: ${because}`;
}

/**
 * What of a text is read: `code` with the texts in quotes, `bare` without them, `statements` (of Python) without what
 * stands in brackets, `comments` alone. In Python and JavaScript the names of imported modules stand as `@module` in
 * the first three.
 */
export type View = 'code' | 'bare' | 'statements' | 'comments';

/**
 * In which files a row looks. `sources`: all but tests, what only they use, and configuration. `tests`: tests of the
 * start. `anywhere`: all.
 */
export type Scope = 'sources' | 'tests' | 'anywhere';

/** One construct, by its pattern. */
export interface Row {
  readonly name: string;
  /** Absent: in every language. */
  readonly languages?: readonly Language[];
  readonly view: View;
  readonly scope: Scope;
  readonly pattern: RegExp;
  /** An honest use: nothing is found where this meets the lines of the match. */
  readonly unless?: RegExp;
  readonly because: string;
  readonly harmlessByIds?: true;
}
