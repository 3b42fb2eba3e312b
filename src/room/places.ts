import type { Dependencies } from './dependencies.ts';
import type { GitAtStart } from './git-state.ts';
import type { Linked } from './linked.ts';
import type { Named } from './named-outside.ts';
import type { WatchedPackages } from './python-watch.ts';

export interface RoomsOptions {
  /** Absolute, real path of the tree that the agent works in. */
  readonly workspaceDir: string;
  /** The run's folder for scratch files: bound rooms see it under its own path, and may write to it. */
  readonly scratch: string;
  /** Folders of loopgen's own state: a bound room does not see them. */
  readonly stateDirs: readonly string[];
  /** Dependency folders at the start, relative to the workspace. */
  readonly dependencies: readonly string[];
  /** The tree in which they lie, where that is another: a copy whose room stands at the place of its original. */
  readonly dependenciesIn?: string | undefined;
  /** What in them leads back into the workspace, as a phrase: then a folder of its own would test the workspace. */
  readonly leadsBack?: string | undefined;
  /** What the tests of Python rest on; absent where there are none. */
  readonly packages?: WatchedPackages | undefined;
  /** False: bound rooms have no network. */
  readonly network: boolean;
  /** The user's environment: PATH, HOME, tool homes. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Links of the workspace at the start, relative to it: a bound room shows where they lead. Default: none. */
  readonly links?: readonly string[];
  /** Absolute paths outside the workspace that checks name: a bound room shows them, and files are watched. */
  readonly named?: readonly string[];
  /** More files and folders to be seen in a bound room, wherever they lie. Default: none. */
  readonly visible?: readonly string[];
}

/** What the rooms of a run have in common. */
export interface Common extends RoomsOptions {
  /** Folder of all rooms. */
  readonly base: string;
  /** The tree in which dependency folders lie. */
  readonly dependenciesIn: string;
  /** The enclosing repository, or the workspace. */
  readonly top: string;
  readonly homes: readonly string[];
  readonly tools: Readonly<Record<string, string>>;
  readonly deps: Dependencies;
  readonly git: GitAtStart | undefined;
  /** Where links of the workspace lead. */
  readonly linked: readonly Linked[];
  /** What checks name outside the workspace. */
  readonly namedPlaces: readonly Named[];
  /** Folders that had to be made in the workspace. */
  readonly made: Set<string>;
}

/** The private folders of one room. */
export interface Places {
  readonly dir: string;
  /** The tree, at the workspace's place. */
  readonly tree: string;
  readonly home: string;
  readonly caches: string;
  /** The tree in which the dependency folders of this room lie. */
  readonly dependenciesIn: string;
}
