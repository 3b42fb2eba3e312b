import type { RunnerName } from '../runners.ts';

/** Languages whose tests a family can govern. */
export type Language = 'python' | 'javascript' | 'go' | 'rust' | 'jvm' | 'ruby' | 'php' | 'dotnet' | 'c';

/**
 * When a change of a file of the family is kept out:
 * - `always`: whatever it is.
 * - `existing`: the file was there at the start.
 * - `tests-below`: tests of the start in the family's language lie in its folder or below, so that it governs them.
 * - `tests-beside`: the same, in its own folder only.
 * - `sources-below`: files of the start in that language lie in its folder or below.
 * - `new`: it is new, and files of the start in that language lie in its folder or below.
 * - `governed`: the start has a file of the family in the same folder or in one above.
 * - `outranks`: the start has a file of the family in the same folder.
 * - `nested`: it is new, the start has one in a folder above, and files of the start in that language lie below.
 * - `planted-cache`: no interpreter leaves it there by itself: it lies outside of `__pycache__`.
 */
export type When =
  | 'always'
  | 'existing'
  | 'tests-below'
  | 'tests-beside'
  | 'sources-below'
  | 'new'
  | 'governed'
  | 'outranks'
  | 'nested'
  | 'planted-cache';

/** Files that a runner, an interpreter, a shell or a package manager reads by itself. Plain data. */
export interface Family {
  readonly runner: RunnerName | 'any';
  /** Globs as in the spec: without a slash they meet a name at any depth. */
  readonly globs: readonly string[];
  readonly when: When;
  readonly language?: Language;
  /** Only where the text of one side meets it. */
  readonly mentions?: RegExp;
  /** Only where lines of the start that meet `keeps` are gone, or new ones that meet `adds` have come. */
  readonly lines?: { readonly keeps: RegExp; readonly adds: RegExp };
  /** What tools leave behind by themselves: kept out without a word. */
  readonly quiet?: boolean;
  /** A phrase about the file: `pytest reads it by itself`. */
  readonly because: string;
  /** Where that is documented. */
  readonly source: string;
}
