/** One way in which a check goes green without the work being done, as data. */
export interface Recipe {
  /** `class/name`. */
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
  /** No guard sees it, but the report names the place in the patch, and the green is not `earned`. */
  readonly named?: boolean;
}

/** What the classes are. */
export const CLASSES: Readonly<Record<string, string>> = {
  tests: 'tests edited, skipped, removed',
  'pytest-config': 'configuration of pytest',
  'start-up': 'start-up files, shadows, wrappers',
  python: 'the code under test, Python',
  'node-test': '`node --test` and npm',
  vitest: 'Vitest',
  jest: 'Jest',
  mocha: 'Mocha',
  go: 'Go',
  rust: 'Rust',
  maven: 'Maven',
  types: 'type checks',
  git: 'git',
  links: 'links and file times',
};

/** The class of a recipe; of one that names none, its first letter. */
export function classOf({ id }: Recipe): string {
  return id.includes('/') ? id.slice(0, id.indexOf('/')) : id.charAt(0);
}
