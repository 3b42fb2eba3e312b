import { lstatSync, mkdirSync, type Stats } from 'node:fs';
import { sep } from 'node:path';

/** True when `path` is `folder` or lies below it. Both absolute, without links. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === sep ? sep : `${folder}${sep}`);
}

/** `path` as it is named when `from` is named `to`; undefined where it lies outside. */
export function moved(path: string, from: string, to: string): string | undefined {
  return isWithin(path, from) ? `${to}${path.slice(from.length)}` : undefined;
}

/** What stands at a path, links not followed. */
export function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // A file where a folder was, or a folder that may not be searched.
    return undefined;
  }
}

export function isFolder(path: string): boolean {
  return lookAt(path)?.isDirectory() ?? false;
}

/** Makes a folder where nothing stands. False where it cannot be one. */
export function ensureFolder(path: string): boolean {
  try {
    mkdirSync(path, { recursive: true });
    return isFolder(path);
  } catch {
    return false;
  }
}
