import type { SpecIssue } from './issue.ts';
import type { SpecFile } from './schema.ts';

/**
 * Keys of later versions that would change the judgement: to run without them
 * in silence would say more than was shown, so they are errors.
 */
export function unavailable(file: SpecFile): SpecIssue[] {
  const issues: SpecIssue[] = [];
  const later = (path: SpecIssue['path'], what: string, hint: string) =>
    issues.push({ code: 'not-available', path, message: `${what} is not available in this version`, hint });
  if (file.workspace.mode === 'worktree') {
    later(['workspace', 'mode'], '"worktree"', 'use copy');
  }
  file.evaluators.forEach((evaluator, index) => {
    if ('holdout' in evaluator) later(['evaluators', index, 'holdout'], '"holdout"', 'leave it out');
  });
  if (file.checkValidation) later(['checkValidation'], 'a gate on validated checks', 'leave it out');
  if (file.candidates > 1) later(['candidates'], 'more than one candidate', 'leave it out, or write 1');
  return issues;
}

/** What is accepted and has no effect yet; it changes no judgement. */
export function noticesOf(file: SpecFile): string[] {
  const notices: string[] = [];
  if (file.workspace.snapshot === 'git') {
    notices.push('workspace.snapshot: git is accepted, but checkpoint refs are not written in this version');
  }
  return notices;
}
