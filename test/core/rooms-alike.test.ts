import { describe, expect, test } from 'vitest';
import type { Check } from '../../src/core/check.ts';
import { differenceOf } from '../../src/core/rooms-alike.ts';

const red = (feedback: string): Check => ({
  name: 'check',
  type: 'command',
  status: 'fail',
  judgedBy: 'exit-code',
  exitCode: 1,
  feedback,
  caveats: [],
  durationMs: 1,
});

describe('two reds by exit code', () => {
  test('differ where the room says that something is missing', () => {
    expect(differenceOf([red('expected 5')], [red("Could not find '/w/node_modules'")])).toContain(
      "red for another reason (Could not find '/w/node_modules')",
    );
    expect(differenceOf([red('1 failed')], [red('sh: 1: cc: Permission denied')])).toBeDefined();
  });

  test('are alike where both say it, and where they merely differ in words', () => {
    const missing = (dir: string, pid: number) =>
      red(`${pid}: ENOENT: no such file, open '/tmp/${dir}/a.txt'`);
    expect(differenceOf([missing('x1', 12)], [missing('y2', 3456)])).toBeUndefined();
    expect(differenceOf([red('failed in 1.2 s')], [red('failed in 3.4 s, order 2')])).toBeUndefined();
  });
});
