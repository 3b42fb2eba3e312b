import { relative, sep } from 'node:path';

/**
 * A path inside the workspace as the code here holds it: relative, with `/`, one character per byte (latin1).
 * Names that are no UTF-8 survive in it, and comparing two keys compares their bytes. The root is `''`.
 */
export type Key = string;

const ASCII = /^[\x00-\x7f]*$/;

/** The key of a path that is written as text. */
export function keyOf(path: string): Key {
  return ASCII.test(path) ? path : Buffer.from(path, 'utf8').toString('latin1');
}

/** The key of an absolute path inside `root`; undefined where it lies outside or is `root` itself. */
export function keyInside(root: string, path: string): Key | undefined {
  const inside = relative(root, path);
  if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || inside.startsWith(sep))
    return undefined;
  return keyOf(inside.split(sep).join('/'));
}

/** The path behind a key, for the file system. */
export function placeOf(root: string, key: Key): string | Buffer {
  if (key === '') return root;
  if (ASCII.test(key)) return `${root}/${key}`;
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(key, 'latin1')]);
}

/** The path of a name in a folder whose own path is known: what a walk does for each file. */
export function placeIn(folder: string | Buffer, name: string): string | Buffer {
  if (typeof folder === 'string' && ASCII.test(name)) return `${folder}/${name}`;
  return Buffer.concat([Buffer.from(folder), Buffer.from('/'), Buffer.from(name, 'latin1')]);
}

/** The key for people and programs: UTF-8, other bytes escaped as `\xNN`. */
export function displayOf(key: Key): string {
  if (ASCII.test(key)) return key;
  const bytes = Buffer.from(key, 'latin1');
  const text = decoded(bytes);
  if (text !== undefined) return text;
  let shown = '';
  for (let at = 0; at < bytes.length; ) {
    const length = [1, 2, 3, 4].find((n) => decoded(bytes.subarray(at, at + n)) !== undefined);
    shown += length ? bytes.toString('utf8', at, at + length) : `\\x${bytes.toString('hex', at, at + 1)}`;
    at += length ?? 1;
  }
  return shown;
}

export function parentOf(key: Key): Key {
  return key.slice(0, Math.max(0, key.lastIndexOf('/')));
}

export function nameOf(key: Key): string {
  return key.slice(key.lastIndexOf('/') + 1);
}

/** Every folder above a key, outermost first, without the root. */
export function ancestorsOf(key: Key): Key[] {
  const found: Key[] = [];
  for (let at = key.indexOf('/'); at >= 0; at = key.indexOf('/', at + 1)) found.push(key.slice(0, at));
  return found;
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decoded(bytes: Buffer): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}
