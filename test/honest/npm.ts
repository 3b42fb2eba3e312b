const NPM = 'npm --offline --no-audit --no-fund --loglevel=error';

/** A shell line that packs packages, each of one file, into `packages/NAME-VERSION.tgz`. */
export function makePackages(
  ...packages: readonly (readonly [name: string, version: string, text: string])[]
): string {
  return packages
    .map(([name, version, text]) =>
      [
        'mkdir -p packages/package',
        `printf '%s' '${JSON.stringify({ name, version })}' > packages/package/package.json`,
        `printf '%s' '${text}' > packages/package/index.js`,
        `tar -czf packages/${name}-${version}.tgz -C packages package`,
        'rm -r packages/package',
      ].join(' && '),
    )
    .join(' && ');
}

/** Installs a packed package and notes it in the manifest; no network. */
export const npmInstall = (file: string) => `${NPM} install ./${file}`;
/** Installs what the lock file says; no network. */
export const NPM_CI = `${NPM} ci`;
