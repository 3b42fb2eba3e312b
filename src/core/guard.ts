/** What happens to an edit that a rule matches. */
export type Reaction = 'off' | 'warn' | 'error' | 'revert';

/** A set of paths that the agent must not edit, why, and what follows if it does. */
export interface GuardRule {
  readonly name: 'spec' | 'evaluator' | 'protected';
  readonly reaction: Reaction;
  /** For the agent and the report, for example `the check "tests" runs it`. */
  readonly because: string;
  /** The paths and globs it was made of, for people. */
  readonly paths: readonly string[];
  /** `path` is relative to the workspace, with `/`. */
  readonly matches: (path: string) => boolean;
}

/** An edit that a rule matched. */
export interface Violation {
  readonly rule: GuardRule['name'];
  readonly reaction: Exclude<Reaction, 'off'>;
  readonly path: string;
  readonly because: string;
}

/** The first rule that matches a path has it. Pure: the caller puts back and reports. */
export function violations(paths: readonly string[], rules: readonly GuardRule[]): Violation[] {
  return paths.flatMap((path) => violationOf(path, rules) ?? []);
}

/** The violation that an edit of `path` would be, if any. */
export function violationOf(path: string, rules: readonly GuardRule[]): Violation | undefined {
  const rule = rules.find((r) => r.reaction !== 'off' && r.matches(path));
  if (!rule || rule.reaction === 'off') return undefined;
  return { rule: rule.name, reaction: rule.reaction, path, because: rule.because };
}

/** True for the reactions that put the start's version back. */
export function isPutBack(violation: Violation): boolean {
  return violation.reaction === 'error' || violation.reaction === 'revert';
}
