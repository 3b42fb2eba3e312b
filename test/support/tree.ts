import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Every entry below `dir`, `.git` included: path → type, mode, and a hash of its bytes or the target of a link. */
export async function fingerprint(dir: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const mode = ((await lstat(path)).mode & 0o7777).toString(8);
    const content = entry.isSymbolicLink() ? await readlink(path) : entry.isFile() ? await hashOf(path) : '';
    found[relative(dir, path)] = `${mode} ${content}`;
  }
  return found;
}

async function hashOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}
