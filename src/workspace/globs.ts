import picomatch from 'picomatch';
import { foldedPath } from '../core/same-path.ts';

export interface GlobOptions {
  /** Whether other spellings of a path, which some file system takes for the same, meet a glob too. Default: no. */
  readonly anySpelling?: boolean;
}

/**
 * Whether a path (relative, with `/`) meets one of the globs. A glob without a
 * slash meets names at any depth; one that meets a folder meets all that lies in it.
 * Unicode forms are taken together, since file systems do so too.
 */
export function globMatcher(
  globs: readonly string[],
  { anySpelling = false }: GlobOptions = {},
): (path: string) => boolean {
  const matchers = globs.flatMap((glob): ((path: string) => boolean)[] => {
    const clean = glob.normalize('NFC').replace(/^\.\//, '').replace(/\/+$/, '');
    if (clean === '' || clean === '.') return [() => true];
    const options = { dot: true, nocase: anySpelling, basename: !clean.includes('/') };
    const below = clean.includes('/') ? `${clean}/**` : `**/${clean}/**`;
    return [picomatch(clean, options), picomatch(below, { dot: true, nocase: anySpelling })];
  });
  return (path) => {
    const normal = anySpelling ? foldedPath(path) : path.normalize('NFC');
    return matchers.some((matches) => matches(normal));
  };
}
