import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  type Stats,
} from 'node:fs';
import type { FileType, Stamp, State } from './manifest.ts';
import { objectId } from './objects.ts';
import type { Store } from './store.ts';

/** What is read and kept at most. Beyond it files are known, but cannot be put back. */
export interface KeepLimits {
  /** A larger file is known by its hash. Default: 50 MB. */
  readonly fileBytes: number;
  /** Once this much was read in a run, further files are known by size, time and inode only. Default: 4 GB. */
  readonly totalBytes: number;
  /** The same for the number of files. Default: 200,000. */
  readonly files: number;
}

export const KEEP_LIMITS: KeepLimits = { fileBytes: 50_000_000, totalBytes: 4_000_000_000, files: 200_000 };

/** A file system's clock may be this much late, and ticks this coarsely. */
const RACY_MS = 50;
const CHUNK = 1 << 20;

/** What was read of one path. */
export interface Reading {
  readonly state: State;
  readonly stamp: Stamp;
  readonly racy: boolean;
  /** Bytes read into the store. */
  readonly bytes: number;
}

export function typeOf(rawMode: number): FileType {
  switch (rawMode & 0o170000) {
    case 0o100000:
      return 'file';
    case 0o040000:
      return 'dir';
    case 0o120000:
      return 'link';
    default:
      return 'other';
  }
}

/** What stands at a path, links not followed; undefined where nothing does, or where we may not look. */
export function lookAt(place: string | Buffer): Stats | undefined {
  try {
    return lstatSync(place, { throwIfNoEntry: false });
  } catch {
    // A file where a folder was, or a folder that may not be searched.
    return undefined;
  }
}

export function stampOf(stats: Stats): Stamp {
  return {
    rawMode: stats.mode,
    size: stats.size,
    inode: stats.ino,
    ctimeMs: stats.ctimeMs,
    mtimeMs: stats.mtimeMs,
  };
}

/** How many bytes and files were taken so far. */
export interface Taken {
  bytes: number;
  files: number;
}

/** Reads a path into the store. Undefined when it is gone. Never follows a link, never waits on a pipe. */
export function readInto(
  store: Store,
  place: string | Buffer,
  work: boolean,
  limits: KeepLimits,
  taken: Taken,
): Reading | undefined {
  for (let attempt = 0; ; attempt++) {
    const stats = lookAt(place);
    if (!stats) return undefined;
    const reading = readOnce(store, place, work, stats, limits, taken);
    // A file that somebody writes to at this moment is read again, and then again at the next walk.
    if (reading && (!reading.racy || attempt > 2 || isUnchanged(place, reading.stamp))) return reading;
    if (attempt > 10) return unreadable(stats, work);
  }
}

function isUnchanged(place: string | Buffer, stamp: Stamp): boolean {
  const stats = lookAt(place);
  return stats?.ctimeMs === stamp.ctimeMs && stats.size === stamp.size;
}

function readOnce(
  store: Store,
  place: string | Buffer,
  work: boolean,
  stats: Stats,
  limits: KeepLimits,
  taken: Taken,
): Reading | undefined {
  const type = typeOf(stats.mode);
  const racy = Date.now() - stats.ctimeMs < RACY_MS;
  const finish = (oid: string, kept: boolean, bytes = 0, read: Stats = stats): Reading => ({
    state: {
      type,
      mode: stats.mode & 0o7777,
      oid,
      kept,
      work,
      uid: stats.uid,
      gid: stats.gid,
      mtimeMs: read.mtimeMs,
    },
    stamp: stampOf(read),
    racy,
    bytes,
  });
  if (type === 'dir' || type === 'other') return finish('', true);
  if (type === 'link') {
    const target = attempt(() => readlinkSync(place, { encoding: 'buffer' }));
    return target && finish(store.add('blob', target), true);
  }
  if (taken.bytes > limits.totalBytes || taken.files > limits.files) return finish(weakId(stats), false);
  const read = attempt(() => readFile(place, limits.fileBytes));
  if (!read) return lookAt(place) ? unreadable(stats, work) : undefined;
  if (typeOf(read.stats.mode) !== 'file') return undefined;
  if (read.bytes === undefined) return finish(read.oid, false, 0, read.stats);
  return finish(store.add('blob', read.bytes), true, read.bytes.length, read.stats);
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    // Gone, replaced or not readable: the caller looks again.
    return undefined;
  }
}

/** A file that may not be read is known by what `lstat` says. */
function unreadable(stats: Stats, work: boolean): Reading {
  return {
    state: {
      type: typeOf(stats.mode),
      mode: stats.mode & 0o7777,
      oid: weakId(stats),
      kept: false,
      work,
      uid: stats.uid,
      gid: stats.gid,
      mtimeMs: stats.mtimeMs,
    },
    stamp: stampOf(stats),
    racy: false,
    bytes: 0,
  };
}

function weakId(stats: Stats): string {
  return objectId('blob', Buffer.from(`${stats.size} ${stats.ino} ${stats.mtimeMs}`));
}

type FileRead = { readonly stats: Stats } & (
  | { readonly bytes: Buffer }
  | { readonly bytes?: undefined; readonly oid: string }
);

function readFile(place: string | Buffer, limit: number): FileRead {
  const fd = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(fd);
    if (typeOf(stats.mode) !== 'file') return { stats, oid: '' };
    return stats.size > limit
      ? { stats, oid: hashOf(fd, stats.size) }
      : { stats, bytes: readAll(fd, stats.size) };
  } finally {
    closeSync(fd);
  }
}

function readAll(fd: number, size: number): Buffer {
  const buffer = Buffer.allocUnsafe(size);
  let at = 0;
  while (at < size) {
    const read = readSync(fd, buffer, at, size - at, at);
    if (read === 0) break;
    at += read;
  }
  return buffer.subarray(0, at);
}

function hashOf(fd: number, size: number): string {
  const hash = createHash('sha1').update(`blob ${size}\0`);
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (let at = 0; ; ) {
    const read = readSync(fd, buffer, 0, CHUNK, at);
    if (read === 0) return hash.digest('hex');
    hash.update(buffer.subarray(0, read));
    at += read;
  }
}
