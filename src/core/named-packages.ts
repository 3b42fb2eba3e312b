import { folderOf, joinPath, nameOf } from './start-tree.ts';

/** A package of the project that others import by its name. */
export interface PackageFolder {
  readonly manifest: 'package.json' | 'go.mod';
  readonly name: string;
  readonly folder: string;
  /** Files that the name alone can mean, relative to the folder. */
  readonly entries: readonly string[];
}

/** Packages of npm and modules of Go that the manifests of a tree name, with what `replace` puts in their place. Pure. */
export function namedPackages(
  paths: readonly string[],
  read: (path: string) => string | undefined,
): readonly PackageFolder[] {
  return paths.flatMap((path): readonly PackageFolder[] => {
    if (nameOf(path) === 'go.mod') return goModules(folderOf(path), read(path) ?? '');
    return nameOf(path) === 'package.json' ? npmPackage(folderOf(path), read(path) ?? '') : [];
  });
}

function goModules(folder: string, text: string): PackageFolder[] {
  const own = /^module\s+(\S+)/m.exec(text)?.[1];
  const replaced = [...text.matchAll(/^\s*(?:replace\s+)?(\S+)(?:\s+v\S+)?\s+=>\s+(\.\S*)/gm)];
  const places = [[own, '.'] as const, ...replaced.map(([, name, place = '.']) => [name, place] as const)];
  return places.flatMap(([name, place]) => {
    const at = joinPath(folder, place);
    return name === undefined || at === undefined
      ? []
      : [{ manifest: 'go.mod' as const, name, folder: at, entries: [] }];
  });
}

function npmPackage(folder: string, text: string): PackageFolder[] {
  const { name, main, module, exports } = manifestOf(text);
  if (typeof name !== 'string' || name === '') return [];
  const said = [main, module, ...leavesOf(exports)].filter((entry) => typeof entry === 'string');
  return [{ manifest: 'package.json', name, folder, entries: said.length > 0 ? said : ['index'] }];
}

function manifestOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function leavesOf(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [value];
}
