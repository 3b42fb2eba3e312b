import { describe, expect, test } from 'vitest';
import { LoopgenError } from '../../src/core/error.ts';
import { type IssueCode, SpecError, showPath } from '../../src/spec/issue.ts';
import { parseSpec, safeParseSpec } from '../../src/spec/parse.ts';
import { small } from './example-spec.ts';

const check = (more: Record<string, unknown> = {}) => ({
  uses: 'command',
  options: { command: 'true' },
  ...more,
});

describe('a sound spec', () => {
  test('has every default filled in', () => {
    expect(parseSpec(small())).toEqual({
      version: 1,
      name: 'small',
      requirements: 'do it',
      task: { type: 'function' },
      stack: {},
      workspace: { dir: '.', mode: 'in-place', snapshot: 'none', ignore: [] },
      setup: [],
      driver: { uses: 'mock', options: {}, session: 'resume' },
      escalate: [],
      evaluators: [
        { uses: 'command', name: 'command', options: { command: 'true' }, guard: [], timeoutMs: 600_000 },
      ],
      success: { type: 'all-pass' },
      protect: [],
      allow: [],
      limits: {
        maxIterations: 5,
        patience: 3,
        unknownUsage: 'stop',
        baseline: 'strict',
        baselineRuns: 1,
        specGuard: 'error',
        evaluatorGuard: 'error',
        confirm: 'room',
        confirmRuns: 1,
        suspicion: 'warn',
      },
      evaluation: { concurrency: 1, network: 'on' },
      env: { pass: [] },
      observability: { observers: [] },
      prompts: {},
    });
  });

  test.each([
    [{ limits: { baseline: 'strict' } }, 'strict'],
    [{ limits: { baseline: true } }, 'warn'],
    [{ limits: { baseline: false } }, 'off'],
  ])('%j means the baseline is %s', (more, baseline) => {
    expect(parseSpec(small(more)).limits.baseline).toBe(baseline);
  });

  test('names a check by its alias, else by its type', () => {
    const { evaluators } = parseSpec(small({ evaluators: [check(), check({ as: 'lint' })] }));
    expect(evaluators.map((evaluator) => evaluator.name)).toEqual(['command', 'lint']);
  });

  test('may hold timeoutMs in the options of a command in place of beside them', () => {
    const beside = parseSpec(small({ evaluators: [check({ timeoutMs: 5 })] }));
    const inside = parseSpec(small({ evaluators: [check({ options: { command: 'true', timeoutMs: 5 } })] }));
    expect(inside).toEqual(beside);
  });

  test('leaves timeoutMs in the options of other evaluators to them', () => {
    const { evaluators } = parseSpec(
      small({ evaluators: [{ uses: 'mine', options: { timeoutMs: 'soon' } }] }),
    );
    expect(evaluators[0]).toMatchObject({ options: { timeoutMs: 'soon' }, timeoutMs: 600_000 });
  });

  test('may hold keys of any name that begin with x-, at every level', () => {
    const spec = small({
      'x-team': 'blue',
      limits: { 'x-why': 'slow', patience: 2 },
      evaluators: [check({ 'x-owner': { name: 'me' } })],
      success: { type: 'all-pass', 'x-note': 1 },
    });
    expect(parseSpec(spec)).toEqual(parseSpec(small({ limits: { patience: 2 } })));
  });

  test('keeps whatever stands in task, stack and options', () => {
    const spec = parseSpec(
      small({
        task: { type: 'api', routes: ['/a'], 'x-y': 1 },
        stack: { language: 'go', db: 'sqlite' },
        driver: { uses: 'mine', options: { deep: { 'x-key': [1] } } },
      }),
    );
    expect(spec.task).toEqual({ type: 'api', routes: ['/a'], 'x-y': 1 });
    expect(spec.stack).toEqual({ language: 'go', db: 'sqlite' });
    expect(spec.driver.options).toEqual({ deep: { 'x-key': [1] } });
  });

  test('may hold keys that are undefined', () => {
    expect(parseSpec(small({ description: undefined, limits: { maxTokens: undefined } }))).toEqual(
      parseSpec(small()),
    );
  });

  test('may nest its criteria freely', () => {
    const success = {
      type: 'all',
      of: [
        { type: 'any', of: [{ type: 'pass', evaluators: ['command'] }, { type: 'all-pass' }] },
        { type: 'not', of: { type: 'score', evaluator: 'command', gte: 1, lte: 2, eq: 0 } },
      ],
    };
    expect(parseSpec(small({ success })).success).toEqual(success);
  });

  test.each([[{ workspace: { snapshot: 'git' } }, 'checkpoint refs are not written']])(
    'says of %j that it has no effect yet',
    (more, notice) => {
      const parsed = safeParseSpec(small(more));
      expect(parsed.ok && parsed.notices.join()).toContain(notice);
    },
  );
});

type Bad = [title: string, more: Record<string, unknown>, code: IssueCode, path: string, hint?: string];

const BAD: readonly Bad[] = [
  ['a mistyped key', { limit: {} }, 'unknown-key', 'limit', 'did you mean "limits"?'],
  [
    'a mistyped key of workspace',
    { workspace: { dri: '.' } },
    'unknown-key',
    'workspace.dri',
    'did you mean "dir"?',
  ],
  [
    'a mistyped key of driver',
    { driver: { uses: 'mock', optoins: {} } },
    'unknown-key',
    'driver.optoins',
    'did you mean "options"?',
  ],
  [
    'a mistyped key of a check',
    { evaluators: [check({ gaurd: [] })] },
    'unknown-key',
    'evaluators[0].gaurd',
    'did you mean "guard"?',
  ],
  [
    'a mistyped guard',
    { limits: { evaluatorGaurd: 'error' } },
    'unknown-key',
    'limits.evaluatorGaurd',
    'did you mean "evaluatorGuard"?',
  ],
  [
    'a mistyped key of evaluation',
    { evaluation: { concurency: 2 } },
    'unknown-key',
    'evaluation.concurency',
    'did you mean "concurrency"?',
  ],
  ['a mistyped key of env', { env: { pas: [] } }, 'unknown-key', 'env.pas', 'did you mean "pass"?'],
  [
    'a mistyped key of observability',
    { observability: { observer: [] } },
    'unknown-key',
    'observability.observer',
    'did you mean "observers"?',
  ],
  [
    'a mistyped key of an observer',
    { observability: { observers: [{ uses: 'jsonl', option: {} }] } },
    'unknown-key',
    'observability.observers[0].option',
    'did you mean "options"?',
  ],
  [
    'a mistyped key of prompts',
    { prompts: { sistem: 'x' } },
    'unknown-key',
    'prompts.sistem',
    'did you mean "system"?',
  ],
  [
    'a mistyped key of a criterion',
    { success: { type: 'pass', evaluator: ['command'], evaluators: ['command'] } },
    'unknown-key',
    'success.evaluator',
    'did you mean "evaluators"?',
  ],
  [
    'a mistyped key deep in the criteria',
    { success: { type: 'not', of: { type: 'any', of: [{ type: 'all-pass', off: 1 }] } } },
    'unknown-key',
    'success.of.of[0].off',
  ],
  [
    'a mistyped end of a run in the ladder',
    { escalate: [{ after: ['no-progres'], driver: { uses: 'mock' } }] },
    'wrong-value',
    'escalate[0].after[0]',
    'did you mean "no-progress"?',
  ],
  [
    'a rung of the ladder that nothing leads to',
    { escalate: [{ after: [], driver: { uses: 'mock' } }] },
    'wrong-value',
    'escalate[0].after',
  ],
  [
    'a mistyped key of a driver in the ladder',
    { escalate: [{ after: ['gave-up'], driver: { uses: 'mock', option: {} } }] },
    'unknown-key',
    'escalate[0].driver.option',
    'did you mean "options"?',
  ],
  ['a key that is near to none', { zebra: 1 }, 'unknown-key', 'zebra'],
  ['no name', { name: undefined }, 'missing', 'name'],
  ['no requirements', { requirements: undefined }, 'missing', 'requirements'],
  ['empty requirements', { requirements: '' }, 'wrong-value', 'requirements'],
  ['blank requirements', { requirements: ' \n ' }, 'wrong-value', 'requirements'],
  ['no driver', { driver: undefined }, 'missing', 'driver'],
  ['a driver without a name', { driver: {} }, 'missing', 'driver.uses'],
  ['a driver that is text', { driver: 'mock' }, 'wrong-value', 'driver'],
  ['no evaluators', { evaluators: undefined }, 'missing', 'evaluators'],
  ['an empty list of evaluators', { evaluators: [] }, 'wrong-value', 'evaluators'],
  ['a check without a type', { evaluators: [{ as: 'x' }] }, 'missing', 'evaluators[0].uses'],
  ['a name of two lines', { name: 'a\nb' }, 'wrong-value', 'name'],
  ['a number as name', { name: 3 }, 'wrong-value', 'name', 'put it in quotes: "3"'],
  ['another version', { version: 2 }, 'wrong-value', 'version'],
  ['the version as text', { version: '1' }, 'wrong-value', 'version', 'write 1 without the quotes'],
  [
    'a number as text',
    { limits: { maxIterations: '3' } },
    'wrong-value',
    'limits.maxIterations',
    'write 3 without the quotes',
  ],
  ['no iteration at all', { limits: { maxIterations: 0 } }, 'wrong-value', 'limits.maxIterations'],
  ['a negative limit', { limits: { patience: -1 } }, 'wrong-value', 'limits.patience'],
  ['a broken limit', { limits: { maxIterations: 2.5 } }, 'wrong-value', 'limits.maxIterations'],
  [
    'a limit without end',
    { limits: { maxTokens: Number.POSITIVE_INFINITY } },
    'wrong-value',
    'limits.maxTokens',
  ],
  ['a cost of nothing', { limits: { maxCostUsd: 0 } }, 'wrong-value', 'limits.maxCostUsd'],
  [
    'a time that no timer can hold',
    { limits: { iterationTimeoutMs: 2 ** 31 } },
    'wrong-value',
    'limits.iterationTimeoutMs',
  ],
  [
    'an empty limit',
    { limits: { maxCostUsd: null } },
    'wrong-value',
    'limits.maxCostUsd',
    'give it a value, or take the key out',
  ],
  ['an empty section', { limits: null }, 'wrong-value', 'limits', 'give it a value, or take the key out'],
  [
    'a reaction that is false',
    { limits: { specGuard: false } },
    'wrong-value',
    'limits.specGuard',
    'write off',
  ],
  [
    'an unknown reaction',
    { limits: { evaluatorGuard: 'errors' } },
    'wrong-value',
    'limits.evaluatorGuard',
    'did you mean "error"?',
  ],
  [
    'the baseline true as text',
    { limits: { baseline: 'true' } },
    'wrong-value',
    'limits.baseline',
    'write true without the quotes',
  ],
  ['the baseline warn', { limits: { baseline: 'warn' } }, 'wrong-value', 'limits.baseline'],
  [
    'one glob in place of a list',
    { protect: 'a/**' },
    'wrong-value',
    'protect',
    'write it as a list: ["a/**"]',
  ],
  ['an empty glob', { allow: [''] }, 'wrong-value', 'allow[0]'],
  ['an empty folder name', { workspace: { dir: '' } }, 'wrong-value', 'workspace.dir'],
  ['a path with NUL', { workspace: { dir: 'a\0b' } }, 'wrong-value', 'workspace.dir'],
  ['a variable with its value', { env: { pass: ['A=1'] } }, 'wrong-value', 'env.pass[0]'],
  ['options that are a list', { driver: { uses: 'mock', options: [] } }, 'wrong-value', 'driver.options'],
  ['success as text', { success: 'all-pass' }, 'wrong-value', 'success', 'write { type: all-pass }'],
  [
    'an unknown criterion',
    { success: { type: 'passs' } },
    'wrong-value',
    'success.type',
    'did you mean "pass"?',
  ],
  ['a criterion without type', { success: {} }, 'missing', 'success.type'],
  ['no names in pass', { success: { type: 'pass', evaluators: [] } }, 'wrong-value', 'success.evaluators'],
  ['nothing in all', { success: { type: 'all', of: [] } }, 'wrong-value', 'success.of'],
  ['a list in not', { success: { type: 'not', of: [] } }, 'wrong-value', 'success.of'],
  ['a score without a bound', { success: { type: 'score', evaluator: 'command' } }, 'conflict', 'success'],
  [
    'an unknown check in pass',
    { success: { type: 'pass', evaluators: ['comand'] } },
    'unknown-evaluator',
    'success.evaluators[0]',
    'did you mean "command"?',
  ],
  [
    'an unknown check in score',
    { success: { type: 'score', evaluator: 'zzz', gte: 1 } },
    'unknown-evaluator',
    'success.evaluator',
    'the evaluators are: command',
  ],
  [
    'an unknown check deep in the criteria',
    { success: { type: 'all', of: [{ type: 'not', of: { type: 'pass', evaluators: ['x'] } }] } },
    'unknown-evaluator',
    'success.of[0].of.evaluators[0]',
  ],
  [
    'two checks of one name',
    { evaluators: [check(), check()] },
    'duplicate-name',
    'evaluators[1]',
    'give it a name of its own with as',
  ],
  [
    'an alias that is a type already there',
    { evaluators: [check(), { uses: 'tests', as: 'command' }] },
    'duplicate-name',
    'evaluators[1]',
  ],
  [
    'two observers of one name',
    { observability: { observers: [{ uses: 'jsonl' }, { uses: 'jsonl' }] } },
    'duplicate-name',
    'observability.observers[1]',
  ],
  [
    'known failures of a baseline that does not run',
    { evaluators: [check({ knownFailures: 'baseline' })], limits: { baseline: false } },
    'conflict',
    'evaluators[0].knownFailures',
    'list the ids of the tests, or let the baseline run',
  ],
  [
    'timeoutMs twice',
    { evaluators: [check({ timeoutMs: 5, options: { command: 'x', timeoutMs: 5 } })] },
    'conflict',
    'evaluators[0].options.timeoutMs',
    'keep one of the two',
  ],
  [
    'timeoutMs in the options as text',
    { evaluators: [check({ options: { command: 'x', timeoutMs: '5' } })] },
    'wrong-value',
    'evaluators[0].options.timeoutMs',
    'write 5 without the quotes',
  ],
];

const LATER: readonly Bad[] = [
  [
    'held-out files',
    { evaluators: [check({ holdout: [{ from: '../h', to: 'h' }] })] },
    'not-available',
    'evaluators[0].holdout',
  ],
  ['more than one candidate', { candidates: 2 }, 'not-available', 'candidates', 'leave it out, or write 1'],
  [
    'a gate on validated checks',
    { checkValidation: { manifest: 'a.checks.yaml' } },
    'not-available',
    'checkValidation',
  ],
  ['a worktree', { workspace: { mode: 'worktree' } }, 'not-available', 'workspace.mode', 'use copy'],
];

describe('a spec with something wrong in it', () => {
  test.each([...BAD, ...LATER])('%s is an error with code, path and hint', (_, more, code, path, hint) => {
    const parsed = safeParseSpec(small(more));
    if (parsed.ok) throw new Error('it was taken for sound');
    expect(parsed.issues).toHaveLength(1);
    const [issue] = parsed.issues;
    expect({ code: issue?.code, path: showPath(issue?.path ?? []) }).toEqual({ code, path });
    if (hint !== undefined) expect(issue?.hint).toBe(hint);
  });

  test.each(LATER)('%s stops with a code of its own', (_, more) => {
    expect(thrown(() => parseSpec(small(more)))).toMatchObject({ code: 'not-available' });
  });

  test('keys of later versions that ask for nothing are accepted', () => {
    expect(parseSpec(small({ candidates: 1, escalate: [] }))).toEqual(parseSpec(small()));
  });

  test('tells every problem, not only the first', () => {
    const error = thrown(() => parseSpec({ name: 3, limits: { patience: 0, zz: 1 } }));
    expect(error.issues.map((issue) => showPath(issue.path)).sort()).toEqual(
      ['driver', 'evaluators', 'limits.patience', 'limits.zz', 'name', 'requirements'].sort(),
    );
    expect(error.message).toMatch(/\(and 5 more\)$/);
  });

  test.each([[null], [undefined], ['text'], [3], [[]], [new Date()]])('%j is no spec', (value) => {
    expect(thrown(() => parseSpec(value))).toMatchObject({ code: 'bad-spec' });
  });

  test('a value that holds itself is an error and not the end of the stack', () => {
    const endless: Record<string, unknown> = small();
    endless['workspace'] = endless;
    expect(thrown(() => parseSpec(endless)).message).toContain('nested too deeply');
  });

  test('options may hold anything, also what holds itself', () => {
    const client: Record<string, unknown> = {};
    client['self'] = client;
    const { driver } = parseSpec(small({ driver: { uses: 'mine', options: { client } } }));
    expect(driver.options['client']).toBe(client);
  });

  test('is a LoopgenError, so that the command line can show it', () => {
    expect(thrown(() => parseSpec({}))).toBeInstanceOf(LoopgenError);
  });
});

function thrown(run: () => unknown): SpecError {
  try {
    run();
  } catch (error) {
    if (error instanceof SpecError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

test('known failures are the baseline, or ids', () => {
  const known = (knownFailures: unknown, limits = {}) =>
    parseSpec(small({ evaluators: [check({ knownFailures })], limits })).evaluators[0]?.knownFailures;
  expect(known('baseline')).toBe('baseline');
  expect(known(['a.py::b'])).toEqual(['a.py::b']);
  expect(known(['a.py::b'], { baseline: false })).toEqual(['a.py::b']);
  expect(() => known('all')).toThrow(/baseline or a list of test ids/);
  expect(() => known([''])).toThrow();
});
