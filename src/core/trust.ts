import type { Check } from './check.ts';
import type { History } from './history.ts';
import { count } from './outcome.ts';

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
  const points = [
    baseline(history),
    confirmation(history),
    ...judging(history),
    edits(history),
    { notShown: 'held-out checks' },
    { notShown: 'a patch free of constructs that blind a judge' },
    { notShown: 'external state (databases, services, the network)' },
  ];
  const caps = points.map((point) => point.atMost);
  return {
    grade: caps.includes('unproven') ? 'unproven' : caps.includes('plausible') ? 'plausible' : 'earned',
    shown: points.flatMap((point) => point.shown ?? []),
    notShown: points.flatMap((point) => point.notShown ?? []),
  };
}

function baseline({ baseline: start }: History): Point {
  const verdict = start?.verdict;
  if (!verdict) return { notShown: 'red before (no baseline)', atMost: 'unproven' };
  if (verdict.status === 'pass') return { notShown: 'red before (it was green)', atMost: 'unproven' };
  if (verdict.status === 'fail') return { shown: 'red before' };
  const causes = [...new Set(start.checks.flatMap((check) => check.cause ?? []))].join(', ');
  return { shown: `red before, because the suite does not load (${causes})`, atMost: 'plausible' };
}

function confirmation({ iterations }: History): Point {
  const last = iterations.at(-1)?.confirmation;
  if (!last) return { notShown: 'green a second time (confirm: off)', atMost: 'unproven' };
  return last.how === 'room'
    ? { shown: 'confirmed in a fresh room' }
    : {
        shown: 'green again in a rerun',
        notShown: 'a tree that the agent could not touch',
        atMost: 'plausible',
      };
}

/** An edit of what judges that stands (`warn`). */
function edits({ iterations }: History): Point {
  const stands = iterations.some((iteration) => iteration.refused.some((refusal) => !refusal.putBack));
  return stands ? { notShown: 'the judge as it was', atMost: 'plausible' } : {};
}

function judging({ iterations }: History): Point[] {
  const checks = iterations.at(-1)?.checks ?? [];
  return [ids(checks), byExitCode(checks), byWord(checks), { notShown: 'canary' }];
}

function ids(checks: readonly Check[]): Point {
  const suites = checks.filter((check) => check.judgedBy === 'test-ids' && check.tests);
  if (suites.length === 0) return {};
  const total = suites.reduce((sum, check) => sum + (check.tests?.total ?? 0), 0);
  const passed = suites.reduce((sum, check) => sum + (check.tests?.passed ?? 0), 0);
  return { shown: `${passed} of ${count(total, 'test id')} passed` };
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

/** The line under every report. */
export function trustLine(trust: Trust): string {
  const missing = trust.notShown.length > 0 ? [`not shown: ${trust.notShown.join('; ')}`] : [];
  if (trust.grade === 'none') return 'nothing is claimed, since nothing is green';
  return `${trust.grade}: ${[...trust.shown, ...missing].join(' · ')}`;
}
