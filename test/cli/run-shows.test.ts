import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { check, openCli, reportOf, specText } from '../support/cli.ts';

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
