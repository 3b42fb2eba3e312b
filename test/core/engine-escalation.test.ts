import { describe, expect, test } from 'vitest';
import type { AgentResult } from '../../src/core/event.ts';
import type { Judge, Scripted } from '../../src/testing/index.ts';
import type { MemoryRun, MemoryRung } from '../support/memory-run.ts';
import { outcomeOf, play } from './play.ts';

/** Green once `a.txt` says `done`; until then one failure, whatever else is there. */
const done: Judge = async (read) => {
  const text = await read('a.txt');
  return { passed: text === 'done', feedback: 'a.txt does not say done' };
};
const write = (text: string, result: Partial<AgentResult> = {}): Scripted => ({
  write: { 'a.txt': text },
  result,
});
const gaveUp: Scripted = { result: { stopReason: 'gave-up', summary: 'too hard' } };
const broken: Scripted = { result: { stopReason: 'error', summary: 'no log-in' } };
const spinning = [write('1'), write('2'), write('3')];
const rung = (
  name: string,
  after: MemoryRung['after'],
  steps: readonly Scripted[],
  more: Partial<MemoryRung> = {},
): MemoryRung => ({ name, after, steps, ...more });
const strong = rung('strong', ['no-progress', 'gave-up', 'driver-failed'], [write('done')]);
const simple = { files: { 'a.txt': 'todo' }, checks: { done }, limits: { maxIterations: 20 } };
const run = (more: Partial<MemoryRun> & Pick<MemoryRun, 'steps'>) => play({ ...simple, ...more });

describe('the next driver takes over', () => {
  test.each([
    ['no-progress', spinning, 3, 'the same failure 3 times running'],
    ['gave-up', [gaveUp], 1, 'the agent gave up: too hard'],
    ['driver-failed', [broken, broken, broken], 3, 'the agent could not be run, 3 turns running: no log-in'],
  ] as const)('where the run would end %s', async (because, steps, iteration, reason) => {
    const ladder = [{ ...strong, after: [because] }];
    const { report } = await run({ steps, ladder });
    expect(report.outcome).toBe('success');
    expect(report.iterations.map(({ driver }) => driver)).toEqual([
      ...Array.from({ length: iteration }, () => 'scripted'),
      'strong',
    ]);
    expect(report.escalations).toEqual([
      {
        iteration,
        rung: 0,
        from: 'scripted',
        to: 'strong',
        because,
        reason,
        before: { checks: 1 },
        after: { checks: 0 },
      },
    ]);
    // The control: without a ladder that is how it ends.
    expect((await run({ steps })).report).toMatchObject({ outcome: because, escalations: [] });
  });

  test('only for the ends that it names', async () => {
    const { report } = await run({ steps: [gaveUp], ladder: [{ ...strong, after: ['no-progress'] }] });
    expect(report).toMatchObject({ outcome: 'gave-up', escalations: [] });
  });

  test('and those that do not name the end are passed over for good', async () => {
    const ladder = [
      rung('other', ['driver-failed'], [write('done')]),
      rung('second', ['gave-up'], [broken, broken, broken]),
    ];
    const { report } = await run({ steps: [gaveUp], ladder });
    expect(report.outcome).toBe('driver-failed');
    expect(report.escalations.map(({ to, rung: at }) => [to, at])).toEqual([['second', 1]]);
  });

  test('rung after rung, and the last one ends the run as it would without a ladder', async () => {
    const ladder = [rung('second', ['gave-up'], [gaveUp]), rung('third', ['gave-up'], [write('x'), gaveUp])];
    const { report } = await run({ steps: [gaveUp], ladder });
    expect(report.outcome).toBe('gave-up');
    expect(report.iterations.map(({ driver }) => driver)).toEqual(['scripted', 'second', 'third', 'third']);
    expect(report.escalations.map(({ from, to, iteration }) => [from, to, iteration])).toEqual([
      ['scripted', 'second', 1],
      ['second', 'third', 2],
    ]);
  });

  test('where the run is stuck after a green that did not come again', async () => {
    let calls = 0;
    const once: Judge = async (read) => {
      const green = (await read('a.txt')) === 'done';
      return { passed: green || ++calls === 2, feedback: 'no' };
    };
    const steps = [write('0'), ...spinning];
    const limits = { confirm: 'rerun' as const, maxIterations: 20 };
    const stuck = { steps, checks: { once }, limits };
    expect((await run(stuck)).report.outcome).toBe('unconfirmed');
    calls = 0;
    const { report } = await run({ ...stuck, ladder: [{ ...strong, after: ['no-progress'] }] });
    expect(report.outcome).toBe('success');
    expect(report.escalations).toMatchObject([{ because: 'no-progress' }]);
  });
});

describe('what began before goes on', () => {
  test('iterations: the last one that is allowed is no reason to climb', async () => {
    const limits = { maxIterations: 3 };
    const { report } = await run({ steps: spinning, ladder: [strong], limits });
    expect(report).toMatchObject({ outcome: 'no-progress', escalations: [] });
  });

  test('iterations: those of all drivers count together', async () => {
    const ladder = [{ ...strong, steps: [write('a'), write('b'), write('c')] }];
    const played = await run({ steps: [gaveUp], ladder, limits: { maxIterations: 3 } });
    expect(outcomeOf(played)).toEqual({ kind: 'max-iterations', limit: 3 });
    expect(played.report.iterations).toHaveLength(3);
  });

  test('cost', async () => {
    const paid = (costUsd: number) => ({ usage: { costUsd, inputTokens: 1, outputTokens: 1 } });
    const steps = [write('x', { ...paid(1.5), stopReason: 'gave-up' })];
    const ladder = [{ ...strong, steps: [write('y', paid(1))] }];
    const played = await run({ steps, ladder, limits: { maxIterations: 9, maxCostUsd: 2 } });
    expect(outcomeOf(played)).toMatchObject({ kind: 'budget-exceeded', resource: 'cost', used: 2.5 });
    const spent = await run({ steps, ladder, limits: { maxIterations: 9, maxCostUsd: 1 } });
    expect(spent.report).toMatchObject({ outcome: 'gave-up', escalations: [] });
  });

  test('a driver whose use nobody knows ends the run in its own turn', async () => {
    const ladder = [{ ...strong, steps: [write('y', { usage: {} })] }];
    const played = await run({ steps: [gaveUp], ladder, limits: { maxIterations: 9, maxCostUsd: 2 } });
    expect(outcomeOf(played)).toEqual({ kind: 'budget-exceeded', resource: 'cost', limit: 2 });
    expect(played.report.iterations).toHaveLength(2);
  });
});

describe('what is counted for a driver begins anew', () => {
  test('the same failure', async () => {
    const ladder = [{ ...strong, steps: [write('4'), write('5'), write('done')] }];
    expect((await run({ steps: spinning, ladder })).report.outcome).toBe('success');
  });

  test('and it ends by its own three', async () => {
    const ladder = [{ ...strong, steps: [write('4'), write('5'), write('6'), write('done')] }];
    const played = await run({ steps: spinning, ladder });
    expect(outcomeOf(played)).toEqual({ kind: 'no-progress', cause: 'same-failure', times: 3 });
    expect(played.report.iterations).toHaveLength(6);
  });

  test('files that stand as it found them', async () => {
    const quiet: Judge = async (read) => (await read('a.txt')) === 'done';
    const found = { checks: { quiet }, steps: [write('1'), gaveUp] };
    const twice = await run({ ...found, ladder: [{ ...strong, steps: [{}, {}, write('done')] }] });
    expect(twice.report.outcome).toBe('success');
    const thrice = await run({ ...found, ladder: [{ ...strong, steps: [] }] });
    expect(outcomeOf(thrice)).toEqual({ kind: 'no-progress', cause: 'nothing-changed', times: 3 });
    expect(thrice.report.iterations).toHaveLength(5);
  });

  test('turns that could not be run', async () => {
    const ladder = [{ ...strong, steps: [broken, broken, write('done')] }];
    expect((await run({ steps: [broken, broken, broken], ladder })).report.outcome).toBe('success');
  });
});

test('the policy on what is undone is that of the driver in turn', async () => {
  const count: Judge = async (read) => {
    const passing = Number(await read('a.txt'));
    const tests = [0, 1, 2].map((at) => ({
      id: `t${at}`,
      status: at < passing ? ('passed' as const) : ('failed' as const),
    }));
    return { passed: passing === 3, feedback: 'see tests', tests };
  };
  const worse = { files: { 'a.txt': '2' }, checks: { count } };
  const careless = await run({
    ...worse,
    steps: [write('1'), gaveUp],
    ladder: [{ ...strong, steps: [write('0'), write('3')] }],
  });
  expect(careless.report.iterations.map(({ reverted }) => reverted)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  const careful = await run({
    ...worse,
    steps: [write('1'), gaveUp],
    ladder: [{ ...strong, revert: 'regression', steps: [write('0'), write('3')] }],
  });
  expect(careful.report.iterations.map(({ reverted }) => reverted)).toEqual([
    undefined,
    undefined,
    'regression',
    undefined,
  ]);
  expect(careful.report.escalations).toMatchObject([
    { before: { checks: 1, tests: 2 }, after: { checks: 0, tests: 0 } },
  ]);
});

describe('the driver that takes over', () => {
  const remembering = (text: string, summary: string) => write(text, { summary, sessionId: 'its-own' });

  test('is given the whole task, what was tried, and what fails now, as a thing of others', async () => {
    const steps = [write('1', { summary: 'wrote one' }), write('2', { summary: 'wrote two' }), gaveUp];
    const { prompts } = await run({ steps, ladder: [strong] });
    const prompt = prompts.at(-1) ?? '';
    expect(prompt).toMatch(/^begin\n/);
    expect(prompt).toContain('Others worked on this before you');
    expect(prompt).toContain('scripted, 3 iterations; stopped: the agent gave up: too hard');
    expect(prompt).toContain('- iteration 1: changed a.txt');
    expect(prompt).toContain('it said: wrote two');
    expect(prompt).toContain('a.txt does not say done');
    expect(prompt).toContain('The last turn of the one before you changed nothing in the workspace.');
    expect(prompt).not.toMatch(/your last turn|times running\. What you tried/i);
  });

  test('is told what its own turns did from then on', async () => {
    const ladder = [{ ...strong, steps: [write('4', { summary: 'mine' }), write('done')] }];
    const { prompts } = await run({ steps: [gaveUp], ladder });
    const prompt = prompts.at(-1) ?? '';
    expect(prompt).toMatch(/^go on\n/);
    expect(prompt).toContain('Others worked on this before you');
    expect(prompt).toContain('What you said at the end of your last turn:');
    expect(prompt).toContain('What your last turn changed:');
  });

  test('which remembers is not told again what was tried before it', async () => {
    const ladder = [{ ...strong, steps: [remembering('4', 'mine'), write('done')] }];
    const { prompts } = await run({ steps: [gaveUp], ladder });
    expect(prompts.at(-2)).toContain('Others worked on this before you');
    expect(prompts.at(-1)).not.toContain('Others worked on this before you');
  });

  test.each(['resume', 'fresh'] as const)('has a session of its own (%s)', async (session) => {
    const seen: (string | undefined)[] = [];
    const notes =
      (step: Scripted): Scripted =>
      async (turn) => {
        seen.push(turn.sessionId);
        return typeof step === 'function' ? await step(turn) : step;
      };
    const base: Partial<AgentResult> = { sessionId: 'of-the-first' };
    const steps = [notes(write('1', base)), notes({ result: { ...base, stopReason: 'gave-up' } })];
    const ladder = [{ ...strong, session, steps: [notes(remembering('3', 'a')), notes(write('done'))] }];
    expect((await run({ steps, ladder })).report.outcome).toBe('success');
    expect(seen).toEqual([
      undefined,
      'of-the-first',
      undefined,
      session === 'resume' ? 'its-own' : undefined,
    ]);
  });
});

test('no other end of a run leads up the ladder', async () => {
  const all = { ladder: [strong] };
  const aborted = new AbortController();
  const stops: Scripted = () => {
    aborted.abort('user');
    return { write: { 'a.txt': 'x' } };
  };
  expect((await run({ ...all, steps: [stops], signal: aborted.signal })).report.outcome).toBe('aborted');
  const vacuous = await run({ ...all, steps: [], files: { 'a.txt': 'done' } });
  expect(vacuous.report).toMatchObject({ outcome: 'baseline-vacuous', escalations: [] });
});

test('a policy of the user’s that ends the run whoever works is obeyed', async () => {
  const { report } = await run({
    steps: [gaveUp],
    ladder: [strong],
    policy: ({ iterations }) => (iterations.length > 0 ? { kind: 'gave-up', summary: 'enough' } : undefined),
  });
  expect(report).toMatchObject({ outcome: 'gave-up', reason: 'the agent gave up: enough', escalations: [] });
});
