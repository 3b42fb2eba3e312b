import type { WorkspaceMode } from './spec.ts';
import type { ChangedFile } from './tree.ts';

/** A recorded state of the tree. Made by `Workspace` only. */
export interface Snapshot {
  /** Git id of the tree of work (without artefacts and ignored paths), in the run's own store. */
  readonly tree: string;
}

/** A path that differs between two snapshots. */
export interface TreeChange extends ChangedFile {
  /** False for artefacts (logs, coverage, build output, …) and `workspace.ignore`: seen, but no work. */
  readonly work: boolean;
  /** True when it changed while checks ran, so that it is not the agent's. */
  readonly byChecks: boolean;
}

/** The agent's files, whatever holds them. All of the engine's effects on them go through here. */
export interface Workspace {
  /** Absolute, real path. */
  readonly dir: string;
  readonly mode: WorkspaceMode;
  /** Where a copy came from. */
  readonly origin?: string;
  /** The tree at the start of the run. */
  readonly start: Snapshot;
  /** Looks at the tree: one walk, and the bytes of what changed go into the store. */
  snapshot(): Promise<Snapshot>;
  /** What differs, sorted by path. */
  changes(from: Snapshot, to: Snapshot): readonly TreeChange[];
  /** Work only, as `git diff --stat` and as a patch, each cut to about `maxChars` with a note. */
  diff(
    from: Snapshot,
    to: Snapshot,
    maxChars: number,
  ): Promise<{ readonly stat: string; readonly patch: string }>;
  /**
   * Writes the binary-safe patch between two snapshots (only `paths`, where given) to `file`
   * and returns that file's absolute path.
   */
  savePatch(from: Snapshot, to: Snapshot, file: string, paths?: readonly string[]): Promise<string>;
  /**
   * Makes the named paths (default: all that differ) as they are in `to`: bytes,
   * modes, links; added files go. `current` is the latest snapshot. Returns the snapshot that stands now,
   * without another walk. Throws when something cannot be put back.
   */
  restore(current: Snapshot, to: Snapshot, paths?: readonly string[]): Promise<Snapshot>;
  /** Writes a whole file. Throws `LoopgenError` `outside-workspace` where the path, resolved, lies outside. */
  write(path: string, content: string): Promise<void>;
  /** Deletes a file; no error where there is none. Contained like `write`. */
  remove(path: string): Promise<void>;
  /**
   * Writes the work between the start and `to` back into the folder that this copy came from.
   * Writes nothing where one of these files is not any more what was copied. In place: nothing to do.
   */
  applyToOrigin(
    to: Snapshot,
  ): Promise<{ readonly applied: readonly string[] } | { readonly conflicts: readonly string[] }>;
  /** Files and links of the start, without dependency folders and caches. */
  startPaths(): readonly string[];
  /** The links among them. */
  startLinks(): readonly string[];
  /** The text of one of them; undefined where it is a link, too large, or no text. */
  startText(path: string): string | undefined;
  /**
   * Writes the tree `at` into the empty folder `dir`, from the store, each object checked against its id.
   * A path that differs from the start is taken as in `at` where `accepts` says so, else as at the start.
   * Dependency folders, caches and `.git` are not part of it.
   */
  materialise(dir: string, at: Snapshot, accepts: (change: TreeChange) => boolean): Promise<void>;
  /** Brings a folder that `materialise` made from `from` to `to`; what checks wrote there meanwhile stays. */
  carry(dir: string, from: Snapshot, to: Snapshot, accepts: (change: TreeChange) => boolean): Promise<void>;
  /** Runs the checks; what changes meanwhile is not the agent's. */
  whileChecking<T>(run: () => Promise<T>): Promise<T>;
  /** Things that a reader should know, for example files too large to keep. */
  readonly notices: readonly string[];
  /** Gives up the lock and the store. */
  close(): Promise<void>;
}
