import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mend } from '../honest/mend.ts';
import { makePackages, NPM_CI, npmInstall } from '../honest/npm.ts';
import { type Honest, nodeTest } from '../honest/projects.ts';
import { hasBwrap, pathWithout } from './support.ts';

/** A project whose test is red because of an installed package, of which a later version is right. */
const PROJECT: Omit<Honest, 'step'> = {
  title: 'sums',
  files: {
    'package.json': '{"type": "module"}\n',
    '.gitignore': 'node_modules\n',
    'sums.js': "import { plus } from 'plus';\n\nexport const add = (a, b) => plus(a, b);\n",
    'test/sums.test.js': nodeTest('../sums.js'),
  },
  make: [
    makePackages(
      ['plus', '1.0.0', 'exports.plus = (a, b) => a - b;'],
      ['plus', '1.1.0', 'exports.plus = (a, b) => a + b;'],
      ['zero', '1.0.0', 'exports.zero = 0;'],
    ),
    npmInstall('packages/plus-1.0.0.tgz'),
  ].join(' && '),
  check: 'node --test',
};
const UPDATE = npmInstall('packages/plus-1.1.0.tgz');
const TAMPER = "echo 'exports.plus = (a, b) => a + b;' > node_modules/plus/index.js";
const network = { evaluation: { network: 'off' } };
const setup = { ...network, setup: [NPM_CI] };

const outcomeOf = async (...call: Parameters<typeof mend>) => {
  const report = await mend(...call);
  const { outcome, trust, reason, warnings } = report;
  return {
    outcome,
    grade: trust.grade,
    reason,
    warnings: warnings.join('\n'),
    turns: report.iterations.length,
    kind: report.baseline?.room?.kind,
  };
};

const kinds = hasBwrap ? (['bound', 'folder'] as const) : (['folder'] as const);

describe.concurrent.each(kinds)('dependencies that changed, in a room of the kind %s', (kind) => {
  const mark = kind === 'bound' ? ' [needs bwrap]' : '';
  const env = (dir: string) => (kind === 'bound' ? {} : { PATH: pathWithout(join(dir, 'bin'), 'bwrap') });

  test(`are made again by setup in a fresh room, without a network${mark}`, async () => {
    const found = await outcomeOf({ ...PROJECT, step: { run: UPDATE } }, { spec: setup, env });
    expect(found).toMatchObject({ outcome: 'success', grade: 'plausible', kind });
    expect(found.warnings).toContain('setup made them again in a fresh room');
    expect(found.warnings).toContain('node_modules/plus');
  });

  test(`give no green where nothing says how to make them${mark}`, async () => {
    const found = await outcomeOf({ ...PROJECT, step: { run: UPDATE } }, { spec: network, env });
    expect(found.outcome).toBe('unconfirmed');
    expect(found.reason).toContain('setup: ["npm ci"]');
  });

  test(`are not what the agent wrote into them${mark}`, async () => {
    const cheat = { ...PROJECT, step: { run: TAMPER } };
    const found = await outcomeOf(cheat, { spec: { ...setup, limits: { maxIterations: 1 } }, env });
    expect(found.outcome).toBe('unconfirmed');
    // Judged where the agent worked, it is green.
    const control = await outcomeOf(cheat, { spec: { limits: { confirm: 'rerun' } }, env });
    expect(control.outcome).toBe('success');
  });
});

describe.concurrent('setup in a fresh room', () => {
  test('that fails leaves the green unconfirmed, and says how it failed', async () => {
    const spec = { setup: ['echo no luck; exit 3'] };
    const found = await outcomeOf({ ...PROJECT, step: { run: UPDATE } }, { spec });
    expect(found.outcome).toBe('unconfirmed');
    expect(found.reason).toContain('setup failed (exit code 3): echo no luck; exit 3');
  });

  test('is not run where dependencies did not change, or only came', async () => {
    const spec = { setup: ['exit 3'] };
    const use =
      "import { zero } from 'zero';\nimport { plus } from 'plus';\n\nexport const add = (a, b) => plus(a, zero - b);\n";
    const step = { files: { 'sums.js': use }, run: npmInstall('packages/zero-1.0.0.tgz') };
    expect(await outcomeOf({ ...PROJECT, step }, { spec })).toMatchObject({
      outcome: 'success',
      grade: 'earned',
    });
  });

  test('cannot put anything into the room but dependencies', async () => {
    const scripts = { postinstall: 'cp cheat.js test/sums.test.js' };
    const dependencies = { plus: 'file:packages/plus-1.0.0.tgz' };
    const step = {
      files: {
        'package.json': JSON.stringify({ type: 'module', scripts, dependencies }),
        'cheat.js':
          "import { test } from 'node:test';\ntest('adds', () => {});\ntest('nothing', () => {});\n",
      },
      run: `${TAMPER}; cp cheat.js test/sums.test.js`,
    };
    const found = await outcomeOf({ ...PROJECT, step }, { spec: { ...setup, limits: { maxIterations: 1 } } });
    expect(found).toMatchObject({ outcome: 'unconfirmed', reason: expect.stringContaining('check fails') });
  });

  test('is run again for what is installed after it', async () => {
    const later = {
      files: {
        'sums.js':
          "import { zero } from 'zero';\nimport { plus } from 'plus';\n\nexport const add = (a, b) => plus(a, b) + zero;\n",
      },
      run: npmInstall('packages/zero-1.0.0.tgz'),
    };
    // Green where the agent works, red in the fresh room, which is kept.
    const step = { run: `${UPDATE} && git checkout -q package.json package-lock.json` };
    const found = await outcomeOf(
      { ...PROJECT, step, later: [{ ...later, run: `${UPDATE} && ${later.run}` }] },
      { spec: setup },
    );
    expect(found).toMatchObject({ outcome: 'success', turns: 2 });
  });
});
