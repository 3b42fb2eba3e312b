import { describe, expect, test } from 'vitest';
import type { Limits } from '../../src/core/spec.ts';
import { play } from './play.ts';

const CLOCK = { path: 'a.txt', line: 1, name: 'patched-clock', because: 'it replaces the clock' };

/** Green from the first turn on; the patch holds something until the second. */
async function run(limits: Partial<Limits>) {
  let reads = 0;
  let rounds = 0;
  const played = await play({
    checks: { judge: () => ({ passed: rounds++ > 0, feedback: '' }) },
    limits,
    steps: ['1', '2', '3'].map((text) => ({ write: { 'a.txt': text } })),
    ports: { suspicions: () => (reads++ === 0 ? [CLOCK] : []) },
  });
  return { ...played, reads: () => reads };
}

describe('what a patch holds that can make a judge blind', () => {
  test.each(['room', 'off'] as const)('is a caveat under warn (confirm: %s)', async (confirm) => {
    const { report, reads } = await run({ confirm });
    expect(report.success).toBe(true);
    expect(report.iterations).toHaveLength(1);
    expect(reads()).toBe(1);
    expect(report.warnings).toContain('in the patch, a.txt:1: it replaces the clock');
    expect(report.trust.notShown).toContain('a patch free of constructs that blind a judge (a.txt:1)');
  });

  test.each(['room', 'off'] as const)(
    'takes the green back under error, and the agent is told (confirm: %s)',
    async (confirm) => {
      const { report, prompts } = await run({ confirm, suspicion: 'error' });
      expect(report.iterations.map((it) => it.satisfied)).toEqual([false, true]);
      expect(prompts[1]).toContain('a.txt:1: it replaces the clock');
      expect(report.success).toBe(true);
      expect(report.warnings.join()).not.toContain('in the patch');
    },
  );

  test('ends a run that leaves it there unconfirmed, with the reason', async () => {
    const { report } = await run({ suspicion: 'error', maxIterations: 1 });
    expect(report.outcome).toBe('unconfirmed');
    expect(report.reason).toContain('limits.suspicion: error');
  });

  test('is not looked for under off', async () => {
    const { report, reads } = await run({ suspicion: 'off' });
    expect([report.success, reads()]).toEqual([true, 0]);
    expect(report.trust.notShown).toContain('a patch free of constructs that blind a judge');
  });

  test('is not looked for while the checks are red', async () => {
    let reads = 0;
    const { report } = await play({
      checks: { judge: () => false },
      limits: { maxIterations: 2 },
      steps: [{ write: { 'a.txt': '1' } }, { write: { 'a.txt': '2' } }],
      ports: {
        suspicions: () => {
          reads++;
          return [];
        },
      },
    });
    expect([report.success, reads]).toEqual([false, 0]);
  });
});
