import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { check, openCli, recordedReport, reportOf, specText } from '../support/cli.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));
const DEMO = 'examples/building-blocks/mock-demo.loop.yaml';

test('the demo succeeds in two iterations, is vacuous when run again, and works anew after its reset', async () => {
  await using cli = await openCli();
  const isSource = (path: string) => !/\/\.(workspace|loopgen)(\/|$)/.test(path);
  await cp(EXAMPLES, join(cli.dir, 'examples'), { recursive: true, filter: isSource });

  const first = await cli.run(['run', DEMO, '--report', 'first.json']);
  expect(first.code).toBe(0);
  expect(first.stdout).toContain('every success criterion is met');
  const report = JSON.parse(await cli.read('first.json'));
  expect(report.outcome).toBe('success');
  expect(report.iterations).toHaveLength(2);
  expect(report.trust.grade).toBe('plausible');

  const second = await cli.run(['run', DEMO, '--json']);
  expect(second.code).toBe(3);
  expect(reportOf(second)).toMatchObject({ outcome: 'baseline-vacuous', iterations: [] });

  await rm(join(cli.dir, 'examples/building-blocks/.workspace'), { recursive: true });
  const third = await cli.run(['run', DEMO, '--json', '--log-level', 'quiet']);
  expect(third.code).toBe(0);
  expect(reportOf(third).iterations).toHaveLength(2);
});

describe('places', () => {
  test('--base is what workspace.dir is relative to', async () => {
    await using cli = await openCli();
    await cli.write({ 'specs/a.yaml': specText(), 'elsewhere/.keep': '' });
    const ended = await cli.run(['run', 'specs/a.yaml', '-b', 'elsewhere', '--json']);
    expect(reportOf(ended).workdir).toBe(join(cli.dir, 'elsewhere/w'));
    expect(await cli.read('elsewhere/w/done.txt')).toBe('done\n');
    expect(await readdir(join(cli.dir, 'specs'))).toEqual(['.loopgen', 'a.yaml']);
  });

  test('without --base it is relative to the spec, wherever the command runs', async () => {
    await using cli = await openCli();
    await cli.write({ 'specs/a.yaml': specText(), 'elsewhere/.keep': '' });
    const ended = await cli.run(['run', '../specs/a.yaml', '--json'], { cwd: 'elsewhere' });
    expect(reportOf(ended).workdir).toBe(join(cli.dir, 'specs/w'));
  });

  test('--state-dir holds the records, and nothing is left beside the spec', async () => {
    await using cli = await openCli();
    await cli.write({ 'specs/a.yaml': specText() });
    const ended = await cli.run(['run', 'specs/a.yaml', '--state-dir', 'records', '--json']);
    expect(await recordedReport(join(cli.dir, 'records'))).toEqual(reportOf(ended));
    expect(await readdir(join(cli.dir, 'specs'))).toEqual(['a.yaml', 'w']);
  });

  test('records of a spec inside its workspace go to the state folder of the user', async () => {
    await using cli = await openCli();
    await cli.write({ 'a.yaml': specText({ workspace: { dir: '.' } }) });
    const ended = await cli.run(['run', 'a.yaml', '--json']);
    const state = join(cli.env['XDG_STATE_HOME'] ?? '', 'loopgen');
    expect(await recordedReport(state)).toEqual(reportOf(ended));
    expect((await readdir(cli.dir)).sort()).toEqual(['a.yaml', 'done.txt']);
  });

  test('files of --report and --trace inside the workspace are no work of the agent', async () => {
    await using cli = await openCli();
    const idle = { uses: 'mock', options: { steps: [{ summary: 'thought' }] } };
    await cli.write({ 'a.yaml': specText({ driver: idle, limits: { patience: 1 } }) });
    const ended = await cli.run(['run', 'a.yaml', '--json', '--report', 'w/r.json', '--trace', 'w/t.jsonl']);
    expect(reportOf(ended)).toMatchObject({ outcome: 'no-progress', changedFiles: [] });
    expect(JSON.parse(await cli.read('w/r.json'))).toEqual(reportOf(ended));
  });
});

describe('a place that is not there', () => {
  test('--base must be a folder; only the workspace is made when it is missing', async () => {
    await using cli = await openCli();
    await cli.write({ 'a.yaml': specText() });
    const ended = await cli.run(['run', 'a.yaml', '--base', 'typo']);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('--base typo is not a folder');
    expect(await readdir(cli.dir)).toEqual(['a.yaml']);
  });

  test('records that cannot be kept are told before anything is spent', async () => {
    await using cli = await openCli();
    await cli.write({ 'a.yaml': specText(), taken: 'a file' });
    const asked = await cli.run(['run', 'a.yaml', '--state-dir', 'taken']);
    expect(asked).toMatchObject({ code: 3, stdout: '' });
    expect(asked.stderr).toMatch(/no records can be kept in .*taken.*\n.*--state-dir/);
    const users = await cli.run(['run', 'a.yaml'], { env: { XDG_STATE_HOME: join(cli.dir, 'taken') } });
    expect(users).toMatchObject({ code: 3, stdout: '' });
    expect(users.stderr).toContain('XDG_STATE_HOME');
  });

  test('a workspace that is a file is a wrong spec', async () => {
    await using cli = await openCli();
    await cli.write({ 'a.yaml': specText(), w: 'a file' });
    const ended = await cli.run(['run', 'a.yaml']);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('workspace.dir');
  });
});

describe('flags over the spec', () => {
  test('-m stands over limits.maxIterations', async () => {
    await using cli = await openCli();
    const steps = [{ files: { a: '1' } }, { files: { a: '2' } }, { files: { a: '3' } }];
    const spec = specText({
      driver: { uses: 'mock', options: { steps } },
      evaluators: [check('cat a; false')],
      limits: { maxIterations: 3 },
    });
    await cli.write({ 'a.yaml': spec });
    const flagged = await cli.run(['run', 'a.yaml', '-m', '2', '--json']);
    expect(flagged.code).toBe(1);
    expect(reportOf(flagged)).toMatchObject({ outcome: 'max-iterations' });
    expect(reportOf(flagged).iterations).toHaveLength(2);
    await rm(join(cli.dir, 'w'), { recursive: true });
    const control = reportOf(await cli.run(['run', 'a.yaml', '--json']));
    expect(control.iterations).toHaveLength(3);
  });

  test('-d keeps the options that the new driver knows and warns about the others', async () => {
    await using cli = await openCli();
    const driver = { uses: 'mock', options: { steps: [], command: 'echo done > done.txt' } };
    await cli.write({
      'a.yaml': specText({ driver: { uses: 'command', options: { command: 'false', prompt: 'file' } } }),
      'b.yaml': specText({ driver }),
    });
    const dropped = await cli.run(['run', 'a.yaml', '-d', 'mock', '--json']);
    expect(dropped.code).toBe(1);
    expect(dropped.stderr).toContain('options it does not know are left out: command, prompt');
    const kept = await cli.run(['run', 'b.yaml', '--driver', 'command', '--json']);
    expect(kept.stderr).toContain('options it does not know are left out: steps');
    expect(reportOf(kept)).toMatchObject({ outcome: 'success', driver: 'command' });
  });

  test('an unknown driver is a wrong command line, with a suggestion', async () => {
    await using cli = await openCli();
    await cli.write({ 'a.yaml': specText() });
    const ended = await cli.run(['run', 'a.yaml', '-d', 'comand']);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(/"comand".*\n.*did you mean "command"/s);
  });

  test('the baseline is strict, warned about or skipped as the flags say', async () => {
    await using cli = await openCli();
    await cli.write({
      'a.yaml': specText({ evaluators: [check('true')] }),
      'off.yaml': specText({ evaluators: [check('true')], limits: { baseline: false } }),
    });
    const run = async (...args: string[]) => await cli.run(['run', ...args, '--json']);
    expect((await run('a.yaml')).code).toBe(3);
    expect(reportOf(await run('off.yaml', '--strict-baseline')).outcome).toBe('baseline-vacuous');
    const warned = reportOf(await run('a.yaml', '--baseline'));
    expect(warned).toMatchObject({ outcome: 'success', baseline: { satisfied: true } });
    expect(warned.warnings.join('\n')).toContain('pass before any work');
    const skipped = reportOf(await run('a.yaml', '--skip-baseline'));
    expect(skipped).toMatchObject({ outcome: 'success', trust: { grade: 'unproven' } });
    expect(skipped.baseline).toBeUndefined();
  });

  test('--skip-preflight does not ask the driver, which then fails in its turns', async () => {
    await using cli = await openCli();
    const driver = { uses: 'command', options: { command: ['no-such-agent'] } };
    await cli.write({ 'a.yaml': specText({ driver }) });
    const asked = await cli.run(['run', 'a.yaml', '--json']);
    expect(asked.code).toBe(3);
    expect(reportOf(asked)).toMatchObject({ outcome: 'preflight-failed', iterations: [] });
    expect(reportOf(asked).reason).toContain('"no-such-agent" is not on PATH');
    const skipped = await cli.run(['run', 'a.yaml', '--skip-preflight', '--json']);
    expect(skipped.code).toBe(5);
    expect(reportOf(skipped)).toMatchObject({ outcome: 'driver-failed' });
  });
});
