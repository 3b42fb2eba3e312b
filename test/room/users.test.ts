import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { which } from '../../src/system/which.ts';
import { ESM_RIGHT, ESM_WRONG, nodeTest } from '../honest/projects.ts';
import { CLI_ARGS, openCli, reportOf, specText } from '../support/cli.ts';
import { hasBwrap } from './support.ts';

const NOBODY = 65_534;
const canBecome = process.getuid?.() === 0 && which('setpriv', process.env) !== undefined;

/** A red project whose spec lies in it. */
const FILES = {
  'loop.yaml': specText({
    workspace: { dir: '.' },
    driver: { uses: 'mock', options: { steps: [{ files: { 'sums.js': ESM_RIGHT } }] } },
    evaluators: [{ uses: 'command', as: 'check', options: { command: 'node --test' } }],
  }),
  'package.json': '{"type": "module"}\n',
  'sums.js': ESM_WRONG,
  'test/sums.test.js': nodeTest('../sums.js'),
};

const earned = {
  outcome: 'success',
  trust: { grade: 'earned' },
  baseline: { room: { kind: hasBwrap ? 'bound' : 'folder' } },
};

test('a spec that lies in its workspace is judged in a room, and an edit of it is none', async () => {
  await using cli = await openCli();
  await cli.write(FILES);
  expect(reportOf(await cli.run(['run', 'loop.yaml', '--json']))).toMatchObject(earned);
  await using other = await openCli();
  const easy = specText({ workspace: { dir: '.' }, evaluators: [] });
  const steps = [{ files: { 'sums.js': ESM_RIGHT, 'loop.yaml': easy } }];
  await other.write({
    ...FILES,
    'loop.yaml': FILES['loop.yaml'].replace(/"steps":\[.*?\]\}/, () => `"steps":${JSON.stringify(steps)}}`),
  });
  expect(reportOf(await other.run(['run', 'loop.yaml', '--json'])).outcome).toBe('spec-tampered');
});

test.runIf(canBecome)('another user than root gets the same room [needs root] [needs setpriv]', async () => {
  await using cli = await openCli();
  await cli.write(FILES);
  // Where the build lies need not be a place for others.
  const [main = ''] = CLI_ARGS;
  const home = cli.env['HOME'] ?? '';
  const build = dirname(dirname(dirname(main)));
  const place = join(home, 'loopgen');
  mkdirSync(place);
  cpSync(build, join(place, 'built'), { recursive: true });
  symlinkSync(join(process.cwd(), 'node_modules'), join(place, 'node_modules'));
  const root = dirname(home);
  for (const folder of [root, ...['work', 'home'].map((name) => join(root, name))]) give(folder);
  const state = join(root, 'state');
  mkdirSync(state);
  give(state);
  const user = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
  const command = [process.execPath, join(place, 'built', 'dist/cli/main.js'), 'run', 'loop.yaml', '--json'];
  const ran = spawnSync('setpriv', [...user, ...command], {
    cwd: cli.dir,
    env: { ...cli.env, PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin` },
    encoding: 'utf8',
  });
  expect(JSON.parse(ran.stdout || JSON.stringify(ran.stderr))).toMatchObject(earned);
});

function give(folder: string): void {
  chmodSync(folder, 0o755);
  chownSync(folder, NOBODY, NOBODY);
  spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, folder]);
}
