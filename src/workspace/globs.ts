import picomatch from 'picomatch';

/**
 * Whether a path (relative, with `/`) meets one of the globs. A glob without a
 * slash meets names at any depth; one that meets a folder meets all that lies in it.
 * Unicode forms are taken together, since file systems do so too.
 */
export function globMatcher(globs: readonly string[]): (path: string) => boolean {
  const matchers = globs.flatMap((glob): ((path: string) => boolean)[] => {
    const clean = glob.normalize('NFC').replace(/^\.\//, '').replace(/\/+$/, '');
    if (clean === '' || clean === '.') return [() => true];
    const options = { dot: true, basename: !clean.includes('/') };
    const below = clean.includes('/') ? `${clean}/**` : `**/${clean}/**`;
    return [picomatch(clean, options), picomatch(below, { dot: true })];
  });
  return (path) => {
    const normal = path.normalize('NFC');
    return matchers.some((matches) => matches(normal));
  };
}
