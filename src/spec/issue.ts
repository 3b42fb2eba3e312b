import { LoopgenError, type Place } from '../core/error.ts';

/** Steps from the top of a file to a value: keys and 0-based positions in lists. */
export type Path = readonly (string | number)[];

export type IssueCode =
  | 'syntax'
  | 'unknown-key'
  | 'missing'
  | 'wrong-value'
  | 'duplicate-name'
  | 'unknown-evaluator'
  | 'conflict'
  | 'not-available';

/** One thing that is wrong with a spec or a configuration file. */
export interface SpecIssue {
  readonly code: IssueCode;
  readonly path: Path;
  /** What is wrong, without the path. */
  readonly message: string;
  /** What to do about it, as a phrase. */
  readonly hint?: string;
  /** Absent where the value came from no file. */
  readonly at?: Place;
}

/**
 * A file or object that is no sound spec. `issues` holds every problem in the
 * order of the file; message, hint and place are those of the first. `code` is
 * `bad-spec` (`bad-config` for a configuration file), or `not-available` where
 * everything that is wrong is a key of a later version.
 */
export class SpecError extends LoopgenError {
  readonly issues: readonly SpecIssue[];

  constructor(issues: readonly SpecIssue[], code: 'bad-spec' | 'bad-config' = 'bad-spec') {
    const first = issues[0];
    const later = issues.length > 0 && issues.every((issue) => issue.code === 'not-available');
    const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
    super(later ? 'not-available' : code, (first ? describeIssue(first) : 'is not a spec') + more, {
      ...(first?.hint !== undefined && { hint: first.hint }),
      ...(first?.at !== undefined && { at: first.at }),
    });
    this.issues = issues;
  }
}

/** `limits.patience must be …`; without a path the message alone. */
export function describeIssue(issue: SpecIssue): string {
  const path = showPath(issue.code === 'unknown-key' ? issue.path.slice(0, -1) : issue.path);
  if (path === '') return issue.message;
  return issue.code === 'wrong-value' || issue.code === 'missing'
    ? `${path} ${issue.message}`
    : `${path}: ${issue.message}`;
}

/** `evaluators[1].options.command`. */
export function showPath(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    const key = /^[^\s.[\]]+$/.test(step) ? step : JSON.stringify(step);
    return text === '' ? key : `${text}.${key}`;
  }, '');
}
