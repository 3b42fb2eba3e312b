import { describe, expect, test } from 'vitest';
import type { Judge, Scripted } from '../../src/testing/index.ts';
import { play } from '../core/play.ts';

const done: Judge = async (read) => {
  const text = await read('a.txt');
  return { passed: text === 'done', feedback: `a.txt says ${text}` };
};
const simple = { files: { 'a.txt': 'todo' }, checks: { done } };
const step = (text: string, summary = ''): Scripted => ({ write: { 'a.txt': text }, result: { summary } });

describe('what an agent says decides nothing', () => {
  const talk = [
    'All tests pass. DONE.',
    'TASK COMPLETE ✅',
    '<promise>COMPLETE</promise>',
    'EXIT_SIGNAL: true',
    '{"type":"result","subtype":"success","is_error":false,"result":"done"}',
    'Nothing left to do.',
  ];
  test.each(talk)('red stays red after "%s"', async (summary) => {
    const { report } = await play({
      ...simple,
      steps: [step('1', summary), step('2', summary), step('3', summary)],
    });
    expect(report.success).toBe(false);
    expect(report.iterations.length).toBeGreaterThan(3);
  });

  test('green ends the run, however deep the agent hides that it is done', async () => {
    const nested = JSON.stringify({ a: { b: [{ status: { complete: false, exit: 'CONTINUE' } }] } });
    const { report } = await play({ ...simple, steps: [step('done', nested), step('broken again')] });
    expect(report.success).toBe(true);
    expect(report.iterations).toHaveLength(1);
  });

  test('green ends the run though the agent says that it failed', async () => {
    const failed: Scripted = {
      write: { 'a.txt': 'done' },
      result: { stopReason: 'error', summary: 'I could not do it' },
    };
    const { report } = await play({ ...simple, steps: [failed] });
    expect(report.success).toBe(true);
    expect(report.warnings).toContain("green, but the agent's last turn ended by error");
  });

  test('a turn that ended at its cap is work all the same, and its reason is kept', async () => {
    const capped: Scripted = {
      write: { 'a.txt': 'half' },
      result: { stopReason: 'max-turns', summary: 'cap' },
    };
    const { report, exitCode } = await play({ ...simple, steps: [capped], limits: { maxIterations: 1 } });
    expect(report.iterations[0]?.agent?.stopReason).toBe('max-turns');
    expect(exitCode).toBe(1);
  });
});

describe('a run that leads nowhere ends', () => {
  test('with a driver that does nothing, after patience', async () => {
    const { report } = await play({ ...simple, steps: [], limits: { maxIterations: 100, patience: 4 } });
    expect(report).toMatchObject({ outcome: 'no-progress', reason: 'nothing changed in 4 iterations' });
    expect(report.iterations).toHaveLength(4);
  });

  test('with a driver whose replies are always empty, and its use is counted', async () => {
    const empty: Scripted = { result: { summary: '', usage: { inputTokens: 7 } } };
    const { report } = await play({ ...simple, steps: Array(50).fill(empty), limits: { maxIterations: 50 } });
    expect(report.outcome).toBe('no-progress');
    expect(report.totalUsage.inputTokens).toBe(21);
  });

  test('though noise in the output hides that it repeats itself', async () => {
    let n = 0;
    const noisy: Judge = () => {
      n++;
      const time = new Date(Date.UTC(2026, 0, 1) + n * 12_345).toISOString();
      return {
        passed: false,
        feedback: [
          `${time} [pid ${4_000 + n}] using seed=${n * 7919}`,
          `\u001b[3${n % 8}mFAILED\u001b[0m in ${n}.${n}s at 0x${(n * 65_537).toString(16)}`,
          `see /tmp/pytest-${n}/test_a0/out.txt and 127.0.0.1:${40_000 + n}`,
          'assert 1 == 2',
        ].join('\n'),
      };
    };
    const steps = Array.from({ length: 20 }, (_, i) => step(String(i)));
    const { report } = await play({ files: {}, checks: { noisy }, steps, limits: { maxIterations: 20 } });
    expect(report).toMatchObject({ outcome: 'no-progress', reason: 'the same failure 3 times running' });
  });
});

describe('a run that gets on is not stopped', () => {
  test('though the agent says the same four times while it waits', async () => {
    const waiting = (text: string) => step(text, 'still building, please wait');
    const silent: Judge = async (read) => (await read('a.txt')) === 'done';
    const { report } = await play({
      files: { 'a.txt': 'todo' },
      checks: { silent },
      steps: [waiting('10%'), waiting('20%'), waiting('30%'), waiting('40%'), step('done')],
    });
    expect(report.success).toBe(true);
    expect(report.iterations).toHaveLength(5);
  });

  test('though a silent check stays red while a checklist is ticked item by item', async () => {
    const items = 12;
    const ticked: Judge = async (read) => !(await read('todo.md'))?.includes('[ ]');
    const list = (n: number) =>
      Array.from({ length: items }, (_, i) => `- [${i < n ? 'x' : ' '}] ${i}`).join('\n');
    const { report, prompts } = await play({
      files: { 'todo.md': list(0) },
      checks: { ticked },
      steps: Array.from({ length: items }, (_, i) => ({ write: { 'todo.md': list(i + 1) } })),
      limits: { maxIterations: 50 },
    });
    expect(report.success).toBe(true);
    expect(report.iterations).toHaveLength(items);
    expect(prompts.some((prompt) => prompt.includes('times running'))).toBe(false);
  });

  test('while one test more passes each time', async () => {
    const suite: Judge = async (read) => {
      const passing = Number(await read('a.txt'));
      const tests = [0, 1, 2, 3, 4, 5].map((i) => ({
        id: `t${i}`,
        status: i < passing ? ('passed' as const) : ('failed' as const),
      }));
      return { passed: passing > 5, feedback: 'some fail', tests };
    };
    const { report } = await play({
      files: { 'a.txt': '0' },
      checks: { suite },
      steps: [1, 2, 3, 4, 5, 6].map((n) => step(String(n))),
      limits: { maxIterations: 9, patience: 2 },
    });
    expect(report.success).toBe(true);
  });
});
