import { z } from 'zod';
import type { Criteria } from '../core/spec.ts';
import { closed, label, list, oneOf, withHint } from './fields.ts';

const KINDS = ['all-pass', 'pass', 'score', 'all', 'any', 'not'] as const;

const allPass = closed({
  type: oneOf('all-pass').describe('Every check passes.'),
});

const pass = closed({
  type: oneOf('pass').describe('The named checks pass.'),
  evaluators: list(label(), 'a list of names of evaluators')
    .min(1, { error: 'a list of at least one name of an evaluator' })
    .describe('Names of evaluators: `as`, else `uses`.'),
});

const number = () => z.number({ error: 'a number' });

const score = closed({
  type: oneOf('score').describe('The score of one check lies within the bounds, all of them.'),
  evaluator: label('the name of an evaluator').describe('Name of the evaluator: `as`, else `uses`.'),
  gte: number().exactOptional().describe('At least this.'),
  lte: number().exactOptional().describe('At most this.'),
  eq: number().exactOptional().describe('Exactly this.'),
}).refine((value) => ['gte', 'lte', 'eq'].some((bound) => bound in value), {
  error: 'a score needs a bound\nadd gte, lte or eq',
});

const several = closed({
  type: oneOf('all', 'any').describe('All, or at least one, of the criteria in `of` are met.'),
  get of(): z.ZodArray<z.ZodType<Criteria>> {
    return list(criteria, 'a list of criteria')
      .min(1, { error: 'a list of at least one criterion' })
      .describe('Criteria, nested freely.');
  },
});

const not = closed({
  type: oneOf('not').describe(
    'The criterion in `of` is not met. Over a check that could not run it is not met either.',
  ),
  get of(): z.ZodType<Criteria> {
    return criteria;
  },
});

/** The kinds of criteria, for the documentation. */
export const CRITERIA_KINDS = { 'all-pass': allPass, pass, score, 'all, any': several, not } as const;

/** `success:` as a tree. */
export const criteria: z.ZodType<Criteria> = z.discriminatedUnion(
  'type',
  [allPass, pass, score, several, not],
  {
    error: (issue) => criteriaError(issue.input),
  },
);

function criteriaError(input: unknown): string {
  if (typeof input === 'string') return `a mapping with a type\nwrite { type: ${input} }`;
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return 'a mapping with a type';
  const type = 'type' in input ? input.type : undefined;
  return withHint(`one of ${KINDS.join(', ')}`, type, KINDS);
}
