import type { Check } from './check.ts';
import { blocksSuccess, describeLosses } from './comparison.ts';
import type { CanaryFinding } from './event.ts';
import { count } from './outcome.ts';
import { shortList } from './shorten.ts';
import { describeSuspicion, type Suspicion } from './suspicion/row.ts';
import { colourOf, type Test } from './test-names.ts';
import type { Verdict } from './verdict.ts';

/** Dependencies that are not what they were. */
export interface ChangedDependencies {
  /** What changed. */
  readonly what: string;
  /** How `setup` failed in a fresh room; absent where there is none. */
  readonly failed?: string;
}

/** What a confirmation found beside the verdict of the criteria. */
export interface ConfirmationFindings {
  /** The checks of the confirmation. */
  readonly checks: readonly Check[];
  /** Default: what the checks say of their canaries. */
  readonly canary?: readonly CanaryFinding[];
  /** Dependencies that no `setup` made again in the fresh room. */
  readonly dependencies?: ChangedDependencies;
  /** What changed around the workspace that checks can see. */
  readonly around?: string;
  /** Tests that stand in the room as they were written, though the agent changed or moved them. */
  readonly asWritten?: readonly string[];
  /** Why no green can be confirmed (tests inside sources were edited), each with the line of the spec that accepts it. */
  readonly doubts?: readonly { readonly because: string; readonly allow: string }[];
  /** Constructs of the patch, where `limits.suspicion` says that they take a green back. */
  readonly suspicions?: readonly Suspicion[];
}

/** The findings about canaries: one for every check that is judged by test ids. */
export function canariesOf(checks: readonly Check[]): CanaryFinding[] {
  return checks
    .filter((check) => check.judgedBy === 'test-ids')
    .map(({ name, canary, canaryBecause }) => ({
      check: name,
      // An evaluator that says nothing may well have been able to.
      result: canary ?? 'missed',
      ...(canaryBecause !== undefined && { because: canaryBecause }),
    }));
}

/**
 * The verdict on a green that was tried again. Only a pass to which nothing speaks stays one; a verdict that is no
 * pass stays as it is, but says what to do where tests do not load any more as they were written.
 */
export function confirmedVerdict(verdict: Verdict, findings: ConfirmationFindings): Verdict {
  if (verdict.status !== 'pass') return withAdvice(verdict, findings);
  const reason =
    canaryFailed(findings.canary ?? canariesOf(findings.checks)) ??
    lostTests(verdict, findings.checks) ??
    changedDependencies(findings.dependencies) ??
    changedAround(findings.around) ??
    doubtful(findings.doubts) ??
    suspicious(findings.suspicions);
  return reason === undefined ? verdict : failed(verdict, reason);
}

/** The same verdict, unless constructs of the patch take it back. */
export function unlessSuspicious(verdict: Verdict, found: readonly Suspicion[] | undefined): Verdict {
  const reason = verdict.status === 'pass' ? suspicious(found) : undefined;
  return reason === undefined ? verdict : failed(verdict, reason);
}

function suspicious(found: readonly Suspicion[] = []): string | undefined {
  if (found.length === 0) return undefined;
  return `the patch holds what can make a judge blind (limits.suspicion: error): ${shortList(found.map(describeSuspicion))}`;
}

function failed({ tally }: Verdict, reason: string): Verdict {
  return {
    status: 'fail',
    reason,
    tally,
    signature: { text: reason, informative: true, byTests: false },
  };
}

/** A runner that lets the canary pass would let anything pass. */
function canaryFailed(canary: readonly CanaryFinding[]): string | undefined {
  const wrong = canary.filter((finding) => finding.result === 'wrong');
  if (wrong.length === 0) return undefined;
  const which = wrong.map(({ check, because }) => `"${check}"${because === undefined ? '' : `: ${because}`}`);
  return `the runner does not report failures any more (${which.join('; ')})`;
}

function lostTests({ deciding }: Verdict, checks: readonly Check[]): string | undefined {
  const lost = checks.filter(
    (check) => (deciding?.includes(check.name) ?? true) && blocksSuccess(check.ledger),
  );
  if (lost.length === 0) return undefined;
  return lost
    .map((check) => `${check.name} fails against the start (${describeLosses(check.ledger)})`)
    .join(', ');
}

function changedDependencies(changed: ChangedDependencies | undefined): string | undefined {
  if (changed === undefined) return undefined;
  const { what, failed } = changed;
  if (failed !== undefined)
    return `the dependencies changed (${what}), and they cannot be made again in a fresh room: ${failed}`;
  return `the dependencies changed (${what}), and nothing says how to make them in a fresh room: add the command that installs them to the spec, for example setup: ["npm ci"]`;
}

function changedAround(what: string | undefined): string | undefined {
  if (what === undefined) return undefined;
  return `what lies around the workspace changed, and checks can see it (${what}): put it back, or make it part of the workspace (workspace.dir)`;
}

function doubtful(doubts: ConfirmationFindings['doubts'] = []): string | undefined {
  if (doubts.length === 0) return undefined;
  return doubts
    .map(({ because, allow }) => `${because}; to accept that, write in the spec: ${allow} ${COSTS}`)
    .join('. ');
}

const COSTS = '(the grade is then plausible at most)';

function withAdvice(verdict: Verdict, { checks, asWritten = [] }: ConfirmationFindings): Verdict {
  const paths = unloadable(asWritten, checks);
  if (paths.length === 0) return verdict;
  const advice = `tests do not load any more as they were written (${shortList(paths)}): what they import was moved or removed. Put that back, or, to judge by the edited tests, ${allowLine(paths)}`;
  return { ...verdict, reason: `${verdict.reason}; ${advice}` };
}

/** The files that did not come to run their tests; all of them where a suite does not load and nothing says which. */
function unloadable(paths: readonly string[], checks: readonly Check[]): readonly string[] {
  const failing = new Set(checks.flatMap((check) => check.tests?.failing ?? []).map((test) => test.id));
  const named = paths.filter((path) => failing.has(path) || failing.has(unitIn(path)));
  if (named.length > 0) return named;
  return checks.some((check) => check.cause === 'collection') ? paths : [];
}

/** A test file as `unittest` names it: `tests.test_a`. */
const unitIn = (path: string) => path.replace(/\.py$/, '').replaceAll('/', '.');

/** What to write in the spec so that the agent's version of some paths counts. */
function allowLine(paths: readonly string[]): string {
  return `write in the spec: allow: ${JSON.stringify(paths)} ${COSTS}`;
}

/**
 * What two rounds of checks on the same files do not agree on, in one sentence; undefined where they agree.
 * Two fresh rooms of one tree that differ make a run flaky.
 */
export function roomsDiffer(first: readonly Check[], second: readonly Check[]): string | undefined {
  for (const one of first) {
    const other = second.find((check) => check.name === one.name);
    if (!other || other.status === one.status) continue;
    const tests = differingTests(one.tests?.all ?? [], other.tests?.all ?? []);
    const which = tests.length === 0 ? '' : `; by ${count(tests.length, 'test')}: ${shortList(tests)}`;
    return `"${one.name}" is ${word(one)} in one fresh room and ${word(other)} in another, made of the same files${which}`;
  }
  return undefined;
}

function differingTests(first: readonly Test[], second: readonly Test[]): string[] {
  const seen = new Map(first.map(([id, status]) => [id, colourOf(status)]));
  return second.filter(([id, status]) => seen.has(id) && seen.get(id) !== colourOf(status)).map(([id]) => id);
}

function word({ status, cause }: Check): string {
  if (status === 'unusable') return `unusable (${cause ?? 'crash'})`;
  return status === 'pass' ? 'green' : 'red';
}
