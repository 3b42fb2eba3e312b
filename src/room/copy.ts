import {
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { LoopgenError } from '../core/error.ts';
import { exec } from '../system/exec.ts';

/** So little is copied in less time than it takes to start a program. */
const SMALL = { bytes: 4_000_000, files: 150 };

/** Copies what is in a folder, times and modes with it, into another that is made where it is missing. */
export async function copyFolder(from: string, to: string): Promise<void> {
  mkdirSync(to, { recursive: true });
  if (isSmall(from, SMALL) && isPlain(from)) copyPlain(from, to);
  else await copy([`${from}/.`, to]);
}

/** Files, links and folders of this user's own, and nothing else. */
function isPlain(folder: string): boolean {
  const uid = process.getuid?.();
  return readdirSync(folder, { withFileTypes: true }).every((entry) => {
    const place = join(folder, entry.name);
    if (entry.isDirectory()) return isPlain(place);
    return (entry.isFile() || entry.isSymbolicLink()) && lstatSync(place).uid === uid;
  });
}

function copyPlain(from: string, to: string): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) {
      rmSync(target, { force: true });
      symlinkSync(readlinkSync(source), target);
    } else if (entry.isDirectory()) {
      mkdirSync(target, { recursive: true });
      copyPlain(source, target);
    } else {
      copyFileSync(source, target, constants.COPYFILE_FICLONE);
      const { atimeMs, mtimeMs } = lstatSync(source);
      utimesSync(target, atimeMs / 1000, mtimeMs / 1000);
    }
  }
  // Last: what is in a folder has to be written first.
  chmodSync(to, lstatSync(from).mode & 0o7777);
}

/** Copies files and folders into a folder, under their own names. */
export async function copyInto(from: readonly string[], to: string): Promise<void> {
  mkdirSync(to, { recursive: true });
  if (from.length > 0) await copy([...from, to]);
}

async function copy(places: readonly string[]): Promise<void> {
  const flags = process.platform === 'darwin' ? ['-c', '-R', '-p'] : ['-a', '--reflink=auto'];
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' };
  const result = await exec({ file: 'cp', args: [...flags, '--', ...places] }, { cwd: '/', env });
  if (result.ended === 'exited' && result.code === 0) return;
  const why = result.ended === 'not-started' ? result.message : result.output.text.trim() || result.ended;
  throw new LoopgenError('copy-failed', `${places[0]} cannot be copied: ${why}`);
}

/** True when a folder holds at most so many bytes and files. Follows no link. */
export function isSmall(folder: string, limits: { readonly bytes: number; readonly files: number }): boolean {
  let { bytes, files } = limits;
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const place = join(at, entry.name);
      if (entry.isDirectory()) folders.push(place);
      else bytes -= lstatSync(place).size;
      if (--files < 0 || bytes < 0) return false;
    }
  }
  return true;
}

/** Removes a tree, also where checks made it read-only. */
export function removeTree(dir: string): void {
  try {
    rmSync(dir, { recursive: true, force: true });
  } catch {
    open(dir);
    rmSync(dir, { recursive: true, force: true, maxRetries: 2 });
  }
}

function open(dir: string): void {
  chmodSync(dir, 0o700);
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    if (entry.isDirectory()) open(join(dir, entry.name));
  }
}

/** The folder above, made where it is missing. */
export function makeAbove(place: string): void {
  mkdirSync(dirname(place), { recursive: true });
}
