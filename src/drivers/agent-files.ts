import { access, readFile } from 'node:fs/promises';

/** The text of a file; empty where it cannot be read. */
export async function textIn(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch(() => '');
}

export async function isThere(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  );
}
