import { type Accepted, type AcceptFacts, acceptor } from '../../src/core/accept.ts';
import type { BaselineCheck } from '../../src/core/red-tests.ts';
import type { CheckAtStart } from '../../src/core/silenced-checks.ts';
import type { ChangedFile } from '../../src/core/tree.ts';
import { globMatcher } from '../../src/workspace/globs.ts';

export type Files = Readonly<Record<string, string>>;
/** New texts by path; `null` deletes. */
export type Edits = Readonly<Record<string, string | null>>;

export interface Play extends Partial<Pick<AcceptFacts, 'rules' | 'allow' | 'installed'>> {
  readonly baseline?: readonly CheckAtStart[] | null;
}

/** A check of which the tests of these files were red. */
export function redIn(...files: readonly string[]): BaselineCheck {
  return {
    name: 'tests',
    status: 'fail',
    judgedBy: 'test-ids',
    tests: { failing: files.map((file) => ({ id: `${file}::case`, file })) },
  };
}

/** A check that is red by its exit code alone. */
export function redByCode(...commands: readonly string[]): BaselineCheck {
  return { name: 'check', status: 'fail', judgedBy: 'exit-code', commands };
}

/** What the room gets of the edits. */
export function play(files: Files, edits: Edits, facts: Play = {}): Accepted {
  const accept = acceptor({
    rules: facts.rules ?? [],
    allow: facts.allow ?? [],
    matcher: globMatcher,
    start: { paths: Object.keys(files), read: (path) => files[path] },
    ...(facts.baseline !== null && { baseline: facts.baseline ?? [redByCode('make check-all')] }),
    installed: facts.installed ?? new Set(),
  });
  return accept(changesOf(files, edits), (path) => edits[path] ?? undefined);
}

function changesOf(files: Files, edits: Edits): ChangedFile[] {
  return Object.entries(edits).map(([path, text]) => ({
    path,
    change: text === null ? 'deleted' : path in files ? 'modified' : 'added',
  }));
}

/** Paths that are not as the agent left them, and the manifests of which a part is not. */
export function notTaken(accepted: Accepted, edits: Edits): string[] {
  const out = Object.keys(edits).filter((path) => {
    const answer = accepted.of(path);
    return !answer.goesIn || answer.text !== undefined;
  });
  return out.sort();
}
