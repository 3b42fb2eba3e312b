import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importsOf } from '../core/imports.ts';
import { isTestLike } from '../core/judge-names.ts';
import type { Environment } from '../core/plugin.ts';
import type { Workspace } from '../core/workspace.ts';
import { pythonSites, runsPython } from '../room/python-sites.ts';
import { packagesOfTests, type WatchedPackages } from '../room/python-watch.ts';
import { dependencyFolders } from '../workspace/dependencies.ts';

export interface PackagesRequest {
  readonly workspace: Workspace;
  /** Command lines of all checks. */
  readonly commands: readonly string[];
  readonly env: Environment;
}

/** Files that are read for what they import. */
const MOST_READ = 2_000;

/** What tests of Python rest on, at the start of a run; undefined where there are none. */
export async function packagesFor(request: PackagesRequest): Promise<WatchedPackages | undefined> {
  const { workspace, commands, env } = request;
  const tests = workspace.startPaths().filter((path) => path.endsWith('.py') && isTestLike(path));
  if (tests.length === 0 && !runsPython(commands)) return undefined;
  const { dir } = workspace;
  const sites = await pythonSites({ root: dir, dependencies: dependencyFolders(dir), commands, env });
  return packagesOfTests(
    sites,
    tests.slice(0, MOST_READ).flatMap((path) => importsOf(path, textOf(join(dir, path)))),
  );
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Not readable: it imports nothing here.
    return '';
  }
}
