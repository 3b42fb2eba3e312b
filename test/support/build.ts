import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Builds the command line once for all tests that start it as a process: starting it from its source takes twice
 * the time. A folder of this very run, so that two runs do not meet; it lies where the packages are found.
 */
export function setup(): () => void {
  const folder = join(ROOT, 'node_modules', '.cache', `loopgen-test-${process.pid}`);
  const out = join(folder, 'dist');
  mkdirSync(folder, { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = ['-p', join(ROOT, 'tsconfig.build.json'), '--outDir', out, '--declaration', 'false'];
  const built = spawnSync(process.execPath, [tsc, ...options], { encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`the command line does not build:\n${built.stdout}`);
  cpSync(join(ROOT, 'src/evaluators/assets'), join(out, 'evaluators/assets'), { recursive: true });
  const main = join(out, 'cli', 'main.js');
  chmodSync(main, 0o755);
  process.env['LOOPGEN_TEST_MAIN'] = main;
  return () => rmSync(folder, { recursive: true, force: true });
}
