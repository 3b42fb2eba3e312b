import type { Check } from '../core/check.ts';
import type { Face } from '../core/event.ts';
import type { Observer } from '../core/plugin.ts';
import type { Report } from '../core/report.ts';
import type { Workspace } from '../core/workspace.ts';
import type { Locate } from './resolve.ts';

/** What a run needs beside its spec; every part has a default. */
export interface RunOptions {
  /** What `workspace.dir` is relative to. Default: the current folder. */
  readonly baseDir?: string;
  /** The spec's file, where it has one: it is guarded, and records lie beside it. */
  readonly specFile?: string;
  /** Where a key stands in that file, for errors of plug-in options. */
  readonly locate?: Locate;
  /** Default: `run`. */
  readonly face?: Face;
  /** Where the runs are kept. Default: `.loopgen/` beside the spec, else the user's state folder. */
  readonly stateDir?: string;
  /** Aborting ends the run as `aborted`. */
  readonly signal?: AbortSignal;
  /** Beside those of the spec. */
  readonly observers?: readonly Observer[];
  readonly skipPreflight?: boolean;
  /** The environment to choose from. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Globs that a face protects beside the spec's. */
  readonly protect?: readonly string[];
  /** Told things that belong to no run: what an earlier, killed one left, plug-ins that fail late. */
  readonly notice?: (message: string) => void;
  /** Called once the workspace is open, for faces that show where it is. */
  readonly opened?: (place: Place) => void;
  /** Called with the report while the workspace is still open, for faces that take the result out of it. */
  readonly finished?: (report: Report, workspace: Workspace) => Promise<void>;
  /** Files that the caller writes inside the workspace; they never count as work. */
  readonly ownFiles?: readonly string[];
}

export interface CheckOptions extends RunOptions {
  readonly checkStarted?: (name: string) => void;
  readonly checkFinished?: (check: Check) => void;
}

/** Where a run works and is recorded. */
export interface Place {
  readonly runId: string;
  readonly workdir: string;
  /** Where a copy came from. */
  readonly origin?: string;
  readonly runDir: string;
}
