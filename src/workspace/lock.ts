import { createHash, randomBytes } from 'node:crypto';
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, sep } from 'node:path';
import { LoopgenError } from '../core/error.ts';
import { processStat } from '../system/procfs.ts';
import { isOwnerDead, newScopePart, scopeParts } from '../system/scope.ts';

/** What a lock file holds. */
interface Holder {
  readonly path: string;
  readonly device: number;
  readonly inode: number;
  readonly pid: number;
  /** Names the process for good: a pid is used again. */
  readonly owner: string;
  /** ISO, UTC. */
  readonly since: string;
  readonly runId: string;
}

export interface Lock {
  release(): void;
}

/**
 * Takes a tree for one run. Trees are known by device and inode, so that another spelling or a link of it is the
 * same one; a tree above or below a taken one is taken too. The lock of a process that has died counts for nothing.
 * Throws `LoopgenError` `workspace-busy`.
 */
export function takeLock(userState: string, dir: string, runId: string): Lock {
  const folder = join(userState, 'locks');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stats = statSync(dir);
  const file = join(folder, `${lockName(stats.dev, stats.ino)}.json`);
  const holder: Holder = {
    path: dir,
    device: stats.dev,
    inode: stats.ino,
    pid: process.pid,
    owner: newScopePart(),
    since: new Date().toISOString(),
    runId,
  };
  while (!place(file, holder)) {
    const other = read(file);
    if (other && isAlive(other)) throw busy(dir, other, file);
    discard(file, other);
  }
  const release = () => {
    if (read(file)?.owner === holder.owner) rmSync(file, { force: true });
  };
  const near = neighbours(folder, file, holder);
  if (near) {
    release();
    throw busy(dir, near.holder, near.file);
  }
  return { release };
}

/** True as long as the process that wrote this may be at work. */
export function isAlive({ pid, owner }: { readonly pid: number; readonly owner: string }): boolean {
  const [part] = scopeParts(owner);
  if (part && isOwnerDead(part)) return false;
  if (processStat(process.pid)) return true; // where there is /proc, the answer above is right
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function lockName(device: number, inode: number): string {
  return createHash('sha1').update(`${device}:${inode}`).digest('hex').slice(0, 16);
}

/** Appears with its content or not at all, and never over another. */
function place(file: string, holder: Holder): boolean {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, JSON.stringify(holder), { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Takes a dead lock away, and gives it back if another had taken its place meanwhile. */
function discard(file: string, dead: Holder | undefined): void {
  const aside = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    renameSync(file, aside);
    if (read(aside)?.owner !== dead?.owner) linkSync(aside, file);
  } catch {
    // Another was quicker: the next look tells.
  }
  rmSync(aside, { force: true });
}

function read(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    // Gone, or not written by us: it holds nothing.
    return undefined;
  }
}

/** A living lock of a tree above or below. */
function neighbours(folder: string, own: string, { path, device, inode }: Holder) {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (file === own || !name.endsWith('.json')) continue;
    const holder = read(file);
    if (!holder || (holder.device === device && holder.inode === inode)) continue;
    if ((contains(holder.path, path) || contains(path, holder.path)) && isAlive(holder))
      return { holder, file };
  }
  return undefined;
}

function contains(outer: string, inner: string): boolean {
  return inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}

function busy(dir: string, holder: Holder, file: string): LoopgenError {
  const which = holder.path === dir ? dir : `${holder.path} (asked for: ${dir})`;
  return new LoopgenError(
    'workspace-busy',
    `another run works in ${which}: process ${holder.pid}, since ${holder.since}, run ${holder.runId}`,
    { hint: `wait for it or stop it; if it is certain that it is gone, delete ${file}` },
  );
}
