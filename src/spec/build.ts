import type { Criteria, EvaluatorSpec, Limits, ObserverSpec, Spec, WorkspaceMode } from '../core/spec.ts';
import { nearest } from '../core/suggest.ts';
import { unavailable } from './availability.ts';
import { milliseconds } from './fields.ts';
import type { Path, SpecIssue } from './issue.ts';
import { DEFAULT_CHECK_TIMEOUT_MS, type SpecFile } from './schema.ts';
import { readShape } from './shape.ts';

type EvaluatorFile = SpecFile['evaluators'][number];

/**
 * The file as the engine's `Spec`: names filled in, aliases resolved. Pushes
 * what no single key can know to `issues`; the spec is of use only without any.
 */
export function buildSpec(file: SpecFile, issues: SpecIssue[]): Spec {
  issues.push(...unavailable(file));
  const evaluators = file.evaluators.map((entry, index) => buildEvaluator(entry, index, issues));
  issues.push(...withoutBaseline(file));
  const observers = file.observability.observers.map(withName);
  issues.push(
    ...duplicates(evaluators, ['evaluators']),
    ...duplicates(observers, ['observability', 'observers']),
    ...unknownNames(
      file.success,
      ['success'],
      evaluators.map((evaluator) => evaluator.name),
    ),
  );
  const { name, requirements, task, stack, setup, driver, success, protect, allow, evaluation, env } = file;
  return {
    version: 1,
    name,
    ...(file.description !== undefined && { description: file.description }),
    requirements,
    task,
    stack,
    workspace: { ...file.workspace, mode: modeOf(file.workspace.mode) },
    setup,
    driver,
    escalate: file.escalate,
    evaluators,
    success,
    protect,
    allow,
    limits: buildLimits(file.limits),
    evaluation,
    env,
    observability: { observers },
    prompts: file.prompts,
  };
}

function withName<Entry extends { uses: string; as?: string; options: Record<string, unknown> }>(
  entry: Entry,
): ObserverSpec {
  return { uses: entry.uses, name: entry.as ?? entry.uses, options: entry.options };
}

/** `worktree` never gets this far: `unavailable` makes it an error. */
function modeOf(mode: SpecFile['workspace']['mode']): WorkspaceMode {
  return mode === 'worktree' ? 'copy' : mode;
}

function buildLimits(limits: SpecFile['limits']): Limits {
  const { baseline } = limits;
  return { ...limits, baseline: baseline === 'strict' ? 'strict' : baseline ? 'warn' : 'off' };
}

/** `timeoutMs` in the options of `command` is an alias of the one beside them. */
function buildEvaluator(entry: EvaluatorFile, index: number, issues: SpecIssue[]): EvaluatorSpec {
  const { uses, name, options } = withName(entry);
  const timeoutMs = entry.timeoutMs ?? DEFAULT_CHECK_TIMEOUT_MS;
  const { guard, knownFailures } = entry;
  const plain = { uses, name, options, guard, timeoutMs, ...(knownFailures && { knownFailures }) };
  if (uses !== 'command' || !('timeoutMs' in options)) return plain;

  const { timeoutMs: alias, ...others } = options;
  const path = ['evaluators', index, 'options', 'timeoutMs'];
  const read = readShape(milliseconds(), alias, []);
  if (!read.ok) issues.push(...read.issues.map((issue) => ({ ...issue, path })));
  else if (entry.timeoutMs !== undefined) {
    const message = 'timeoutMs stands in the options and beside them';
    issues.push({ code: 'conflict', path, message, hint: 'keep one of the two' });
  }
  return { ...plain, options: others, timeoutMs: read.ok ? read.value : timeoutMs };
}

/** What was red before is not known where no check runs before. */
function withoutBaseline({ limits, evaluators }: SpecFile): SpecIssue[] {
  if (limits.baseline !== false) return [];
  return evaluators.flatMap(({ knownFailures }, index) =>
    knownFailures === 'baseline'
      ? [
          {
            code: 'conflict' as const,
            path: ['evaluators', index, 'knownFailures'],
            message: 'the failures of the baseline are not known where limits.baseline is false',
            hint: 'list the ids of the tests, or let the baseline run',
          },
        ]
      : [],
  );
}

function duplicates(entries: readonly { readonly name: string }[], parent: Path): SpecIssue[] {
  const seen = new Set<string>();
  return entries.flatMap(({ name }, index) => {
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    const message = `the name "${name}" is there already`;
    return [
      {
        code: 'duplicate-name' as const,
        path: [...parent, index],
        message,
        hint: 'give it a name of its own with as',
      },
    ];
  });
}

/** Evaluators that `success` names and that are not there. */
function unknownNames(criteria: Criteria, path: Path, known: readonly string[]): SpecIssue[] {
  switch (criteria.type) {
    case 'all-pass':
      return [];
    case 'pass':
      return criteria.evaluators.flatMap((name, i) => unknownName(name, [...path, 'evaluators', i], known));
    case 'score':
      return unknownName(criteria.evaluator, [...path, 'evaluator'], known);
    case 'not':
      return unknownNames(criteria.of, [...path, 'of'], known);
    default:
      return criteria.of.flatMap((part, i) => unknownNames(part, [...path, 'of', i], known));
  }
}

function unknownName(name: string, path: Path, known: readonly string[]): SpecIssue[] {
  if (known.includes(name)) return [];
  const guess = nearest(name, known);
  const hint = guess ? `did you mean "${guess}"?` : `the evaluators are: ${known.join(', ')}`;
  return [{ code: 'unknown-evaluator', path, message: `"${name}" is not the name of an evaluator`, hint }];
}
