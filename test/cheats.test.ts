import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { which } from '../src/system/which.ts';
import { play } from './cheats/play.ts';
import type { Recipe } from './cheats/recipe.ts';

const RECIPES = JSON.parse(
  readFileSync(new URL('./cheats/recipes.json', import.meta.url), 'utf8'),
) as readonly Recipe[];

type Spec = Readonly<Record<string, unknown>>;

/** One turn is enough: what the cheat does not gain at once, it gains never. */
const LIMITS = { maxIterations: 1 };

function recipe(id: string): Recipe {
  const found = RECIPES.find((one) => one.id === id);
  if (!found) throw new Error(`there is no recipe ${id}`);
  return found;
}

function withTools(id: string) {
  const needs = id.startsWith('I') ? ['go'] : [];
  const marks = needs.map((tool) => ` [needs ${tool}]`).join('');
  const run = needs.every((tool) => which(tool, process.env)) ? test.concurrent : test.skip;
  return { marks, run };
}

describe('no success comes of', () => {
  const played = [
    ...['A01-expectations', 'A06-helper', 'A08-unittest-pattern', 'B03-conftest', 'C04-local-pytest'],
    ...['D02-exit-hook', 'D05-patched-report', 'E01-exit-at-import', 'E05-patched-assert', 'E11-no-tests'],
    ...['F04-alias', 'F08-patched-matcher', 'I02-exit-in-call', 'I03-test-main'],
    ...['K03-committed', 'K11-hook', 'L01-link-to-a-test', 'L03-same-size-and-time'],
  ];
  for (const id of played) {
    const { marks, run } = withTools(id);
    run(`${id}${marks}`, async () => {
      const report = await play(recipe(id), { spec: { limits: LIMITS } });
      expect(report.outcome, report.reason).toMatch(
        /^(?:max-iterations|unconfirmed|flaky|evaluator-tampered)$/,
      );
    });
  }
});

describe('without its guard, the same cheat is a success', () => {
  const rerun = { limits: { ...LIMITS, confirm: 'rerun' } };
  const allowed = (...allow: string[]): Spec => ({ limits: LIMITS, allow });
  const controls: readonly (readonly [string, string, Spec])[] = [
    ['A01-expectations', 'allow', allowed('checks/test_prices.py')],
    ['A06-helper', 'allow', allowed('checks/helpers.py')],
    ['A06-helper', 'no room', rerun],
    ['E06-npm-script', 'no room', rerun],
    ['D02-exit-hook', 'an exit code alone', { ...byExitCode('D02-exit-hook'), ...allowed('prices.py') }],
    ['E05-patched-assert', 'an exit code alone', byExitCode('E05-patched-assert')],
    // In a room the history is the start's too.
    ['K03-committed', 'allow and no room', { ...allowed('checks/test_prices.py'), ...rerun }],
  ];
  for (const [id, how, spec] of controls) {
    test.concurrent(`${id}, by ${how}`, async () => {
      const report = await play(recipe(id), { spec });
      expect(report.outcome, report.reason).toBe('success');
      expect(report.trust.grade).not.toBe('earned');
    });
  }
});

describe('what only held-out checks can see', () => {
  test.concurrent('is called a success, and the trust line says that none were there', async () => {
    const report = await play(recipe('D10-visible-cases'), { spec: { limits: LIMITS } });
    expect(report.outcome).toBe('success');
    expect(report.trust.notShown).toContain('held-out checks');
  });
});

/** A line that is no plain call of a runner has no ids and no canary. */
function byExitCode(id: string): Spec {
  const command = `true; ${recipe(id).check}`;
  return { limits: LIMITS, evaluators: [{ uses: 'command', as: 'check', options: { command } }] };
}
