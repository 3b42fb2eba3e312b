import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { check, openCli, reportOf, specText } from '../support/cli.ts';
import { CHEAT, project, RIGHT } from './red-project.ts';

const git = async (dir: string, ...args: string[]) =>
  await promisify(execFile)('git', ['-C', dir, ...args], { env: { PATH: process.env['PATH'], HOME: dir } });

test('a check of the agent’s commits never turns green in a room, and does with confirm: rerun', async () => {
  await using cli = await openCli();
  const identity = '-c user.name=a -c user.email=a@localhost';
  const commits = `echo 1 >a.txt && git add a.txt && git ${identity} commit -qm mended`;
  const spec = (confirm: 'room' | 'rerun') =>
    specText({
      workspace: { dir: 'w', mode: 'copy' },
      driver: { uses: 'command', options: { command: commits } },
      evaluators: [check('git log -1 --format=%s | grep -q mended')],
      limits: { confirm, maxIterations: 1 },
    });
  await cli.write({ 'w/a.txt': '0\n', 'room.yaml': spec('room'), 'rerun.yaml': spec('rerun') });
  await git(join(cli.dir, 'w'), 'init', '-q');
  const start = [
    '-c',
    'user.name=a',
    '-c',
    'user.email=a@localhost',
    'commit',
    '-qm',
    'start',
    '--allow-empty',
  ];
  await git(join(cli.dir, 'w'), ...start);
  const inRoom = reportOf(await cli.run(['run', 'room.yaml', '--json']));
  expect([inRoom.outcome, inRoom.iterations[0]?.status]).toEqual(['max-iterations', 'fail']);
  const rerun = reportOf(await cli.run(['run', 'rerun.yaml', '--json']));
  expect([rerun.outcome, rerun.trust.grade]).toEqual(['success', 'plausible']);
});

test('what of the work the checks did not see is told on screen, with what would let it in', async () => {
  await using cli = await openCli();
  await project(cli, {
    'a.yaml': specText({
      workspace: { dir: 'p' },
      driver: {
        uses: 'mock',
        options: { steps: [{ files: { 'target.py': RIGHT, 'tests/test_target.py': CHEAT } }] },
      },
      evaluators: [check('python3 -m pytest')],
    }),
  });
  const ended = await cli.run(['run', 'a.yaml']);
  expect(ended.code).toBe(0);
  expect(ended.stderr).toMatch(/^ {2}room {6}checks run in a /m);
  expect(ended.stderr).toContain('  kept out  tests/test_target.py: its tests were red at the start');
  expect(ended.stdout.replace(/\n +/g, ' ')).toContain(
    'warning     tests/test_target.py: the agent’s version did not count where the checks ran (its tests were red at the start); to accept it, write in the spec: allow: ["tests/test_target.py"]',
  );
});
