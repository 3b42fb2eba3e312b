import { normalisedName, reliedOn } from '../core/relied.ts';
import { distributionsIn, moduleOf } from './python-packages.ts';
import type { PythonSites } from './python-sites.ts';

/** A folder outside of the workspace. Paths are relative to it. */
export interface WatchedFolder {
  readonly folder: string;
  readonly looksAt: (path: string) => boolean;
  /** Whether it must stay what it was; what is looked at besides must only not come anew. */
  readonly mustStay: (path: string) => boolean;
}

/** What the verdict of Python tests rests on beside the workspace. */
export interface WatchedPackages {
  /** Top-level modules that tests or their runner import, which nothing new may stand before. */
  readonly modules: ReadonlySet<string>;
  readonly around: readonly WatchedFolder[];
}

/** `imports`: dotted names that tests of the start import. */
export function packagesOfTests(sites: PythonSites, imports: Iterable<string>): WatchedPackages {
  const relied = reliedOn(imports, [...sites.own, ...sites.around].flatMap(distributionsIn));
  const modules = new Set(relied.flatMap((one) => one.modules));
  const names = new Set(relied.map((one) => one.name));
  const mustStay = (path: string) => {
    const [entry = ''] = path.split('/');
    const record = INFO.exec(entry)?.[1];
    if (record !== undefined) return names.has(normalisedName(record));
    return ALWAYS.test(entry) || modules.has(moduleOf(entry) ?? '');
  };
  const looksAt = (path: string) => mustStay(path) || INFO.test(path.split('/')[0] ?? '');
  const { library } = sites;
  return {
    modules,
    around: [
      ...sites.around.map((folder) => ({ folder, looksAt, mustStay })),
      ...(library === undefined ? [] : [{ folder: library, looksAt: isOfLibrary, mustStay: isOfLibrary }]),
    ],
  };
}

/** The record of an installed package: the name before its version. */
const INFO = /^([^-]+)(?:-.*)?\.(?:dist|egg)-info$/;
/** Loaded by every start. */
const ALWAYS = /(?:\.pth|\.egg-link)$|^(?:site|user)customize\b/;

/** Packages are counted apart; tests of Python itself are run by nobody here. */
const NOT_LIBRARY: ReadonlySet<string> = new Set([
  ...['site-packages', 'dist-packages', 'test', 'idlelib', 'lib2to3', 'turtledemo', 'tkinter', 'ensurepip'],
]);

function isOfLibrary(path: string): boolean {
  return !NOT_LIBRARY.has(path.split('/')[0] ?? '');
}
