import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that is removed, with all in it, when its scope ends. */
export interface TempDir extends AsyncDisposable {
  /** Absolute, links resolved. */
  readonly path: string;
}

/** `await using dir = await tempDir()`: a fresh, empty folder under the system's temporary folder. */
export async function tempDir(prefix = 'loopgen-test-'): Promise<TempDir> {
  const path = await realpath(await mkdtemp(join(tmpdir(), prefix)));
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}
