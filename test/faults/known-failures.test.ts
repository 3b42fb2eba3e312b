import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import type { Scripted, ScriptedStep } from '../../src/testing/index.ts';
import { type Bench, openBench } from '../support/engine.ts';

const NODE_MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

vi.setConfig({ testTimeout: 240_000 });

/** `test_task` is the work; `test_old` was red before anybody came; `test_kept` is green. */
const FILES = {
  'calc.py': 'def add(a, b):\n    return a - b\n\n\ndef twice(a):\n    return a * 2\n',
  'tests/test_calc.py':
    'from calc import add, twice\n\n\ndef test_task():\n    assert add(1, 2) == 3\n\n\ndef test_kept():\n    assert twice(2) == 4\n',
  'tests/test_old.py':
    'def test_old():\n    assert "old-and-red" == "nobody knows why"\n\n\ndef test_fine():\n    pass\n',
  'conftest.py': '',
};
const OLD = 'tests/test_old.py::test_old';
const TASK = 'tests/test_calc.py::test_task';

const mend: ScriptedStep = { write: { 'calc.py': FILES['calc.py'].replace('a - b', 'a + b') } };

async function bench(steps: readonly Scripted[]): Promise<Bench> {
  const opened = await openBench({ steps });
  opened.write(FILES);
  return opened;
}

const suite = (knownFailures: unknown, more = {}) => ({
  uses: 'pytest',
  as: 'all',
  ...(knownFailures !== undefined && { knownFailures }),
  ...more,
});
const task = { uses: 'pytest', as: 'task', options: { args: [TASK] } };

describe('known failures of a real suite', () => {
  test('a listed one may stay red, is no work for the agent, and is told in report and trust line', async () => {
    const prompts: string[] = [];
    const tell: Scripted = ({ prompt }) => {
      prompts.push(prompt);
      return undefined;
    };
    await using b = await bench([tell, mend]);
    const { report } = await b.run(b.spec({ evaluators: [suite([OLD])] }));
    expect(report).toMatchObject({ outcome: 'success', trust: { grade: 'earned' }, warnings: [] });
    expect(report.trust.shown).toContain('1 known failure excepted');
    expect(report.trust.shown).toContain('1 test red before and green now');
    const check = report.iterations.at(-1)?.evaluations[0];
    expect(check).toMatchObject({
      status: 'pass',
      feedback: '3 passed, 1 known failure excepted',
      tests: { total: 4, passed: 3, failing: [], excepted: 1, known: [{ id: OLD }] },
    });
    expect(prompts[0]).toContain('1 of 4 tests failing (1 known failure excepted)');
    expect(prompts[0]).toContain(TASK);
    expect(prompts[0]).not.toContain(`- ${OLD}`);
  });

  test('without the list the same work is no success', async () => {
    await using b = await bench([mend]);
    const { report } = await b.run(b.spec({ evaluators: [suite(undefined)], limits: { maxIterations: 1 } }));
    expect(report.success).toBe(false);
  });

  test('with baseline, a check guards what was green while another one is the task', async () => {
    await using b = await bench([mend]);
    const { report } = await b.run(b.spec({ evaluators: [suite('baseline'), task] }));
    expect(report).toMatchObject({ outcome: 'success', trust: { grade: 'earned' } });
    expect(report.baseline?.evaluations.map(({ status }) => status)).toEqual(['pass', 'fail']);
    expect(report.trust.shown).toContain('1 known failure excepted');
  });

  test('with baseline, a green test that is lost is no success', async () => {
    await using b = await bench([
      { write: { 'calc.py': 'def add(a, b):\n    return a + b\n\n\ndef twice(a):\n    return a * 3\n' } },
    ]);
    const { report } = await b.run(
      b.spec({ evaluators: [suite('baseline'), task], limits: { maxIterations: 1 } }),
    );
    expect(report.success).toBe(false);
    expect(report.iterations[0]?.evaluations[0]).toMatchObject({
      status: 'fail',
      tests: { failing: [{ id: 'tests/test_calc.py::test_kept' }] },
    });
  });

  test('with baseline alone nothing is left to do, and the report says why', async () => {
    await using b = await bench([mend]);
    const { report } = await b.run(b.spec({ evaluators: [suite('baseline')] }));
    expect(report.outcome).toBe('baseline-vacuous');
    expect(report.warnings.join('\n')).toContain('those that are the task must not be among them');
  });

  test('an id that no test has, and one that turned green, are told', async () => {
    await using b = await bench([
      {
        write: {
          ...mend.write,
          'nobody.txt': 'x',
        },
      },
    ]);
    b.write({
      'tests/test_old.py':
        'import os\n\n\ndef test_old():\n    assert os.path.exists("nobody.txt")\n\n\ndef test_fine():\n    pass\n',
    });
    const { report } = await b.run(b.spec({ evaluators: [suite([OLD, 'tests/test_old.py::typo'])] }));
    expect(report.outcome).toBe('success');
    expect(report.trust.shown.join('\n')).not.toContain('known failure');
    expect(report.warnings).toEqual([
      'knownFailures of "all": no test has the id tests/test_old.py::typo',
      `knownFailures of "all": no longer fails: ${OLD}; take it off the list`,
    ]);
  });

  test('a listed test that was green before is protected all the same', async () => {
    await using b = await bench([
      { write: { 'calc.py': 'def add(a, b):\n    return a + b\n\n\ndef twice(a):\n    return a * 3\n' } },
    ]);
    const kept = 'tests/test_calc.py::test_kept';
    const { report } = await b.run(
      b.spec({ evaluators: [suite([OLD, kept])], limits: { maxIterations: 1 } }),
    );
    expect(report.success).toBe(false);
    expect(report.warnings).toContain(
      `knownFailures of "all": no longer fails: ${kept}; take it off the list`,
    );
  });

  test('a runner that exits 0 beside a known failure is not believed', async () => {
    await using b = await bench([mend]);
    b.write({
      'conftest.py': 'def pytest_sessionfinish(session):\n    session.exitstatus = 0\n',
    });
    const { report } = await b.run(b.spec({ evaluators: [suite([OLD])], limits: { maxIterations: 1 } }));
    expect(report.success).toBe(false);
    expect(report.iterations[0]?.evaluations[0]?.feedback).toContain(
      'its report and its exit code do not agree',
    );
  });

  test('a check by exit code has none, which is told', async () => {
    await using b = await bench([mend]);
    const { report } = await b.run(
      b.spec({
        evaluators: [
          {
            uses: 'command',
            as: 'lines',
            options: { command: 'grep -q "a + b" calc.py' },
            knownFailures: [OLD],
          },
        ],
      }),
    );
    expect(report.outcome).toBe('success');
    expect(report.warnings).toContain(
      'knownFailures of "lines": no effect, since it is not judged by the ids of its tests',
    );
  });
});

/** The same suite for runners of JavaScript: `adds` is the work, `old` was red before anybody came. */
const javascript = (head: string, same: (a: string, b: string) => string) => ({
  'package.json': '{"type": "module"}\n',
  'calc.js': 'export const add = (a, b) => a - b;\nexport const twice = (a) => a * 2;\n',
  'test/calc.test.js': `${head}import { add, twice } from '../calc.js';\n\ntest('adds', () => ${same('add(1, 2)', '3')});\ntest('doubles', () => ${same('twice(2)', '4')});\n`,
  'test/old.test.js': `${head}\ntest('old', () => ${same('"red"', '"green"')});\ntest('fine', () => {});\n`,
});

const RUNNERS = [
  {
    uses: 'node-test',
    files: javascript(
      "import assert from 'node:assert';\nimport { test } from 'node:test';\n",
      (a, b) => `assert.equal(${a}, ${b})`,
    ),
  },
  {
    uses: 'vitest',
    files: javascript("import { expect, test } from 'vitest';\n", (a, b) => `expect(${a}).toBe(${b})`),
  },
] as const;

describe.each(RUNNERS)('known failures of $uses', ({ uses, files }) => {
  const old = 'test/old.test.js > old';

  async function played(step: ScriptedStep, knownFailures?: unknown) {
    await using b = await openBench({ steps: [step] });
    b.write(files);
    if (uses === 'vitest') {
      mkdirSync(join(b.dir, 'node_modules'));
      for (const name of ['vitest', 'vite'])
        symlinkSync(join(NODE_MODULES, name), join(b.dir, 'node_modules', name));
    }
    const check = { uses, as: 'all', ...(knownFailures !== undefined && { knownFailures }) };
    const { report } = await b.run(b.spec({ evaluators: [check], limits: { maxIterations: 1 } }));
    return report;
  }
  const right = { write: { 'calc.js': files['calc.js'].replace('a - b', 'a + b') } };

  test('a listed one may stay red; without the list the same work is no success', async () => {
    const report = await played(right, [old]);
    expect(report, report.reason).toMatchObject({ outcome: 'success', trust: { grade: 'earned' } });
    expect(report.trust.shown).toContain('1 known failure excepted');
    expect((await played(right)).success).toBe(false);
  });

  test('a green test that is lost is no success beside it', async () => {
    const report = await played(
      { write: { 'calc.js': files['calc.js'].replace('a - b', 'a + b').replace('a * 2', 'a * 3') } },
      [old],
    );
    expect(report.success).toBe(false);
    expect(report.iterations[0]?.evaluations[0]?.tests?.failing).toMatchObject([
      { id: 'test/calc.test.js > doubles' },
    ]);
  });
});
