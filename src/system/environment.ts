/** The variables of `source` that agents and checks may see: the allow-list, and the names in `pass` as they are. */
export declare function allowedEnvironment(
  source: Readonly<Record<string, string | undefined>>,
  pass: readonly string[],
): Record<string, string>;

/** The environment of a check: `env`, and what keeps runners from waiting for a person. */
export declare function checkEnvironment(env: Readonly<Record<string, string>>): Record<string, string>;

/** Names of set variables that a project could need, but that are not in `env`. For messages; never their values. */
export declare function notPassed(
  source: Readonly<Record<string, string | undefined>>,
  env: Readonly<Record<string, string>>,
): string[];
