import { type Distribution, reliedOn } from '../core/relied.ts';
import { distributionsIn } from './python-packages.ts';
import type { PythonSites } from './python-sites.ts';

/** What the verdict of Python tests rests on beside the workspace. */
export interface WatchedPackages {
  /** Top-level modules that tests or their runner import, which nothing new may stand before. */
  readonly modules: ReadonlySet<string>;
  /** Folders outside of the workspace, and which of their folders (relative to them) count. */
  readonly around: readonly { readonly folder: string; readonly into: (path: string) => boolean }[];
}

/** `imports`: dotted names that tests of the start import. */
export function packagesOfTests(sites: PythonSites, imports: Iterable<string>): WatchedPackages {
  const names = [...imports];
  const all = [...sites.own, ...sites.around].flatMap(distributionsIn);
  const relied = reliedOn(names, all);
  const modules = new Set(relied.flatMap((one: Distribution) => one.modules));
  const isWatched = (path: string) => {
    const [entry = ''] = path.split('/');
    return modules.has(entry) || /\.(?:dist|egg)-info$/.test(entry);
  };
  const { library } = sites;
  return {
    modules,
    around: [
      ...sites.around.map((folder) => ({ folder, into: isWatched })),
      ...(library === undefined ? [] : [{ folder: library, into: isOfLibrary }]),
    ],
  };
}

/** Packages are counted apart; tests of Python itself are run by nobody here. */
const NOT_LIBRARY: ReadonlySet<string> = new Set([
  ...['site-packages', 'dist-packages', 'test', 'idlelib', 'lib2to3', 'turtledemo', 'tkinter', 'ensurepip'],
]);

function isOfLibrary(path: string): boolean {
  return !NOT_LIBRARY.has(path.split('/')[0] ?? '');
}
