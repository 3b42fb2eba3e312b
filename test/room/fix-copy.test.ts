import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { which } from '../../src/system/which.ts';
import { RIGHT, WRONG } from '../cli/red-project.ts';
import { type Cli, openCli, reportOf } from '../support/cli.ts';
import { fingerprint } from '../support/tree.ts';
import { hasBwrap } from './support.ts';

const has = (tool: string) => which(tool, process.env) !== undefined;
const CHECK = ['--check', '.venv/bin/python -m pytest -q', '--json'];

/** A `src` layout, installed into the project's own environment so that it can be edited. */
async function editable(cli: Cli): Promise<string> {
  const dir = join(cli.dir, 'p');
  await cli.write({
    'p/src/calc/__init__.py': WRONG,
    'p/tests/test_calc.py':
      'from calc import add\n\n\ndef test_adds():\n    assert add(2, 3) == 5\n\n\ndef test_nothing():\n    assert add(0, 0) == 0\n',
  });
  execFileSync('python3', ['-m', 'venv', '--without-pip', '--system-site-packages', join(dir, '.venv')]);
  const lib = `p/.venv/lib/${readdirSync(join(dir, '.venv/lib'))[0]}/site-packages`;
  await cli.write({ [`${lib}/__editable__.calc.pth`]: `${dir}/src\n` });
  return lib;
}

const agent = (step: Readonly<Record<string, unknown>>) => [
  '--driver',
  'mock',
  '--driver-options',
  JSON.stringify({ steps: [step] }),
];

describe.runIf(hasBwrap && has('pytest'))('fix of a project with an editable install [needs bwrap]', () => {
  test('works on a copy that is bound over the original, which stays as it is', async () => {
    await using cli = await openCli();
    await editable(cli);
    const before = await fingerprint(join(cli.dir, 'p'));
    const report = reportOf(
      await cli.run(['fix', 'p', ...agent({ files: { 'src/calc/__init__.py': RIGHT } }), ...CHECK]),
    );
    expect(report).toMatchObject({
      outcome: 'success',
      trust: { grade: 'earned' },
      baseline: { room: { kind: 'bound' } },
    });
    expect(await fingerprint(join(cli.dir, 'p'))).toEqual(before);
  });

  test('sees what the agent installs into the copy, and does not believe what it changed there', async () => {
    await using cli = await openCli();
    const lib = (await editable(cli)).slice('p/'.length);
    await cli.write({ [`p/${lib}/old.py`]: 'def minus(a, b):\n    return a - b\n' });
    const files = {
      'src/calc/__init__.py': 'from more import plus\n\n\ndef add(a, b):\n    return plus(a, b)\n',
    };
    const install = `printf 'def plus(a, b):\\n    return a + b\\n' > ${lib}/more.py`;
    const added = reportOf(await cli.run(['fix', 'p', ...agent({ files, run: install }), ...CHECK]));
    expect(added).toMatchObject({ outcome: 'success', trust: { grade: 'earned' } });
    const edit = `${install}; printf '\\n' >> ${lib}/old.py`;
    const changed = reportOf(await cli.run(['fix', 'p', ...agent({ files, run: edit }), ...CHECK]));
    expect(changed.outcome).toBe('unconfirmed');
    expect(changed.reason).toContain('old.py was changed');
  });
});
