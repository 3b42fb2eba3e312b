import { describe, expect, test } from 'vitest';
import type { GuardRule, Reaction } from '../../src/core/guard.ts';
import type { Limits } from '../../src/core/spec.ts';
import type { Judge, Scripted } from '../../src/testing/index.ts';
import { memoryWorkspace } from '../../src/testing/index.ts';
import { play } from './play.ts';

/** A check that is worth as much as its script: whoever rewrites `judge.txt` decides what is green. */
const gullible: Judge = async (read) => {
  const wanted = await read('judge.txt');
  return { passed: (await read('a.txt')) === wanted, feedback: `wanted ${wanted}` };
};
const files = { 'a.txt': 'todo', 'judge.txt': 'done' };
const cheat: Scripted = { write: { 'judge.txt': 'todo' } };
const honest: Scripted = { write: { 'a.txt': 'done' } };

const rules = (reaction: Reaction, name: GuardRule['name'] = 'evaluator'): GuardRule[] => [
  {
    name,
    reaction,
    because: 'the check rests on it',
    paths: ['judge.txt'],
    matches: (path) => path === 'judge.txt',
  },
];
const run = (reaction: Reaction, steps: readonly Scripted[], more: object = {}) =>
  play({ files, checks: { gullible }, rules: rules(reaction), steps, ...more });

describe('an agent that edits what judges it', () => {
  test('succeeds where no rule guards it: the control', async () => {
    const { report } = await run('off', [cheat]);
    expect(report.success).toBe(true);
    expect(report.iterations[0]?.refused).toEqual([]);
  });

  test('succeeds with a caveat under warn, and the edit stands', async () => {
    const { report, workspace } = await run('warn', [cheat]);
    expect(report.success).toBe(true);
    expect(workspace.files.get('judge.txt')).toBe('todo');
    expect(report.warnings).toContain('the agent edited what judges the work: judge.txt');
    expect(report.trust.notShown).toContain('the judge as it was');
  });

  test('gains nothing under revert: the edit is put back, kept, and told', async () => {
    const { report, workspace, prompts } = await run('revert', [cheat, honest]);
    expect(report.iterations[0]).toMatchObject({
      satisfied: false,
      refused: [{ path: 'judge.txt', putBack: true }],
    });
    expect(report.iterations[0]?.changedFiles).toEqual([]);
    expect(workspace.files.get('judge.txt')).toBe('done');
    expect(workspace.patches.get('/records/refused-01.patch')).toContain('+todo');
    expect(prompts[1]).toContain('"judge.txt" was put back: the check rests on it');
    expect(report.success).toBe(true);
    expect(report.warnings).toContain('1 edit of what judges the work was refused');
  });

  test('may be green in the very iteration that tried it, under revert', async () => {
    const both = { write: { 'a.txt': 'done', 'judge.txt': 'todo' } };
    expect((await run('revert', [both])).report.success).toBe(true);
  });

  test('ends the run under error, when that iteration is green', async () => {
    const both = { write: { 'a.txt': 'done', 'judge.txt': 'todo' } };
    const { report, exitCode, workspace } = await run('error', [both]);
    expect(report).toMatchObject({ outcome: 'evaluator-tampered', success: false });
    expect(report.iterations[0]?.satisfied).toBe(false);
    expect(exitCode).toBe(4);
    expect(workspace.files.get('judge.txt')).toBe('done');
  });

  test('goes on under error while red, and a later clean green is a success', async () => {
    const { report } = await run('error', [cheat, honest]);
    expect(report.iterations.map((it) => it.refused.length)).toEqual([1, 0]);
    expect(report.success).toBe(true);
  });

  test.each(['remove', 'replace'] as const)('does not get away with it by %s', async (how) => {
    const step: Scripted = how === 'remove' ? { remove: ['judge.txt'] } : { write: { 'judge.txt': '' } };
    const { report, workspace } = await run('revert', [step]);
    expect(workspace.files.get('judge.txt')).toBe('done');
    expect(report.success).toBe(false);
  });

  test('is told by the name of the spec where that was edited', async () => {
    const both = { write: { 'a.txt': 'done', 'judge.txt': 'x' } };
    const { report } = await play({
      files,
      checks: { gullible },
      rules: rules('error', 'spec'),
      steps: [both],
    });
    expect(report.outcome).toBe('spec-tampered');
  });
});

describe('a proposer that writes through the engine', () => {
  test('has its edit refused before it is written', async () => {
    const seen: string[] = [];
    const spy: Judge = async (read, context) => {
      seen.push((await read('judge.txt')) ?? '');
      return await gullible(read, context);
    };
    const { report } = await play({
      files,
      kind: 'one-shot',
      checks: { spy },
      rules: rules('revert'),
      steps: [cheat, honest],
    });
    expect(new Set(seen)).toEqual(new Set(['done']));
    expect(report.iterations.map((it) => it.refused.length)).toEqual([1, 0]);
    expect(report.success).toBe(true);
  });

  test('succeeds with the same cheat where no rule guards it: the control', async () => {
    const { report } = await play({
      files,
      kind: 'one-shot',
      checks: { gullible },
      rules: rules('off'),
      steps: [cheat],
    });
    expect(report.success).toBe(true);
  });
});

describe('code under test that edits the judge while the checks run', () => {
  /** The check runs the agent's code, which rewrites the judge for the next time. */
  function trap(reaction: Reaction, limits: Partial<Limits> = {}) {
    const workspace = memoryWorkspace({ ...files, 'code.txt': '' });
    const checks: Record<string, Judge> = {
      gullible: async (read, context) => {
        const verdict = await gullible(read, context);
        if ((await read('code.txt')) === 'evil') workspace.files.set('judge.txt', 'todo');
        return verdict;
      },
    };
    const steps: Scripted[] = [{ write: { 'code.txt': 'evil' } }, { write: { 'code.txt': 'evil 2' } }];
    return play({
      workspace,
      checks,
      rules: rules(reaction),
      steps,
      limits: { maxIterations: 2, ...limits },
    });
  }

  test('succeeds where no rule guards it: the control', async () => {
    expect((await trap('off')).report.success).toBe(true);
  });

  test.each(['error', 'revert'] as const)(
    'is put back under %s before the next round, and nobody is blamed',
    async (reaction) => {
      const { report, workspace } = await trap(reaction);
      expect(report.success).toBe(false);
      expect(workspace.files.get('judge.txt')).toBe('done');
      expect(report.iterations.flatMap((it) => it.refused)).toEqual([]);
      expect(report.warnings[0]).toMatch(/^judge\.txt changed while the checks ran and was put back/);
    },
  );

  test('is put back before a green is tried again', async () => {
    const workspace = memoryWorkspace({ ...files, 'code.txt': '' });
    let rounds = 0;
    const fickle: Judge = async (read) => {
      const green = ++rounds === 2 || (await read('judge.txt')) === 'bent';
      if ((await read('code.txt')) === 'evil') workspace.files.set('judge.txt', 'bent');
      return { passed: green, feedback: `round ${rounds}` };
    };
    const { report } = await play({
      workspace,
      checks: { fickle },
      rules: rules('error'),
      steps: [{ write: { 'code.txt': 'evil' } }],
      limits: { maxIterations: 1 },
    });
    expect(report.iterations[0]?.confirmation?.satisfied).toBe(false);
    expect(report.outcome).toBe('unconfirmed');
  });
});
