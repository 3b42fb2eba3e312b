import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { LoopgenError, messageOf } from '../core/error.ts';
import { nearest } from '../core/suggest.ts';

const MAX_BYTES = 4 * 1024 * 1024;

/**
 * The text of a spec file. Throws `LoopgenError`: `spec-not-found`,
 * `spec-unreadable` (a folder, a device, no permission, too large, not UTF-8).
 */
export async function readSpecFile(file: string): Promise<string> {
  const bytes = await readBytes(file);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw unreadable(file, `is not UTF-8 text (line ${firstBadLine(bytes)})`, 'save it as UTF-8');
  }
}

async function readBytes(file: string): Promise<Buffer> {
  try {
    const info = await stat(file);
    if (info.isDirectory()) throw unreadable(file, 'is a folder, not a spec file', await specsIn(file));
    if (!info.isFile()) throw unreadable(file, 'is not a regular file');
    if (info.size > MAX_BYTES) throw unreadable(file, `is larger than ${MAX_BYTES / 1024 / 1024} MB`);
    return await readFile(file);
  } catch (error) {
    if (error instanceof LoopgenError) throw error;
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') throw await notFound(file);
    if (code === 'EACCES' || code === 'EPERM') throw unreadable(file, 'cannot be read: permission denied');
    throw unreadable(file, `cannot be read: ${messageOf(error)}`);
  }
}

function unreadable(file: string, message: string, hint?: string): LoopgenError {
  return new LoopgenError('spec-unreadable', `${file} ${message}`, hint === undefined ? {} : { hint });
}

async function notFound(file: string): Promise<LoopgenError> {
  const folder = path.dirname(file);
  const guess = nearest(path.basename(file), await namesIn(folder));
  return new LoopgenError('spec-not-found', `there is no file ${file}`, {
    hint: guess ? `did you mean ${path.join(folder, guess)}?` : 'name a .loop.yaml or .json file',
  });
}

async function specsIn(folder: string): Promise<string> {
  const specs = (await namesIn(folder)).filter((name) => /\.loop\.(ya?ml|json)$/.test(name)).sort();
  if (specs.length === 0) return 'name a .loop.yaml or .json file';
  return `in it there is ${specs.slice(0, 3).join(', ')}${specs.length > 3 ? ', …' : ''}`;
}

async function namesIn(folder: string): Promise<string[]> {
  // Only for a suggestion: where the folder cannot be read, there is none.
  return await readdir(folder).catch(() => []);
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** UTF-8 never splits a line feed, so that each line can be tried by itself. */
function firstBadLine(bytes: Buffer): number {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let line = 1, start = 0; ; line++) {
    const end = bytes.indexOf(10, start);
    try {
      decoder.decode(bytes.subarray(start, end === -1 ? undefined : end));
    } catch {
      return line;
    }
    if (end === -1) return line;
    start = end + 1;
  }
}
