import type { Key } from './names.ts';

export type FileType = 'file' | 'dir' | 'link' | 'other';

/** What a path holds, as far as it is compared and put back. Immutable. */
export interface State {
  readonly type: FileType;
  /** Permission bits, 0o7777. */
  readonly mode: number;
  /** Git blob id of the bytes, or of a link's target; `''` for folders, sockets and the like. */
  readonly oid: string;
  /** False where the bytes are not in the store, so that they cannot be put back. */
  readonly kept: boolean;
  /** True for what counts as work. */
  readonly work: boolean;
  readonly uid: number;
  readonly gid: number;
  /** When it was last written, as far as it is known; never compared. */
  readonly mtimeMs?: number;
}

/** What `lstat` said when the state was taken: while it stays, the bytes are not read again. */
export interface Stamp {
  readonly rawMode: number;
  readonly size: number;
  readonly inode: number;
  readonly ctimeMs: number;
  readonly mtimeMs: number;
}

export interface Entry {
  state: State;
  stamp: Stamp;
  /** Changed so shortly before it was read that another change could leave the same stamp. */
  racy: boolean;
  /** Number of the walk that saw it last. */
  walk: number;
}

/** One path that differs between two states of the tree. */
export interface Difference {
  readonly before: State | undefined;
  readonly after: State | undefined;
}

export type Differences = ReadonlyMap<Key, Difference>;

/** True when the two are alike in type, mode and bytes. */
export function sameState(a: State | undefined, b: State | undefined): boolean {
  if (!a || !b) return a === b;
  // The mode of a link means nothing.
  return a.type === b.type && a.oid === b.oid && (a.mode === b.mode || a.type === 'link');
}

/** True for what is part of a tree of git: files and links. */
export function isContent(state: State | undefined): state is State {
  return state !== undefined && (state.type === 'file' || state.type === 'link');
}
