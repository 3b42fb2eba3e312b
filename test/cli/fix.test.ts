import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { openCli, reportOf, until } from '../support/cli.ts';
import { fingerprint } from '../support/tree.ts';
import { mended, project, RIGHT, steps, WRONG } from './red-project.ts';

const run = promisify(execFile);

describe('without a driver', () => {
  test('the transcript tells what was done, which is nothing, and why it stopped', async () => {
    await using cli = await openCli();
    await project(cli);
    const ended = await cli.run(['fix', 'p', '--log-level', 'quiet']);
    expect(ended.code).toBe(1);
    const lines = ended.stdout.split('\n').map((line) => line.trimEnd());
    expect(lines[0]).toMatch(/^working on a copy at .*\/p$/);
    expect(lines.slice(1, 7).map((line) => line.replace(/ {2,}/g, '  '))).toEqual([
      'outcome: no_progress',
      'attempts 2, edits 0 applied / 0 refused, 3 test runs',
      'baseline  fail  0 passed, 1 failed',
      '  #1 (no edit)  -  fail  no driver configured',
      '  #2 (no edit)  -  fail  no driver configured',
      'final  fail  0 passed, 1 failed',
    ]);
  });

  test('--patience says how many attempts may share one failure', async () => {
    await using cli = await openCli();
    await project(cli);
    const ended = await cli.run(['fix', 'p', '--patience', '1', '--json']);
    expect(reportOf(ended)).toMatchObject({ outcome: 'no-progress', face: 'fix' });
    expect(reportOf(ended).iterations).toHaveLength(1);
  });

  test('the driver of the configuration is used, and the flag stands over it', async () => {
    await using cli = await openCli();
    await project(cli, {
      'loopgen.config.json': JSON.stringify({
        driver: { uses: 'mock', options: { steps: [{ files: { 'target.py': RIGHT } }] } },
      }),
    });
    expect(reportOf(await cli.run(['fix', 'p', '--json']))).toMatchObject({
      outcome: 'success',
      driver: 'mock',
    });
    const flagged = reportOf(await cli.run(['fix', 'p', '--driver', 'none', '--json']));
    expect(flagged).toMatchObject({ outcome: 'no-progress', driver: 'none' });
  });
});

describe('the original', () => {
  test('is the same to the last byte after a fix, its repository too', async () => {
    await using cli = await openCli();
    await project(cli, { 'p/notes.txt': 'mine, untracked\n' });
    const git = async (...args: string[]) =>
      await run('git', args, { cwd: join(cli.dir, 'p'), env: cli.env });
    await git('init', '-q');
    await git('add', 'target.py', 'tests');
    await git('-c', 'user.name=u', '-c', 'user.email=u@localhost', 'commit', '-qm', 'start');
    const before = await fingerprint(join(cli.dir, 'p'));
    const ended = await cli.run(['fix', 'p', ...mended, '--json']);
    const report = reportOf(ended);
    expect(report.outcome).toBe('success');
    expect(await fingerprint(join(cli.dir, 'p'))).toEqual(before);
    expect(report.origin).toBe(join(cli.dir, 'p'));
    expect(await readFile(join(report.workdir, 'target.py'), 'utf8')).toBe(RIGHT);
  });

  test('gets an earned result with --apply, and nothing else', async () => {
    await using cli = await openCli();
    await project(cli, { 'p/notes.txt': 'mine\n' });
    const before = await fingerprint(join(cli.dir, 'p'));
    const ended = await cli.run(['fix', 'p', ...mended, '--apply', '--patch', 'out/fix.patch']);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('applied to');
    expect(await cli.read('p/target.py')).toBe(RIGHT);
    const after = await fingerprint(join(cli.dir, 'p'));
    expect({ ...after, 'target.py': '' }).toEqual({ ...before, 'target.py': '' });
    await cli.write({ 'p/target.py': WRONG });
    await run('git', ['apply', '../out/fix.patch'], { cwd: join(cli.dir, 'p') });
    expect(await cli.read('p/target.py')).toBe(RIGHT);
  });

  test('gets nothing that is not green', async () => {
    await using cli = await openCli();
    await project(cli);
    const ended = await cli.run([
      'fix',
      'p',
      ...steps({ 'target.py': 'def add(a, b):\n    return 6\n' }),
      '--apply',
    ]);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain('only a green result is written back');
    expect(await cli.read('p/target.py')).toBe(WRONG);
  });

  test('is not overwritten where it changed meanwhile: the file is named and nothing is written', async () => {
    await using cli = await openCli();
    await project(cli, { 'p/other.py': 'x = 1\n' });
    // The agent stays in its turn until the original has been edited.
    const command = [
      `printf 'def add(a, b):\\n    return a + b\\n' >target.py; echo 'x = 2' >other.py`,
      `touch ${cli.dir}/begun; until test -f ${cli.dir}/go; do sleep 0.05; done`,
    ].join('; ');
    const fix = cli.start([
      ...['fix', 'p', '--apply', '--driver', 'command'],
      ...['--driver-options', JSON.stringify({ command })],
    ]);
    await until(() => existsSync(join(cli.dir, 'begun')) || undefined);
    await cli.write({ 'p/other.py': 'x = 3  # by the user\n', go: '' });
    const ended = await fix.ended;
    expect(ended.stdout).toMatch(/not applied +changed meanwhile in the original: other\.py/);
    expect(ended.code).toBe(1);
    expect(await cli.read('p/target.py')).toBe(WRONG);
    expect(await cli.read('p/other.py')).toBe('x = 3  # by the user\n');
  });

  test('is worked on itself with --in-place', async () => {
    await using cli = await openCli();
    await project(cli);
    const ended = await cli.run(['fix', 'p', ...mended, '--in-place']);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain(`working in place in ${join(cli.dir, 'p')}`);
    expect(await cli.read('p/target.py')).toBe(RIGHT);
  });
});
