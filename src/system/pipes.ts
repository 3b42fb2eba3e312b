import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Both ends of a pipe, as file descriptors. Whoever takes it closes both. */
export interface Pipe {
  readonly read: number;
  readonly write: number;
}

const BATCH = 16;
const ready: Pipe[] = [];
let unavailable = false;

/**
 * Real pipes. What Node opens for a child are sockets, and with those `echo x > /dev/stderr`, `tee /dev/stderr`
 * and `cat /dev/stdin` fail, which work in every terminal. Undefined where none can be made; sockets must do then.
 * `mkfifo` makes the named files, which are unlinked at once.
 */
export async function takePipes(
  count: number,
  mkfifo: (paths: readonly string[]) => Promise<boolean>,
): Promise<Pipe[] | undefined> {
  if (ready.length < count && !unavailable) await makeMore(mkfifo);
  if (ready.length < count) return undefined;
  return ready.splice(0, count);
}

/** Closes descriptors; those that are closed already do no harm. */
export function closeAll(descriptors: readonly number[]): void {
  for (const fd of descriptors) {
    try {
      closeSync(fd);
    } catch {
      // Closed already.
    }
  }
}

async function makeMore(mkfifo: (paths: readonly string[]) => Promise<boolean>): Promise<void> {
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(tmpdir(), 'loopgen-pipes-'));
    const paths = Array.from({ length: BATCH }, (_, n) => join(folder ?? '', String(n)));
    if (!(await mkfifo(paths))) throw new Error('no mkfifo');
    for (const path of paths) ready.push(openBoth(path));
  } catch {
    unavailable = true;
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

function openBoth(path: string): Pipe {
  // Either end blocks until the other is open, so a third descriptor holds both meanwhile.
  const both = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const opened: number[] = [];
  try {
    const read = openSync(path, constants.O_RDONLY);
    opened.push(read);
    return { read, write: openSync(path, constants.O_WRONLY) };
  } catch (error) {
    closeAll(opened);
    throw error;
  } finally {
    closeSync(both);
  }
}
