import { spawnSync } from 'node:child_process';
import { copyFile, lstat, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { megabytes } from './numbers.ts';
import type { Row } from './row.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PACKAGES = 40;
const BYTES = 25e6;
const CI = [
  'ci',
  '--omit=dev',
  '--omit=optional',
  '--ignore-scripts',
  '--fetch-retries=0',
  '--fetch-timeout=20000',
];

/** What an installation brings with it. Left out, with a line, where the registry cannot be reached. */
export async function* measureInstall(): AsyncGenerator<Row> {
  const dir = await mkdtemp(join(tmpdir(), 'loopgen-bench-'));
  try {
    for (const file of ['package.json', 'package-lock.json', '.npmrc'])
      await copyFile(join(ROOT, file), join(dir, file));
    const { status } = spawnSync('npm', CI, { cwd: dir, stdio: 'ignore', timeout: 180_000 });
    if (status !== 0) {
      yield { what: 'npm ci --omit=dev', measured: '-', against: 'no registry: skipped' };
      return;
    }
    const modules = join(dir, 'node_modules');
    const lock: { packages: object } = JSON.parse(
      await readFile(join(modules, '.package-lock.json'), 'utf8'),
    );
    const count = Object.keys(lock.packages).length;
    const bytes = await sizeOf(modules);
    yield {
      what: 'npm ci --omit=dev: packages',
      measured: String(count),
      toReach: `<= ${PACKAGES}`,
      met: count <= PACKAGES,
    };
    yield { what: '  their size', measured: megabytes(bytes), toReach: '<= 25 MB', met: bytes <= BYTES };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Bytes on disk of all that is in a folder. */
async function sizeOf(dir: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(dir, { withFileTypes: true, recursive: true }))
    bytes += ((await lstat(join(entry.parentPath, entry.name))).blocks ?? 0) * 512;
  return bytes;
}
