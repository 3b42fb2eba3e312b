import { describe, expect, test } from 'vitest';
import type { TaskType } from '../../src/core/plugin.ts';
import { promptOf } from '../../src/core/prompt.ts';
import { specOf } from '../support/spec.ts';
import { red } from './checks.ts';
import { historyOf } from './histories.ts';

const task: TaskType = {
  type: 'plain',
  system: () => 'who you are',
  initial: (spec) => `first: ${spec.requirements}`,
  iteration: () => 'go on',
};
const before = [red('c', 'expected 1')];

describe('the prompt', () => {
  test('begins with the task, and has what the baseline found', () => {
    const { system, prompt } = promptOf(specOf(), task, historyOf([], { before }), 'f');
    expect(system).toBe('who you are');
    expect(prompt).toMatch(/^first: Do it\.\n\nBefore any work: not done yet/);
    expect(prompt).toContain('expected 1');
  });

  test('is the task alone where nothing was judged', () => {
    expect(promptOf(specOf(), task, historyOf([]), 'f').prompt).toBe('first: Do it.');
  });

  test('goes on with the last words of the agent, fenced, and the feedback', () => {
    const history = historyOf([{ checks: before, agent: { summary: 'I tried x' } }], { before });
    const { prompt } = promptOf(specOf(), task, history, 'f');
    expect(prompt).toMatch(/^go on\n\n/);
    expect(prompt).toContain('--- summary f ---\nI tried x\n--- end f ---');
    expect(prompt).toContain('After iteration 1: not done yet (c fails)');
  });

  test('takes the texts of the spec in place of the generated ones', () => {
    const spec = specOf({ prompts: { system: 'S', initial: 'I', iteration: 'N' } });
    expect(promptOf(spec, task, historyOf([]), 'f')).toEqual({ system: 'S', prompt: 'I' });
    const later = promptOf(spec, task, historyOf([{ checks: before }]), 'f');
    expect(later.prompt).toMatch(/^N\n\n/);
  });

  test('keeps only the beginning of a long last word', () => {
    const history = historyOf([{ checks: before, agent: { summary: 'w'.repeat(50_000) } }]);
    expect(promptOf(specOf(), task, history, 'f').prompt.length).toBeLessThan(3_000);
  });
});
