import type { Check } from './check.ts';
import type { CanaryFinding } from './event.ts';
import type { Confirmation, History } from './history.ts';
import { exceptedIn } from './known-failures.ts';
import { count } from './outcome.ts';
import { shortList } from './shorten.ts';

/** How far the green of a run can be trusted; `none` where there is no green. */
export type Grade = 'earned' | 'plausible' | 'unproven' | 'none';

export interface Trust {
  readonly grade: Grade;
  /** What was shown, in phrases. */
  readonly shown: readonly string[];
  /** What was not shown, in phrases. */
  readonly notShown: readonly string[];
}

/** One thing that a run can show, with what its absence costs. */
interface Point {
  readonly shown?: string;
  readonly notShown?: string;
  /** The best grade that is left. */
  readonly atMost?: 'plausible' | 'unproven';
}

/** The trust line of a run. Pure: the same history gives the same line. */
export function trustOf(history: History): Trust {
  if (history.outcome?.kind !== 'success') {
    return { grade: 'none', shown: [], notShown: [] };
  }
  const { confirmation, checks } = decided(history);
  const points = [
    baseline(history),
    ...where(history, confirmation),
    ...canary(checks, confirmation),
    ...judging(checks, confirmation),
    ...edits(history, confirmation),
    { notShown: 'held-out checks' },
    patch(history, checks),
    { notShown: 'external state (databases, services, the network)' },
  ];
  const caps = points.map((point) => point.atMost);
  return {
    grade: caps.includes('unproven') ? 'unproven' : caps.includes('plausible') ? 'plausible' : 'earned',
    shown: points.flatMap((point) => point.shown ?? []),
    notShown: points.flatMap((point) => point.notShown ?? []),
  };
}

/** The checks that the success rests on, as they ran last. */
function decided({ iterations }: History): { confirmation?: Confirmation; checks: readonly Check[] } {
  const last = iterations.at(-1);
  const confirmation = last?.confirmation;
  const round = confirmation && confirmation.checks.length > 0 ? confirmation : last;
  const deciding = (confirmation?.verdict ?? last?.verdict)?.deciding;
  const checks = (round?.checks ?? []).filter((check) => deciding?.includes(check.name) ?? true);
  return { ...(confirmation && { confirmation }), checks };
}

function baseline({ baseline: start }: History): Point {
  const verdict = start?.verdict;
  if (!verdict) return { notShown: 'red before (no baseline)', atMost: 'unproven' };
  if (verdict.status === 'pass') return { notShown: 'red before (it was green)', atMost: 'unproven' };
  if (verdict.status === 'fail') return { shown: 'red before' };
  const causes = [...new Set(start.checks.flatMap((check) => check.cause ?? []))].join(', ');
  return { shown: `red before, because the suite does not load (${causes})`, atMost: 'plausible' };
}

const UNTOUCHED = 'a tree that the agent could not touch';

function where({ baseline: start }: History, confirmation: Confirmation | undefined): Point[] {
  if (!confirmation) return [{ notShown: 'green a second time (confirm: off)', atMost: 'unproven' }];
  const reason = start?.room?.because;
  const because = reason === undefined ? '' : ` (${reason})`;
  const kind = confirmation.room?.kind;
  if (confirmation.how === 'room' && kind === 'bound')
    return [{ shown: 'confirmed in a fresh room at its own path' }];
  if (confirmation.how === 'room' && kind === 'folder')
    return [{ shown: 'confirmed in a fresh room' }, { notShown: `walls around the checks${because}` }];
  return [{ shown: 'green again in a rerun' }, { notShown: `${UNTOUCHED}${because}`, atMost: 'plausible' }];
}

const byIds = (checks: readonly Check[]) => checks.filter((check) => check.judgedBy === 'test-ids');

/** Right where the runner can have one. */
function canary(checks: readonly Check[], confirmation: Confirmation | undefined): Point[] {
  const suites = byIds(checks);
  if (!confirmation?.canary || suites.length === 0)
    return [{ notShown: 'canary', ...(suites.length > 0 && { atMost: 'plausible' }) }];
  const found = suites.map(({ name }) => confirmation.canary?.find((finding) => finding.check === name));
  if (found.some((finding) => finding?.result === 'wrong'))
    return [{ notShown: 'a runner that reports failures (the canary did not fail)', atMost: 'unproven' }];
  const missing = found.filter((finding) => finding?.result !== 'right');
  const shown: Point[] = found.length > missing.length ? [{ shown: 'canary failed as it must' }] : [];
  if (missing.length === 0) return shown;
  const couldBe = missing.some((finding) => finding?.result !== 'none');
  return [...shown, { notShown: withoutCanary(missing), ...(couldBe && { atMost: 'plausible' }) }];
}

function withoutCanary(missing: readonly (CanaryFinding | undefined)[]): string {
  const which = missing.flatMap((finding) =>
    finding ? `${finding.check}${finding.because === undefined ? '' : `: ${finding.because}`}` : [],
  );
  return which.length === 0 ? 'canary' : `canary (${which.join('; ')})`;
}

function judging(checks: readonly Check[], confirmation: Confirmation | undefined): Point[] {
  return [
    ids(checks),
    excepted(checks),
    redByIds(checks, confirmation),
    compared(checks),
    byExitCode(checks),
    byWord(checks),
  ];
}

function ids(checks: readonly Check[]): Point {
  const suites = byIds(checks).filter((check) => check.tests);
  if (suites.length === 0) return {};
  const total = suites.reduce((sum, check) => sum + (check.tests?.total ?? 0), 0);
  const passed = suites.reduce((sum, check) => sum + (check.tests?.passed ?? 0), 0);
  return { shown: `${passed} of ${count(total, 'test id')} passed` };
}

function excepted(checks: readonly Check[]): Point {
  const known = exceptedIn(checks);
  return known > 0 ? { shown: `${count(known, 'known failure')} excepted` } : {};
}

/** At least one test, by its id, that was red and is green. New tests of the agent and files that did not load are none. */
function redByIds(checks: readonly Check[], confirmation: Confirmation | undefined): Point {
  const ledgers = byIds(checks).flatMap((check) => check.ledger ?? []);
  const fixed = ledgers.reduce((sum, ledger) => sum + (ledger.compared ? ledger.fixed : 0), 0);
  if (fixed > 0) return { shown: `${count(fixed, 'test')} red before and green now` };
  const known = ledgers.length > 0 || (confirmation?.how === 'room' && byIds(checks).length > 0);
  return known ? { notShown: 'a test that was red before and is green now', atMost: 'plausible' } : {};
}

function compared(checks: readonly Check[]): Point {
  const blind = checks.flatMap(({ name, ledger }) =>
    ledger && !ledger.compared ? [`${name}: ${ledger.because}`] : [],
  );
  return blind.length === 0
    ? {}
    : { notShown: `what became of each test of the start (${blind.join('; ')})` };
}

function byExitCode(checks: readonly Check[]): Point {
  const names = checks.filter((check) => ['exit-code', 'plug-in', 'metric'].includes(check.judgedBy));
  if (names.length === 0) return {};
  const list = names.map((check) => check.name).join(', ');
  return { notShown: `verdict by test ids (${list})`, atMost: 'plausible' };
}

function byWord(checks: readonly Check[]): Point {
  const names = checks.filter((check) => check.judgedBy === 'agent-file').map((check) => check.name);
  if (names.length === 0) return {};
  return { notShown: `a number that is not the agent's own word (${names.join(', ')})`, atMost: 'unproven' };
}

/** Edits of what judges that the green stands on: let stand by `warn`, let in by `allow`, or accepted with a caveat. */
function edits({ iterations }: History, confirmation: Confirmation | undefined): Point[] {
  const points: Point[] = [];
  const stands = iterations.some((iteration) => iteration.refused.some((refusal) => !refusal.putBack));
  const renamed = (confirmation?.checks ?? []).some(
    ({ ledger }) => ledger?.compared === true && ledger.renamed.count > 0,
  );
  const caveats = confirmation?.caveats?.length ?? 0;
  if (stands || renamed || caveats > 0) {
    const how = caveats > 0 ? ` (${count(caveats, 'caveat')})` : '';
    points.push({ notShown: `the judge as it was${how}`, atMost: 'plausible' });
  }
  const kept = iterations.at(-1)?.keptOut ?? [];
  if (kept.length > 0)
    points.push({
      notShown: `the work with its own version of ${shortList(kept.map(({ path }) => path))}`,
      // What something reads by itself is in force where the work is delivered.
      ...(kept.some(({ inForce }) => inForce) && { atMost: 'plausible' }),
    });
  const allowed = confirmation?.allowed ?? [];
  if (allowed.length > 0)
    points.push({
      notShown: `a green without what allow lets in (${shortList(allowed)})`,
      atMost: 'plausible',
    });
  return points;
}

const CLEAN = 'a patch free of constructs that blind a judge';
const MOST_PLACES = 3;

/** Skips and what silences types, style and coverage blind nobody who knows each test by its id. */
function patch({ iterations }: History, checks: readonly Check[]): Point {
  const last = iterations.at(-1);
  const found = last?.confirmation?.suspicions ?? last?.suspicions;
  if (!found) return { notShown: CLEAN };
  const byIdsAlone = checks.every((check) => check.judgedBy === 'test-ids');
  const blinding = found.filter((one) => !(byIdsAlone && one.harmlessByIds));
  if (blinding.length === 0) return { shown: 'nothing known to blind a judge in the patch' };
  const places = [...new Set(blinding.map(({ path, line }) => `${path}:${line}`))];
  const more = places.length > MOST_PLACES ? ` and ${places.length - MOST_PLACES} more` : '';
  return { notShown: `${CLEAN} (${places.slice(0, MOST_PLACES).join(', ')}${more})`, atMost: 'plausible' };
}

/** The line under every report. */
export function trustLine(trust: Trust): string {
  const missing = trust.notShown.length > 0 ? [`not shown: ${trust.notShown.join('; ')}`] : [];
  if (trust.grade === 'none') return 'nothing is claimed, since nothing is green';
  return `${trust.grade}: ${[...trust.shown, ...missing].join(' · ')}`;
}
