import { describe, expect, test } from 'vitest';
import type { Feedback } from '../../src/core/feedback.ts';
import { advice, oneShotPrompt } from '../../src/drivers/one-shot-prompt.ts';

const feedback = (iteration: number | undefined, repeats: number): Feedback => ({
  ...(iteration !== undefined && { iteration }),
  reason: 'red',
  failing: [],
  passing: [],
  changed: [],
  stat: '',
  diff: '',
  refused: [],
  keptOut: [],
  unconfirmed: false,
  repeats,
});

const code = { type: 'code', target: 'solution.py' } as const;

describe('the advice', () => {
  test('is absent before the first attempt', () => {
    expect(advice(undefined)).toBe('');
    expect(advice(feedback(undefined, 0))).toBe('');
  });

  test('asks for the cause first after a failed attempt', () => {
    expect(advice(feedback(0, 1))).toMatch(/cause of the first failure/);
    expect(advice(feedback(0, 1))).not.toMatch(/another shape/);
  });

  test('asks for another shape once the same failure came twice', () => {
    expect(advice(feedback(1, 2))).toMatch(/cause of the first failure.*2 times running.*another shape/s);
  });
});

describe('the prompt', () => {
  test('holds the task, the files between fences, and the form of the answer last', () => {
    const { text, leftOut } = oneShotPrompt({
      task: 'write it',
      files: [
        { path: 'test_solution.py', content: 'assert True\n' },
        { path: 'empty.py', content: '' },
        { path: 'solution.py', absent: 'does not exist yet' },
      ],
      shape: code,
      fence: 'f00d',
    });
    expect(text).toMatch(
      /^write it\n\n--- file test_solution.py f00d ---\nassert True\n--- end f00d ---\n\nThe file empty.py is empty.\n\nThe file solution.py: does not exist yet.\n\nAnswer with one JSON object/,
    );
    expect(text).toContain('whole new content of solution.py');
    expect(leftOut).toBe(0);
  });

  test('asks for files by path where no target is set', () => {
    const { text } = oneShotPrompt({ task: 't', files: [], shape: { type: 'files' }, fence: 'f' });
    expect(text).toContain('"files": [{"path"');
  });

  test('that is too long loses the middle of the task first, and says how much', () => {
    const task = `requirements first\n${'noise '.repeat(5000)}\nlast line`;
    const file = { path: 'a.py', content: 'print(1)\n'.repeat(50) };
    const { text, leftOut } = oneShotPrompt({ task, files: [file], shape: code, maxChars: 6000, fence: 'f' });
    expect(text.length).toBeLessThan(6300);
    expect(text).toMatch(/^requirements first/);
    expect(text).toMatch(/\[… \d+ characters left out/);
    expect(text).toContain('last line');
    expect(text).toContain(file.content);
    expect(leftOut).toBeGreaterThan(20_000);
  });

  test('that is still too long shares the room among the files, short ones whole', () => {
    const files = [
      { path: 'big.py', content: 'b'.repeat(50_000) },
      { path: 'small.py', content: 's'.repeat(100) },
      { path: 'huge.py', content: 'h'.repeat(90_000) },
    ];
    const { text } = oneShotPrompt({ task: 'short', files, shape: code, maxChars: 9000, fence: 'f' });
    expect(text).toContain('s'.repeat(100));
    expect(text.match(/b{3000}/)).not.toBeNull();
    expect(text.match(/h{3000}/)).not.toBeNull();
    expect(text.length).toBeLessThan(9300);
  });
});
