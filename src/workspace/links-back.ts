import { type Dirent, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Finds the first thing in a copy that leads back into its original: an editable install or a path file in a
 * virtual environment, or an absolute link. With one, checks in the copy would test the original.
 * Returns what it is, as a phrase that names the file; undefined where there is none.
 */
export function linksBackInto(copyDir: string, originDir: string): string | undefined {
  const folders = [copyDir];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      const found = describe(path, entry, originDir);
      if (found !== undefined) return `${relative(copyDir, path)} ${found}`;
      if (entry.isDirectory() && entry.name !== '.git' && entry.name !== '__pycache__') folders.push(path);
    }
  }
  return undefined;
}

function describe(path: string, entry: Dirent, origin: string): string | undefined {
  if (entry.isSymbolicLink()) {
    const target = readlinkSync(path);
    return isAbsolute(target) && isWithin(target, origin) ? `is a link to ${target}` : undefined;
  }
  if (!entry.isFile() || !/[\\/](site|dist)-packages[\\/]/.test(path)) return undefined;
  if (entry.name.startsWith('__editable__') || /\.(pth|egg-link)$/.test(entry.name)) {
    return mentions(path, origin) ? `is an editable install of ${origin}` : undefined;
  }
  return entry.name === 'direct_url.json' ? editableAt(path, origin) : undefined;
}

function editableAt(path: string, origin: string): string | undefined {
  try {
    const { url, dir_info: info } = JSON.parse(readFileSync(path, 'utf8'));
    const target = fileURLToPath(url);
    return info?.editable === true && isWithin(target, origin)
      ? `is an editable install of ${target}`
      : undefined;
  } catch {
    // No such record, or one of a package from the network.
    return undefined;
  }
}

/** The path, whole: `/a/b` is not mentioned by `/a/bc`. */
function mentions(path: string, origin: string): boolean {
  const text = readFileSync(path, 'utf8');
  for (let at = text.indexOf(origin); at >= 0; at = text.indexOf(origin, at + 1)) {
    if (!/[\w.-]/.test(text.charAt(at + origin.length))) return true;
  }
  return false;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Not readable for us, so not for the checks either.
    return [];
  }
}
