import type { StartTree } from '../start-tree.ts';

/** Turns globs into a test of paths; the real one is `globMatcher` of the workspace. */
export type Matcher = (
  globs: readonly string[],
  options?: { readonly anySpelling?: boolean },
) => (path: string) => boolean;

/** What is read of a change beside its path. */
export interface FamilyContext {
  readonly start: StartTree;
  /** The agent's text of a path; undefined where it deleted it or it is no text. */
  readonly agents: (path: string) => string | undefined;
  /** Top-level names of the packages that the project's interpreter has, beside those of the standard library. */
  readonly installed: ReadonlySet<string>;
}
