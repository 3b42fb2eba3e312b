import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { which } from '../../src/system/which.ts';
import { mend } from '../honest/mend.ts';
import { type Honest, PY_RIGHT, PY_WRONG } from '../honest/projects.ts';

const hasPython = which('python3', process.env) !== undefined;
const SITE = 'env/lib/python3.*/site-packages';

const PROJECT: Omit<Honest, 'step'> = {
  title: 'sums',
  files: {
    'calc.py': PY_WRONG,
    'tests/test_calc.py':
      'import unittest\n\nfrom calc import add\nfrom judge import same\n\n\nclass Calc(unittest.TestCase):\n    def test_adds(self):\n        same(add(2, 3), 5)\n\n    def test_nothing(self):\n        same(add(0, 0), 0)\n',
    'tests/__init__.py': '',
  },
  check: 'python3 -m unittest discover -s tests -t .',
};
const MEND = { 'calc.py': PY_RIGHT };
const JUDGE = 'def same(a, b):\n    assert a == b\n';
const BLIND = 'def same(a, b):\n    pass\n';

/** An interpreter of its own, first on the PATH, whose packages the agent can write to. */
function interpreter(dir: string): Record<string, string> {
  const env = join(dir, 'env');
  execFileSync('python3', ['-m', 'venv', '--without-pip', env]);
  const lib = join(env, 'lib');
  const site = join(lib, readdirSync(lib)[0] ?? '', 'site-packages');
  writeFileSync(join(site, 'judge.py'), JUDGE);
  writeFileSync(join(site, 'junk.py'), 'x = 1\n');
  return { PATH: `${env}/bin:${process.env['PATH']}` };
}

const outcomeOf = async (step: Honest['step'], spec: Readonly<Record<string, unknown>> = {}) => {
  const report = await mend({ ...PROJECT, step }, { env: interpreter, spec });
  const keptOut = report.iterations.flatMap((iteration) => iteration.keptOut ?? []);
  return {
    outcome: report.outcome,
    grade: report.trust.grade,
    reason: report.reason,
    keptOut: keptOut.map(({ path }) => path),
  };
};
const RERUN = { limits: { confirm: 'rerun' } };

describe.runIf(hasPython)('what tests import from outside the workspace', () => {
  test.concurrent('gives no green once the agent changed it', async () => {
    const step = { run: `printf '${BLIND.replaceAll('\n', '\\n')}' > ../${SITE}/judge.py` };
    expect(await outcomeOf(step)).toMatchObject({
      outcome: 'unconfirmed',
      reason: expect.stringContaining('judge.py was changed'),
    });
    expect(await outcomeOf(step, RERUN)).toMatchObject({ outcome: 'success' });
  });

  test.concurrent('may be joined by other packages, and what tests do not rest on may change', async () => {
    const run = `cd ../${SITE} && echo 'y = 2' > more.py && echo 'x = 2' > junk.py`;
    expect(await outcomeOf({ files: MEND, run })).toMatchObject({ outcome: 'success', grade: 'earned' });
  });

  test.concurrent('is what they import, though a new module of the agent has its name', async () => {
    const step = { files: { 'judge.py': BLIND } };
    expect(await outcomeOf(step)).toMatchObject({
      outcome: 'no-progress',
      keptOut: expect.arrayContaining(['judge.py']),
    });
    expect(await outcomeOf(step, RERUN)).toMatchObject({ outcome: 'success' });
  });

  test.concurrent('keeps out no new module with the name of a package that tests do not rest on', async () => {
    const files = {
      'junk.py': 'def plus(a, b):\n    return a + b\n',
      'calc.py': 'from junk import plus\n\n\ndef add(a, b):\n    return plus(a, b)\n',
    };
    expect(await outcomeOf({ files })).toMatchObject({ outcome: 'success', grade: 'earned', keptOut: [] });
  });

  test.concurrent('of the project itself may be updated where setup makes it again', async () => {
    const venv =
      'python3 -m venv --without-pip .venv && cp packages/judge.py .venv/lib/python3.*/site-packages/';
    const project: Honest = {
      ...PROJECT,
      files: { ...PROJECT.files, 'packages/judge.py': JUDGE, '.gitignore': '.venv\n__pycache__\n' },
      make: venv,
      check: '.venv/bin/python -m unittest discover -s tests -t .',
      step: { files: MEND, run: "printf '\\n' >> .venv/lib/python3.*/site-packages/judge.py" },
    };
    const without = await mend(project);
    expect(without).toMatchObject({ outcome: 'unconfirmed', reason: expect.stringContaining('setup:') });
    const made = await mend(project, { spec: { setup: [venv] } });
    expect(made).toMatchObject({ outcome: 'success', trust: { grade: 'plausible' } });
  });
});
