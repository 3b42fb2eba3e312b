import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';

/** Where a path inside a root leads, or why it may not be used (a phrase: `it leads outside …`). */
export type Resolved =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly because: string };

/**
 * Writes a file whole or not at all: a sibling is written, then renamed over it. Makes the folders above it. The
 * mode of a file that is there stays; a link that is there is replaced, not followed.
 */
export async function writeAtomically(file: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const mode = await modeOf(file);
  const draft = join(dirname(file), `.loopgen-${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeFile(draft, content, { flag: 'wx' });
    if (mode !== undefined) await chmod(draft, mode);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function modeOf(file: string): Promise<number | undefined> {
  try {
    const found = await lstat(file);
    return found.isFile() ? (await stat(file)).mode & 0o7777 : undefined;
  } catch {
    return undefined;
  }
}

/** As many as the system itself follows. */
const MOST_LINKS = 40;

/**
 * The absolute path of `path` inside `root`, all links followed, the last component too. It need not exist.
 * Refused: empty, absolute, with NUL or `..`; what leads outside by any link, dangling ones as well; what goes
 * through a file. Names may hold anything else. Says nothing of what others change afterwards.
 */
export async function resolveInside(root: string, path: string): Promise<Resolved> {
  const because = refusedAsText(path);
  if (because !== undefined) return { ok: false, because };
  try {
    const base = await realpath(root);
    const target = await follow(base, path.split('/'));
    return isInside(base, target)
      ? { ok: true, path: target }
      : { ok: false, because: `it leads outside the folder, to ${target}` };
  } catch (error) {
    return { ok: false, because: error instanceof Error ? error.message : String(error) };
  }
}

function refusedAsText(path: string): string | undefined {
  if (path === '') return 'it is empty';
  if (path.includes('\0')) return 'it holds a NUL character';
  if (isAbsolute(path)) return 'it is absolute';
  if (path.split('/').includes('..')) return 'it holds ".."';
  return undefined;
}

function isInside(base: string, target: string): boolean {
  const way = relative(base, target);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Walks name by name, as the system would; `names` are still to be walked from the folder `from`. */
async function follow(from: string, names: readonly string[]): Promise<string> {
  let at = from;
  let rest = [...names];
  let links = 0;
  while (rest.length > 0) {
    const [name = '', ...after] = rest;
    rest = after;
    const next = join(at, name);
    const link = await linkOf(next, after.length > 0);
    if (link === undefined) {
      at = next;
      continue;
    }
    if (++links > MOST_LINKS) throw new Error('its links go in a circle');
    if (isAbsolute(link)) at = '/';
    rest = [...link.split('/'), ...after];
  }
  return at;
}

/** What a link says; undefined for anything else. */
async function linkOf(path: string, isFolderExpected: boolean): Promise<string | undefined> {
  const found = await lstatIfThere(path);
  if (found?.isSymbolicLink()) return readlink(path);
  if (found && isFolderExpected && !found.isDirectory()) throw new Error(`${path} is no folder`);
  return undefined;
}

async function lstatIfThere(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
