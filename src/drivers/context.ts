import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import picomatch from 'picomatch';
import { messageOf } from '../core/error.ts';
import { resolveInside } from '../system/files.ts';
import { headAndTail } from '../system/text.ts';

/** A file that a prompt shows, or why it cannot. */
export type ContextFile =
  | { readonly path: string; readonly content: string }
  | { readonly path: string; readonly absent: string };

const MAX_FILE_CHARS = 200_000;
const MAX_FILE_BYTES = 10_000_000;
const MAX_WALKED = 20_000;
const SKIPPED_FOLDERS = new Set([
  'node_modules',
  '.git',
  '.venv',
  'venv',
  '__pycache__',
  'target',
  'vendor',
  'dist',
]);

/**
 * The files that the patterns name, in their order, each once. A pattern is a
 * path or a glob, relative to `workdir`; what lies outside is not read.
 */
export async function readContext(
  workdir: string,
  patterns: readonly string[],
): Promise<readonly ContextFile[]> {
  const paths: string[] = [];
  let walked: readonly string[] | undefined;
  for (const pattern of patterns) {
    if (!picomatch.scan(pattern).isGlob) {
      paths.push(pattern);
      continue;
    }
    walked ??= await walk(workdir);
    const matches = picomatch(pattern, { dot: true });
    paths.push(...walked.filter((path) => matches(path)));
  }
  return await Promise.all([...new Set(paths)].map((path) => readOne(workdir, path)));
}

async function readOne(workdir: string, path: string): Promise<ContextFile> {
  const place = await resolveInside(workdir, path);
  if (!place.ok) return { path, absent: `not shown: ${place.because}` };
  try {
    const { size } = await stat(place.path);
    if (size > MAX_FILE_BYTES) return { path, absent: `not shown: ${size} bytes are too many` };
    const content = await readFile(place.path, 'utf8');
    if (content.includes('\0')) return { path, absent: 'not shown: a binary file' };
    return { path, content: headAndTail(content, MAX_FILE_CHARS) };
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return { path, absent: missing ? 'does not exist yet' : `not shown: ${messageOf(error)}` };
  }
}

/** Files below a folder, sorted, with `/`; links and dependency folders are not followed. */
async function walk(root: string): Promise<readonly string[]> {
  const files: string[] = [];
  const folders = [''];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile()) files.push(path);
      else if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) folders.push(path);
    }
    if (files.length > MAX_WALKED) break;
  }
  return files.sort();
}
