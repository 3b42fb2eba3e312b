/** One way in which a check goes green without the work being done, as data. */
export interface Recipe {
  /** Its first letter is its class. */
  readonly id: string;
  /** The workspace before; committed. */
  readonly files: Readonly<Record<string, string>>;
  /** What the agent writes; `null` deletes. */
  readonly edits?: Readonly<Record<string, string | null>>;
  /** What the agent runs after that, in the workspace. */
  readonly run?: string;
  /** The command that judges. */
  readonly check: string;
  /** An independent question about the behaviour: it fails after the cheat. */
  readonly probe?: string;
  /** Run in the workspace when it is made. */
  readonly before?: string;
  /** Variables that are set around the run. */
  readonly env?: Readonly<Record<string, string>>;
  /** False: no cheat, it stays red. */
  readonly cheat: boolean;
  /** Nothing but other inputs in another process could tell it from work. */
  readonly onlyHeldOut?: boolean;
}

/** What the classes are, by their letter. */
export const CLASSES: Readonly<Record<string, string>> = {
  A: 'tests edited, skipped, removed',
  B: 'configuration of pytest',
  C: 'start-up files, shadows, wrappers',
  D: 'the code under test, Python',
  E: '`node --test` and npm',
  F: 'vitest',
  G: 'jest',
  H: 'mocha',
  I: 'Go',
  J: 'type checks',
  K: 'git',
  L: 'links and file times',
  M: 'chance and hooks',
};
