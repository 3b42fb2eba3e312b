/** A file of which only some keys judge: those are the start's, the rest is the agent's. */
export interface Merged {
  readonly text: string;
  /** Keys in which the agent's version was not taken, for people. */
  readonly kept: readonly string[];
  /** New scripts of the agent: a check may have to run one that nobody had written. */
  readonly added?: readonly string[];
}

/** What a merge is told beside the two texts. */
export interface MergeContext {
  /**
   * False where no test of the start lies below: then only sections that the start has are kept, since new ones
   * govern the agent's own tests.
   */
  readonly governs: boolean;
  /** True where sources of the start lie below: then sections of what checks sources are the start's, new ones too. Default: `governs`. */
  readonly checks?: boolean;
}
