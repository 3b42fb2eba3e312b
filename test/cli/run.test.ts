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

describe('--dry-run', () => {
  test('shows prompt, guards, caps and commands, runs nothing and writes nothing', async () => {
    await using cli = await openCli();
    const spec = specText({
      requirements: 'Make the check green.',
      driver: { uses: 'command', options: { command: 'touch agent-ran' } },
      evaluators: [check('touch check-ran && false')],
      protect: ['secret/**'],
      limits: { maxCostUsd: 2, unknownUsage: 'ignore' },
    });
    await cli.write({ 'a.yaml': spec });
    const ended = await cli.run([
      'run',
      'a.yaml',
      '--dry-run',
      '--report',
      'r/r.json',
      '--trace',
      't/t.jsonl',
    ]);
    expect(ended.code).toBe(0);
    for (const part of ['Make the check green.', 'secret/**', 'touch check-ran && false', 'maxCostUsd'])
      expect(ended.stdout).toContain(part);
    expect(await readdir(cli.dir)).toEqual(['a.yaml']);
    await expect(readdir(cli.env['XDG_STATE_HOME'] ?? '')).rejects.toThrow('ENOENT');
  });

  test('--json gives the same as data', async () => {
    await using cli = await openCli();
    await cli.write({ 'a.yaml': specText() });
    const plan = JSON.parse((await cli.run(['run', 'a.yaml', '--dry-run', '--json', '-m', '7'])).stdout);
    expect(plan).toMatchObject({ spec: { limits: { maxIterations: 7 } }, workdir: join(cli.dir, 'w') });
    expect(plan.firstPrompt.prompt).toContain('Write done.txt.');
  });

  test('a wrong option of a plug-in is told at its place', async () => {
    await using cli = await openCli();
    await cli.write({ 'a.yaml': specText({ evaluators: [check('true', { options: { comand: 'true' } })] }) });
    const ended = await cli.run(['run', 'a.yaml', '--dry-run']);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(/^a\.yaml:1:\d+ .*comand/);
    expect(ended.stderr).toContain('did you mean "command"');
  });
});

test('--trace writes the five kinds of records, in the order of the run', async () => {
  await using cli = await openCli();
  await cli.write({
    'a.yaml': specText({ task: { type: 'novel' } }),
    'trace/t.jsonl': 'of an earlier run\n',
  });
  const ended = await cli.run(['run', 'a.yaml', '--trace', 'trace/t.jsonl', '--json']);
  const lines = (await cli.read('trace/t.jsonl')).trimEnd().split('\n');
  const records = lines.map((line) => JSON.parse(line));
  expect(records.map((record) => record.type)).toEqual([
    'run.start',
    'signal',
    'agent.event',
    'agent.event',
    'iteration.end',
    'run.end',
  ]);
  const { runId, diffStat } = reportOf(ended);
  expect(new Set(records.map((record) => record.runId))).toEqual(new Set([runId]));
  expect(records.at(-1)).toMatchObject({ outcome: 'success', iterations: 1, diffStat });
});

test('a trace that cannot be written is missed before anything is spent', async () => {
  await using cli = await openCli();
  await cli.write({ 'a.yaml': specText(), 't/.keep': '' });
  const trace = await cli.run(['run', 'a.yaml', '--trace', 't']);
  expect(trace).toMatchObject({ code: 2, stdout: '' });
  expect(trace.stderr).toContain('it is a folder');
  const report = await cli.run(['run', 'a.yaml', '--report', 'a.yaml/r.json']);
  expect(report).toMatchObject({ code: 2, stdout: '' });
  expect(await readdir(cli.dir)).toEqual(['a.yaml', 't']);
});

test('-v shows what the agent prints, as it does', async () => {
  await using cli = await openCli();
  const driver = { uses: 'command', options: { command: 'echo "reading the code"; echo x > done.txt' } };
  await cli.write({ 'a.yaml': specText({ driver }) });
  const verbose = await cli.run(['run', 'a.yaml', '-v']);
  expect(verbose.code).toBe(0);
  const live = verbose.stderr.slice(0, verbose.stderr.indexOf('agent  '));
  expect(live).toContain('reading the code');
  await rm(join(cli.dir, 'w'), { recursive: true });
  const control = await cli.run(['run', 'a.yaml']);
  expect(control.stderr.slice(0, control.stderr.indexOf('agent  '))).not.toContain('reading the code');
});

test('odd names of files are work as any, and are shown on one line each', async () => {
  await using cli = await openCli();
  const names = ['ü.py', 'a b.py', 'q"x', 'n\nl.py', '-rf', 'tab\tname'];
  const files = Object.fromEntries(names.map((name) => [name, 'x\n']));
  await cli.write({
    'a.yaml': specText({
      driver: { uses: 'mock', options: { steps: [{ files, run: 'touch "$(printf \'byte\\377\')"' }] } },
      evaluators: [check('test -f ./-rf')],
    }),
  });
  const ended = await cli.run(['run', 'a.yaml', '--report', 'r.json']);
  const { changedFiles } = JSON.parse(await cli.read('r.json'));
  const paths = changedFiles.map((file: { readonly path: string }) => file.path);
  expect(paths).toEqual(expect.arrayContaining(names));
  expect(paths).toHaveLength(names.length + 1);
  expect(ended.stdout + ended.stderr).not.toContain('n\nl.py');
});

test('locale and time zone change nothing: stamps are UTC, numbers have a point', async () => {
  await using cli = await openCli();
  await cli.write({ 'a.yaml': specText() });
  const env = { LC_ALL: 'de_DE.UTF-8', LANG: 'ar_EG.UTF-8', TZ: 'Asia/Kathmandu' };
  const before = Date.now();
  const ended = await cli.run(['run', 'a.yaml', '--json'], { env });
  const { startedAt, outcome } = reportOf(ended);
  expect(outcome).toBe('success');
  expect(startedAt).toMatch(/Z$/);
  expect(Math.abs(Date.parse(startedAt) - before)).toBeLessThan(60_000);
  expect(ended.stderr).toMatch(/\d\.\d s/);
});
