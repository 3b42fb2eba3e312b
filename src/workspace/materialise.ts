import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fchownSync,
  futimesSync,
  lchownSync,
  mkdirSync,
  openSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { setImmediate as breathe } from 'node:timers/promises';
import { LoopgenError, messageOf } from '../core/error.ts';
import { type Entry, isContent, type State } from './manifest.ts';
import { displayOf, type Key, placeOf } from './names.ts';
import { lookAt, stampOf } from './read.ts';
import type { BlobReader, Store } from './store.ts';

type Place = string | Buffer;

/** The event loop gets a turn this often while many files are written. */
const BREATHE_MS = 40;

/** Where the bytes are that were not kept: in the workspace, as long as they are what was seen there. */
export interface Unkept {
  entryOf(key: Key): Entry | undefined;
  placeOf(key: Key): Place;
}

/**
 * Writes a tree into an empty folder: bytes, modes, times of files, links, folders. Sockets and pipes are left out.
 * Throws `LoopgenError`: `store-damaged`, `cannot-materialise`.
 */
export async function materialise(
  store: Store,
  dir: string,
  states: ReadonlyMap<Key, State>,
  unkept: Unkept,
): Promise<void> {
  using reader = store.reader();
  const isReached = reachedIn(states);
  const folders = [...states].filter(([key, { type }]) => type === 'dir' && isReached(key));
  folders.sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [key] of folders) attempt(key, () => key === '' || mkdirSync(placeOf(dir, key), 0o700));
  let rested = performance.now();
  for (const [key, state] of states) {
    if (!isContent(state) || !isReached(key)) continue;
    attempt(key, () => plant(reader, key, placeOf(dir, key), state, unkept));
    if (performance.now() - rested < BREATHE_MS) continue;
    await breathe();
    rested = performance.now();
  }
  // Their own modes come last: what is in them has to be written first.
  for (const [key, state] of folders.reverse()) attempt(key, () => finishFolder(placeOf(dir, key), state));
}

/** Copies a file whose bytes were not kept from the workspace, if it is still the one that was seen there. */
export function copyUnkept(key: Key, place: Place, state: State, { entryOf, placeOf: from }: Unkept): void {
  const entry = entryOf(key);
  const source = from(key);
  const isSame = () => {
    const now = lookAt(source);
    if (!now || !entry || entry.state.oid !== state.oid) return false;
    const stamp = stampOf(now);
    return (
      stamp.ctimeMs === entry.stamp.ctimeMs &&
      stamp.mtimeMs === entry.stamp.mtimeMs &&
      stamp.size === entry.stamp.size &&
      stamp.inode === entry.stamp.inode
    );
  };
  if (!isSame()) throw cannot(key, 'its bytes were not kept, and it is not what it was any more');
  try {
    copyFileSync(source, place, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  } catch (error) {
    // What this user may not read, the checks may not read either.
    if (error instanceof Error && 'code' in error && error.code === 'EACCES') return;
    throw error;
  }
  if (!isSame()) throw cannot(key, 'its bytes were not kept, and it changed while it was copied');
  own(place, state, chownSync);
  chmodSync(place, state.mode);
}

export function cannot(key: Key, why: string): LoopgenError {
  return new LoopgenError(
    'cannot-materialise',
    `${JSON.stringify(displayOf(key))} cannot be brought into the room of the checks: ${why}`,
  );
}

/** False for what lies in folders that are no part of the tree (dependencies). Files of one folder come together. */
function reachedIn(states: ReadonlyMap<Key, State>): (key: Key) => boolean {
  let folder: Key | undefined;
  let isFolder = false;
  return (key) => {
    const slash = key.lastIndexOf('/');
    if (slash < 0) return true;
    if (folder === undefined || folder.length !== slash || !key.startsWith(folder)) {
      folder = key.slice(0, slash);
      isFolder = states.get(folder)?.type === 'dir';
    }
    return isFolder;
  };
}

function attempt(key: Key, action: () => unknown): void {
  try {
    action();
  } catch (error) {
    throw error instanceof LoopgenError ? error : cannot(key, messageOf(error));
  }
}

function plant(reader: BlobReader, key: Key, place: Place, state: State, unkept: Unkept): void {
  if (!state.kept) {
    copyUnkept(key, place, state, unkept);
  } else if (state.type === 'link') {
    symlinkSync(reader.read(state.oid), place);
    own(place, state, lchownSync);
  } else {
    writeFile(place, reader.read(state.oid), state);
  }
}

function writeFile(place: Place, bytes: Buffer, state: State): void {
  const fd = openSync(place, 'wx', state.mode);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    if (!isOwn(state)) fchownSync(fd, state.uid, state.gid);
    if (!isOwn(state) || (state.mode & ~umask) !== state.mode) fchmodSync(fd, state.mode);
    // Tools such as make compare times: outputs must not look newer than the sources that came after them.
    if (state.mtimeMs !== undefined) futimesSync(fd, state.mtimeMs / 1000, state.mtimeMs / 1000);
  } finally {
    closeSync(fd);
  }
}

function finishFolder(place: Place, state: State): void {
  own(place, state, chownSync);
  if (state.mode !== 0o700 || !isOwn(state)) chmodSync(place, state.mode);
}

const umask = process.umask();
const uid = process.geteuid?.() ?? -1;
const gid = process.getegid?.() ?? -1;

/** Only root can give files away, and only root has to: others own what they write. */
function isOwn(state: State): boolean {
  return uid !== 0 || (state.uid === uid && state.gid === gid);
}

function own(place: Place, state: State, give: (place: Place, uid: number, gid: number) => void): void {
  if (!isOwn(state)) give(place, state.uid, state.gid);
}
