import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { GoPlaces } from '../reports/go-json.ts';

interface GoModule {
  readonly path: string;
  /** Absolute. */
  readonly folder: string;
}

/** Where packages and tests lie, by the `go.mod` and `go.work` above `cwd` and the test files in the packages. */
export function goPlaces(workdir: string, cwd: string): GoPlaces {
  const modules = modulesFrom(workdir, cwd);
  const tests = new Map<string, ReadonlyMap<string, string>>();
  const folderOf = (packagePath: string) => {
    const found = modules.find(({ path }) => packagePath === path || packagePath.startsWith(`${path}/`));
    return found && relative(workdir, join(found.folder, packagePath.slice(found.path.length)));
  };
  const fileOf = (packagePath: string, test: string) => {
    const folder = folderOf(packagePath);
    if (folder === undefined) return undefined;
    const known = tests.get(packagePath) ?? testsIn(workdir, folder);
    tests.set(packagePath, known);
    return known.get(test.split('/')[0] ?? '');
  };
  return { folderOf, fileOf };
}

function modulesFrom(workdir: string, cwd: string): GoModule[] {
  const modules: GoModule[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    modules.push(...moduleIn(folder), ...usedBy(folder));
    if (folder === workdir || dirname(folder) === folder) break;
  }
  // The longest path is the innermost module.
  return modules.sort((a, b) => b.path.length - a.path.length);
}

function moduleIn(folder: string): GoModule[] {
  const path = /^module\s+"?([^\s"]+)"?/m.exec(read(join(folder, 'go.mod')))?.[1];
  return path === undefined ? [] : [{ path, folder }];
}

function usedBy(folder: string): GoModule[] {
  const text = read(join(folder, 'go.work'));
  return [...text.matchAll(/^\s*(?:use\s+)?"?(\.{1,2}(?:\/[^\s")]*)?)"?\s*$/gm)].flatMap(([, used = '']) =>
    moduleIn(join(folder, used)),
  );
}

/** Name of a test → its file, relative to the workspace. */
function testsIn(workdir: string, folder: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const name of filesIn(join(workdir, folder))) {
    const file = [folder, name].filter(Boolean).join('/');
    const text = read(join(workdir, file));
    for (const [, test = ''] of text.matchAll(/^func ((?:Test|Example|Fuzz|Benchmark)\w*)\(/gm))
      found.set(test, file);
  }
  return found;
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('_test.go'));
  } catch {
    // Not there, or not ours to read: places stay unknown.
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Not there, or not ours to read: places stay unknown.
    return '';
  }
}
