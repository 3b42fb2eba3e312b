import type { Check, CheckStatus } from './check.ts';
import { blocksSuccess, describeLosses } from './comparison.ts';
import type { Criteria } from './spec.ts';

/** What the criteria say of some checks, and which part decided it. */
export interface Ruling {
  readonly status: CheckStatus;
  /** One phrase. */
  readonly reason: string;
}

/**
 * Three-valued: an unusable check makes what rests on it unusable, so that it
 * can neither pass nor, through `not`, turn into a pass.
 */
export function judge(criteria: Criteria, checks: readonly Check[]): Ruling {
  switch (criteria.type) {
    case 'all-pass':
      return every(checks.map((check) => passed(check)));
    case 'pass':
      return every(criteria.evaluators.map((name) => passed(find(checks, name), name)));
    case 'score':
      return scored(criteria, find(checks, criteria.evaluator));
    case 'all':
      return every(criteria.of.map((part) => judge(part, checks)));
    case 'any':
      return some(criteria.of.map((part) => judge(part, checks)));
    case 'not':
      return negated(
        judge(criteria.of, checks),
        unusableIn(criteria.of, checks) ?? heldBackIn(criteria.of, checks),
      );
  }
}

/**
 * Whether the criteria can be met at all while the named checks cannot run. `names`: of all checks.
 */
export function canBeMet(criteria: Criteria, names: readonly string[], dead: ReadonlySet<string>): boolean {
  switch (criteria.type) {
    case 'any':
      return criteria.of.some((part) => canBeMet(part, names, dead));
    case 'all':
      return criteria.of.every((part) => canBeMet(part, names, dead));
    default:
      return !namesIn(criteria, names).some((name) => dead.has(name));
  }
}

/** The checks that the criteria speak of. */
function namesIn(criteria: Criteria, all: readonly string[]): readonly string[] {
  switch (criteria.type) {
    case 'all-pass':
      return all;
    case 'pass':
      return criteria.evaluators;
    case 'score':
      return [criteria.evaluator];
    case 'all':
    case 'any':
      return criteria.of.flatMap((part) => namesIn(part, all));
    case 'not':
      return namesIn(criteria.of, all);
  }
}

/** The first check under the criteria that is unusable or did not run. */
function unusableIn(criteria: Criteria, checks: readonly Check[]): Ruling | undefined {
  const names = namesIn(
    criteria,
    checks.map((check) => check.name),
  );
  return names.map((name) => passed(find(checks, name), name)).find((ruling) => ruling.status === 'unusable');
}

/** The first check under the criteria that is red only because tests of the start are lost. */
function heldBackIn(criteria: Criteria, checks: readonly Check[]): Ruling | undefined {
  const names = namesIn(
    criteria,
    checks.map((check) => check.name),
  );
  const held = checks.find((check) => check.heldBack && names.includes(check.name));
  return held && passed(held);
}

/** The checks that a pass of the criteria rests on: of `any`, those of the parts that pass. */
export function decidingIn(criteria: Criteria, checks: readonly Check[]): readonly string[] {
  switch (criteria.type) {
    case 'all':
      return criteria.of.flatMap((part) => decidingIn(part, checks));
    case 'any':
      return criteria.of
        .filter((part) => judge(part, checks).status === 'pass')
        .flatMap((part) => decidingIn(part, checks));
    default:
      return namesIn(
        criteria,
        checks.map((check) => check.name),
      );
  }
}

const find = (checks: readonly Check[], name: string) => checks.find((check) => check.name === name);

function passed(check: Check | undefined, name = check?.name ?? ''): Ruling {
  if (!check) return { status: 'unusable', reason: `${name} did not run` };
  if (check.status === 'pass') return { status: 'pass', reason: `${name} passes` };
  if (check.status === 'fail') return { status: 'fail', reason: `${name} fails${losses(check)}` };
  return { status: 'unusable', reason: `${name} is unusable (${check.cause ?? 'crash'})` };
}

const losses = ({ ledger }: Check) =>
  blocksSuccess(ledger) ? ` against the start (${describeLosses(ledger)})` : '';

function scored(criteria: Extract<Criteria, { type: 'score' }>, check: Check | undefined): Ruling {
  const name = criteria.evaluator;
  if (!check || check.status === 'unusable') return passed(check, name);
  if (blocksSuccess(check.ledger)) return { status: 'fail', reason: `${name} fails${losses(check)}` };
  if (check.score === undefined) return { status: 'unusable', reason: `${name} reports no score` };
  const { value } = check.score;
  const wants = [
    criteria.gte === undefined ? undefined : { ok: value >= criteria.gte, text: `>= ${criteria.gte}` },
    criteria.lte === undefined ? undefined : { ok: value <= criteria.lte, text: `<= ${criteria.lte}` },
    criteria.eq === undefined ? undefined : { ok: value === criteria.eq, text: `= ${criteria.eq}` },
  ].filter((want) => want !== undefined);
  if (wants.length === 0) return { status: 'unusable', reason: `the score of ${name} has no bound` };
  const missed = wants.filter((want) => !want.ok);
  return missed.length === 0
    ? { status: 'pass', reason: `score of ${name} is ${value}` }
    : {
        status: 'fail',
        reason: `score of ${name} is ${value}, wanted ${missed.map((m) => m.text).join(' and ')}`,
      };
}

function every(parts: readonly Ruling[]): Ruling {
  if (parts.length === 0) return { status: 'unusable', reason: 'there is no check' };
  const failed = parts.filter((part) => part.status === 'fail');
  const unusable = parts.filter((part) => part.status === 'unusable');
  if (failed.length > 0) return { status: 'fail', reason: reasons([...failed, ...unusable]) };
  if (unusable.length > 0) return { status: 'unusable', reason: reasons(unusable) };
  return { status: 'pass', reason: reasons(parts) };
}

function some(parts: readonly Ruling[]): Ruling {
  const pass = parts.find((part) => part.status === 'pass');
  if (pass) return pass;
  const unusable = parts.filter((part) => part.status === 'unusable');
  if (parts.length === 0) return { status: 'unusable', reason: 'there is no check' };
  if (unusable.length > 0) return { status: 'unusable', reason: reasons(unusable) };
  return { status: 'fail', reason: `none of: ${reasons(parts)}` };
}

/**
 * `obstacle`: something under the `not` that could not run, whatever the rest says, since a red that nobody saw
 * is no green; or that is red only because tests were taken away.
 */
function negated(part: Ruling, obstacle: Ruling | undefined): Ruling {
  if (obstacle) return obstacle;
  if (part.status === 'unusable') return part;
  return part.status === 'pass'
    ? { status: 'fail', reason: `${part.reason}, which must not be` }
    : { status: 'pass', reason: `not: ${part.reason}` };
}

const reasons = (parts: readonly Ruling[]) => [...new Set(parts.map((part) => part.reason))].join(', ');

/** The criteria in one line, for people. */
export function describeCriteria(criteria: Criteria): string {
  switch (criteria.type) {
    case 'all-pass':
      return 'every check passes';
    case 'pass':
      return criteria.evaluators.map((name) => `${name} passes`).join(' and ');
    case 'score': {
      const bounds = [
        criteria.gte === undefined ? '' : `>= ${criteria.gte}`,
        criteria.lte === undefined ? '' : `<= ${criteria.lte}`,
        criteria.eq === undefined ? '' : `= ${criteria.eq}`,
      ];
      return `score of ${criteria.evaluator} ${bounds.filter(Boolean).join(' and ')}`;
    }
    case 'all':
    case 'any':
      return `${criteria.type} of (${criteria.of.map(describeCriteria).join('; ')})`;
    case 'not':
      return `not (${describeCriteria(criteria.of)})`;
  }
}
