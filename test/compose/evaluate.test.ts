import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { evaluating, workspaceAsRoom } from '../../src/compose/evaluate.ts';
import type { Check, EvaluationOutcome } from '../../src/core/check.ts';
import type { Evaluator, EvaluatorContext } from '../../src/core/plugin.ts';
import { tempDir } from '../support/temp-dir.ts';

type Run = (context: EvaluatorContext) => Promise<EvaluationOutcome> | EvaluationOutcome;

interface Setup {
  readonly concurrency?: number;
  readonly timeoutMs?: number;
  readonly timeLeftMs?: number;
  readonly signal?: AbortSignal;
  readonly redact?: (text: string) => string;
  readonly told?: (what: string) => void;
}

async function evaluate(
  dir: string,
  checks: Readonly<Record<string, Run>>,
  setup: Setup = {},
): Promise<readonly Check[]> {
  const evaluators = Object.entries(checks).map(([name, run]) => {
    const plugin: Evaluator = { type: 'mine', evaluate: async (context) => run(context) };
    const spec = { uses: 'mine', name, options: {}, guard: [], timeoutMs: setup.timeoutMs ?? 60_000 };
    return { spec, plugin, options: { a: 1 } };
  });
  return await evaluating({
    evaluators,
    concurrency: setup.concurrency ?? 1,
    env: { CI: '1' },
    scratch: join(dir, 'scratch'),
    logs: join(dir, 'logs'),
    signal: setup.signal ?? new AbortController().signal,
    redact: (value) => (setup.redact ? JSON.parse(setup.redact(JSON.stringify(value))) : value),
  })({
    phase: 'iteration',
    room: workspaceAsRoom(dir),
    ...(setup.timeLeftMs !== undefined && { timeLeftMs: setup.timeLeftMs }),
    started: (name) => setup.told?.(`start ${name}`),
    finished: (check) => setup.told?.(`end ${check.name}`),
  });
}

const pass: EvaluationOutcome = { passed: true, feedback: '' };

describe('a check', () => {
  test('gets its options, its clock, its place, and a scratch folder that is gone afterwards', async () => {
    await using dir = await tempDir();
    let seen: EvaluatorContext | undefined;
    let there = false;
    await evaluate(
      dir.path,
      {
        'unit tests/1': (context) => {
          seen = context;
          there = existsSync(context.scratch);
          writeFileSync(join(context.scratch, 'report.xml'), 'x');
          return pass;
        },
      },
      { timeoutMs: 1_234 },
    );
    expect(seen).toMatchObject({
      name: 'unit tests/1',
      options: { a: 1 },
      timeoutMs: 1_234,
      workdir: dir.path,
      env: { CI: '1' },
    });
    expect(seen?.logFile).toBe(join(dir.path, 'logs', '00-iteration-unit_tests_1.log'));
    expect(there).toBe(true);
    expect(readdirSync(join(dir.path, 'scratch'))).toEqual([]);
  });

  test('is told of when it begins and when it ends', async () => {
    await using dir = await tempDir();
    const told: string[] = [];
    await evaluate(dir.path, { a: () => pass, b: () => pass }, { told: (what) => told.push(what) });
    expect(told).toEqual(['start a', 'end a', 'start b', 'end b']);
  });

  test('runs beside as many others as asked, with results in the order of the spec', async () => {
    await using dir = await tempDir();
    let open = 0;
    let most = 0;
    let release = () => {};
    const both = new Promise<void>((resolve) => {
      release = resolve;
    });
    const wait: Run = async () => {
      most = Math.max(most, ++open);
      if (open === 2) release();
      await both;
      return pass;
    };
    const checks = await evaluate(dir.path, { a: wait, b: wait }, { concurrency: 2 });
    expect(checks.map((check) => check.name)).toEqual(['a', 'b']);
    expect(most).toBe(2);
  });

  test('holds no known secret', async () => {
    await using dir = await tempDir();
    const redact = (text: string) => text.replaceAll('hunter2', '***');
    const [check] = await evaluate(
      dir.path,
      { a: () => ({ passed: false, feedback: 'pw hunter2' }) },
      { redact },
    );
    expect(check?.feedback).toBe('pw ***');
  });
});

describe('an evaluator cannot break the run', () => {
  const table: [string, Run, string][] = [
    ['by a throw', () => Promise.reject(new Error('bang')), 'evaluator "mine" failed: bang'],
    [
      'by returning nothing',
      () => undefined as unknown as EvaluationOutcome,
      'it returned no {passed, feedback}',
    ],
    ['by returning true', () => true as unknown as EvaluationOutcome, 'it returned no {passed, feedback}'],
    [
      'by another shape',
      () => ({ ok: true }) as unknown as EvaluationOutcome,
      'it returned no {passed, feedback}',
    ],
    [
      'by tests that are none',
      () => ({ passed: true, feedback: '', tests: [null] }) as unknown as EvaluationOutcome,
      'evaluator "mine" failed',
    ],
  ];
  test.each(table)('%s', async (_, run, message) => {
    await using dir = await tempDir();
    const [check, next] = await evaluate(dir.path, { a: run, b: () => pass });
    expect(check).toMatchObject({
      status: 'unusable',
      cause: 'crash',
      feedback: expect.stringContaining(message),
    });
    expect(next?.status).toBe('pass');
  });
});

describe('a check that does not come back', () => {
  const hang: Run = () => new Promise(() => {});

  test('is given up a grace after its own clock ran out', async () => {
    await using dir = await tempDir();
    const [check] = await evaluate(dir.path, { a: hang }, { timeoutMs: 10 });
    expect(check).toMatchObject({ status: 'unusable', cause: 'timeout' });
    expect(check?.durationMs).toBeLessThan(8_000);
  });

  test('is told of the user stopping the run, and given up a grace later', async () => {
    await using dir = await tempDir();
    const stop = new AbortController();
    let reason: unknown;
    const [check] = await evaluate(
      dir.path,
      {
        a: (context) => {
          context.signal.addEventListener('abort', () => {
            reason = context.signal.reason;
          });
          setTimeout(() => stop.abort('user'), 5);
          return new Promise(() => {});
        },
      },
      { signal: stop.signal },
    );
    expect(reason).toBe('user');
    expect(check).toMatchObject({ status: 'unusable', cause: 'aborted' });
  });

  test('is told when the time of the run is up', async () => {
    await using dir = await tempDir();
    const [check] = await evaluate(
      dir.path,
      {
        a: (context) =>
          new Promise((resolve) => {
            context.signal.addEventListener('abort', () =>
              resolve({
                passed: false,
                ok: false,
                cause: 'aborted',
                feedback: String(context.signal.reason),
              }),
            );
          }),
      },
      { timeLeftMs: 300 },
    );
    expect(check).toMatchObject({ status: 'unusable', cause: 'aborted', feedback: 'timed-out' });
  });
});
