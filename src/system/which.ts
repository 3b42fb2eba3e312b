/** The absolute path of the program `name` on the PATH of `env`; `name` with a slash is tested as it is. */
export declare function which(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined;
