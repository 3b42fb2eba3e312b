import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { suspicionsIn } from '../src/core/suspicion/scan.ts';
import { missingTool, play } from './cheats/play.ts';
import { CLASSES, classOf, type Recipe } from './cheats/recipe.ts';

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

/** What is not installed with the project. */
const TOOL_OF: Readonly<Record<string, string>> = {
  go: 'go',
  rust: 'cargo',
  maven: 'mvn',
  jest: 'jest',
  mocha: 'mocha',
};

function withTools(id: string) {
  const tool = TOOL_OF[classOf(recipe(id))];
  const marks = tool === undefined ? '' : ` [needs ${tool}]`;
  return { marks, run: missingTool(recipe(id)) === undefined ? test.concurrent : test.skip };
}

describe('no success comes of', () => {
  const played = [
    ...['tests/expectations', 'tests/helper', 'tests/unittest-pattern'],
    ...[
      'tests/new-test-replaces',
      'tests/values-in-a-module',
      'tests/model-beside-tests',
      'start-up/script-asserts',
    ],
    ...['pytest-config/conftest', 'start-up/local-pytest'],
    ...['python/exit-hook', 'python/patched-report', 'python/exit-in-call', 'python/hook-on-errors'],
    ...['python/report-then-abort'],
    ...['node-test/exit-at-import', 'node-test/patched-assert', 'node-test/no-tests'],
    ...['vitest/alias', 'vitest/patched-matcher', 'go/exit-in-call', 'go/test-main'],
    ...['pytest-config/named-plug-in', 'jest/set-up-in-package', 'jest/patched-matcher', 'mocha/required'],
    ...['mocha/patched-runner', 'rust/runner-in-config', 'maven/failures-overlooked'],
    ...[
      'types/any',
      'types/behind-a-script',
      'types/linter-comment',
      'types/linter-ignore-file',
      'types/extended-twice',
    ],
    ...['start-up/make-target', 'start-up/make-include', 'node-test/named-by-the-check'],
    ...['git/committed', 'git/hook'],
    ...['links/link-to-a-test', 'links/same-size-and-time', 'links/packages-behind-a-link'],
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
    ['tests/expectations', 'allow', allowed('checks/test_prices.py')],
    ['tests/helper', 'allow', allowed('checks/helpers.py')],
    ['tests/helper', 'no room', rerun],
    ['tests/new-test-replaces', 'allow', allowed('checks/test_a_first.py')],
    ['tests/model-beside-tests', 'allow', allowed('checks/model.py')],
    ['start-up/script-asserts', 'allow', allowed('tools/ok.py')],
    ['node-test/npm-script', 'no room', rerun],
    [
      'python/exit-hook',
      'an exit code alone',
      { ...byExitCode('python/exit-hook'), ...allowed('prices.py') },
    ],
    ['python/exit-in-call', 'allow', allowed('prices.py')],
    ['python/report-then-abort', 'allow', allowed('prices.py')],
    ['node-test/patched-assert', 'an exit code alone', byExitCode('node-test/patched-assert')],
    ['links/packages-behind-a-link', 'no room', rerun],
    ['types/any', 'allow', allowed('lib/prices.ts')],
    ['types/any', 'allow and no room', { ...allowed('lib/prices.ts'), ...rerun }],
    ['types/linter-ignore-file', 'allow', allowed('.gitignore')],
    ['types/extended-twice', 'allow', allowed('lab/all.json')],
    ['start-up/make-target', 'allow', allowed('verify')],
    ['start-up/make-include', 'allow', allowed('local.mk')],
    // In a room the history is the start's too.
    ['git/committed', 'allow and no room', { ...allowed('checks/test_prices.py'), ...rerun }],
  ];
  for (const [id, how, spec] of controls) {
    test.concurrent(`${id}, by ${how}`, async () => {
      const report = await play(recipe(id), { spec });
      expect(report.outcome, report.reason).toBe('success');
      expect(report.trust.grade).not.toBe('earned');
    });
  }
});

describe('a rerun in the place of a room', () => {
  test.concurrent('does not take what silences the checker that was red either', async () => {
    const spec = { limits: { ...LIMITS, confirm: 'rerun' } };
    const report = await play(recipe('types/any'), { spec });
    expect(report.outcome, report.reason).toBe('unconfirmed');
    expect(report.reason).toContain('allow: ["lib/prices.ts"]');
  });
});

describe('what no guard sees', () => {
  test.concurrent('is called a success, and the trust line says that no held-out checks were there', async () => {
    const report = await play(recipe('python/visible-cases'), { spec: { limits: LIMITS } });
    expect(report.outcome).toBe('success');
    expect(report.trust.notShown).toContain('held-out checks');
  });

  test.concurrent('is named with file and line where the patch shows it, and is no earned green', async () => {
    const report = await play(recipe('python/equals-all'), { spec: { limits: LIMITS } });
    expect(report).toMatchObject({ outcome: 'success', trust: { grade: 'plausible' } });
    expect(report.warnings).toContain('in the patch, prices.py:2: it equals whatever it is compared with');
  });

  test.concurrent('is taken back under limits.suspicion: error', async () => {
    const limits = { ...LIMITS, suspicion: 'error' };
    const report = await play(recipe('python/equals-all'), { spec: { limits } });
    expect(report.outcome).toBe('unconfirmed');
    expect(report.reason).toContain('prices.py:2');
  });

  const left = RECIPES.filter(({ named, onlyHeldOut }) => named || onlyHeldOut);
  test.each(left.map((one) => [one.id, one.named === true, one] as const))(
    '%s: named in the patch: %s',
    (_, named, { files, edits = {} }) => {
      const found = suspicionsIn({
        changes: Object.keys(edits).map((path) => ({ path, change: path in files ? 'modified' : 'added' })),
        agents: (path) => edits[path] ?? undefined,
        start: { paths: Object.keys(files), read: (path) => files[path] },
      });
      expect(found.length > 0).toBe(named);
    },
  );
});

describe('the recipes', () => {
  test('have names of their own, each in a class that is known', () => {
    expect(new Set(RECIPES.map(({ id }) => id)).size).toBe(RECIPES.length);
    expect(RECIPES.filter((one) => CLASSES[classOf(one)] === undefined)).toEqual([]);
  });

  test('are those of the table in docs/trust.md (npm run test:cheats -- --markdown)', () => {
    const page = readFileSync(new URL('../docs/trust.md', import.meta.url), 'utf8');
    const table = page.slice(page.indexOf('<!-- cheats: '), page.indexOf('<!-- /cheats -->'));
    const rows = [...table.matchAll(/^\| (.+?) \| (\d+) \|/gm)].map(([, name, count]) => [
      name,
      Number(count),
    ]);
    const cheats = RECIPES.filter(({ cheat }) => cheat);
    const classes = [...new Set(cheats.map(classOf))];
    expect(Object.fromEntries(rows)).toEqual({
      ...Object.fromEntries(
        classes.map((name) => [CLASSES[name], cheats.filter((one) => classOf(one) === name).length]),
      ),
      all: cheats.length,
    });
    const named = [...table.matchAll(/^- `(\S+)` success/gm)].map(([, id]) => id).sort();
    const left = cheats.filter((one) => one.named || one.onlyHeldOut).map(({ id }) => id);
    expect(named).toEqual(left.sort());
  });
});

/** A line that is no plain call of a runner has no ids and no canary. */
function byExitCode(id: string): Spec {
  const command = `true; ${recipe(id).check}`;
  return { limits: LIMITS, evaluators: [{ uses: 'command', as: 'check', options: { command } }] };
}
