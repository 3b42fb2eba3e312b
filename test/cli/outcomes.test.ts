import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readJournal } from '../../src/journal/journal.ts';
import { replay } from '../../src/journal/replay.ts';
import { CLI_ARGS, check, onlyRunDir, openCli, reportOf, specText, until } from '../support/cli.ts';

const mock = (...steps: unknown[]) => ({ uses: 'mock', options: { steps } });
const edits = (n: number) => Array.from({ length: n }, (_, i) => ({ files: { 'done.txt': String(i) } }));

describe('each class of outcome has its exit code', () => {
  test.each<[string, number, Record<string, unknown>]>([
    ['success', 0, {}],
    [
      'no-progress',
      1,
      { driver: mock(...edits(9)), evaluators: [check('echo wrong; false')], limits: { maxIterations: 9 } },
    ],
    ['gave-up', 1, { driver: mock({ stopReason: 'gave-up', summary: 'no idea left' }) }],
    [
      'max-iterations',
      1,
      {
        driver: mock(...edits(2)),
        evaluators: [check('cat done.txt; false')],
        limits: { maxIterations: 2 },
      },
    ],
    [
      'budget-exceeded',
      1,
      {
        driver: mock({ usage: { costUsd: 0.4 } }, { usage: { costUsd: 0.7 } }),
        limits: { maxCostUsd: 1 },
      },
    ],
    [
      'unconfirmed',
      1,
      {
        // Green only where it was red before: in the kept room, not in a fresh one.
        driver: mock({ files: { 'done.txt': '1' } }, { files: { 'done.txt': '2' } }),
        evaluators: [check('test -f done.txt && (test -f seen || ! touch seen)')],
        limits: { maxIterations: 2 },
      },
    ],
    ['baseline-vacuous', 3, { evaluators: [check('true')] }],
    ['unrunnable', 3, { evaluators: [check('no-such-tool-here --all')] }],
    ['preflight-failed', 3, { driver: { uses: 'command', options: { command: ['no-such-agent'] } } }],
    [
      'evaluator-tampered',
      4,
      {
        driver: mock({ files: { 'check.sh': 'exit 0\n', 'done.txt': 'x' } }),
        evaluators: [check('sh check.sh')],
      },
    ],
    ['driver-failed', 5, { driver: { uses: 'command', options: { command: 'echo not logged in; exit 7' } } }],
  ])('%s: %i', async (outcome, code, change) => {
    await using cli = await openCli();
    await cli.write({ 'a.yaml': specText(change), 'w/check.sh': 'test -f done.txt\n' });
    const ended = await cli.run(['run', 'a.yaml', '--json']);
    const report = reportOf(ended);
    expect([report.outcome, ended.code, report.success]).toEqual([outcome, code, code === 0]);
    expect(report.reason).not.toBe('');
    const events = readJournal(join(await onlyRunDir(join(cli.dir, '.loopgen')), 'events.jsonl'));
    expect(replay(events)).toEqual(report);
  });

  test('spec-tampered: 4, the spec is put back and the edit is kept', async () => {
    await using cli = await openCli();
    const easy = specText({ workspace: { dir: '.' }, evaluators: [check('true')] });
    const spec = specText({
      workspace: { dir: '.' },
      driver: mock({ files: { 'a.yaml': easy, 'done.txt': 'x' } }),
    });
    await cli.write({ 'a.yaml': spec });
    const ended = await cli.run(['run', 'a.yaml', '--json', '--state-dir', '../records']);
    expect([ended.code, reportOf(ended).outcome]).toEqual([4, 'spec-tampered']);
    expect(await cli.read('a.yaml')).toBe(spec);
    const dir = await onlyRunDir(join(cli.dir, '../records'));
    expect(await readFile(join(dir, 'refused-01.patch'), 'utf8')).toContain('a/a.yaml');
  });

  test('the same cheat succeeds where the guard is off', async () => {
    await using cli = await openCli();
    const cheat = {
      driver: mock({ files: { 'check.sh': 'exit 0\n' } }),
      evaluators: [check('sh check.sh')],
    };
    await cli.write({
      'guarded.yaml': specText(cheat),
      'open.yaml': specText({ ...cheat, limits: { evaluatorGuard: 'off' } }),
      'w/check.sh': 'test -f done.txt\n',
    });
    const guarded = reportOf(await cli.run(['run', 'guarded.yaml', '--json']));
    expect(guarded).toMatchObject({ success: false, outcome: 'no-progress' });
    expect(await cli.read('w/check.sh')).toBe('test -f done.txt\n');
    expect(reportOf(await cli.run(['run', 'open.yaml', '--json']))).toMatchObject({ success: true });
  });
});

describe('what an agent says decides nothing', () => {
  test('"done" with a red check goes on', async () => {
    await using cli = await openCli();
    const driver = mock({ summary: 'All tests pass. DONE. Task complete.' }, { files: { 'done.txt': 'x' } });
    await cli.write({ 'a.yaml': specText({ driver }) });
    const report = reportOf(await cli.run(['run', 'a.yaml', '--json']));
    expect([report.outcome, report.iterations.length]).toEqual(['success', 2]);
  });

  test('a list that is ticked off under a silent red check goes on, talk that is repeated does not', async () => {
    await using cli = await openCli();
    const ticks = Array.from({ length: 5 }, (_, i) => ({
      files: { 'done.txt': 'x\n'.repeat(i + 1) },
      summary: 'still working on it',
    }));
    const evaluators = [check('test "$(wc -l <done.txt 2>/dev/null)" -ge 5')];
    const limits = { maxIterations: 9, patience: 2 };
    const idle = mock(...ticks.map(({ summary }, i) => ({ summary: `${summary} ${i}` })));
    await cli.write({
      'ticks.yaml': specText({ driver: mock(...ticks), evaluators, limits }),
      'idle.yaml': specText({ driver: idle, evaluators, limits, workspace: { dir: 'idle' } }),
    });
    const report = reportOf(await cli.run(['run', 'ticks.yaml', '--json']));
    expect([report.outcome, report.iterations.length]).toEqual(['success', 5]);
    const control = reportOf(await cli.run(['run', 'idle.yaml', '--json']));
    expect([control.outcome, control.iterations.length]).toEqual(['no-progress', 2]);
  });

  test('an agent that fails, but did the work, is done', async () => {
    await using cli = await openCli();
    const driver = { uses: 'command', options: { command: 'touch done.txt; echo "still to do"; exit 1' } };
    await cli.write({ 'a.yaml': specText({ driver }) });
    const report = reportOf(await cli.run(['run', 'a.yaml', '--json']));
    expect(report).toMatchObject({ outcome: 'success', iterations: [{ agent: { stopReason: 'error' } }] });
  });
});

test('a machine without git is told so before the agent is paid for', async () => {
  await using cli = await openCli();
  await cli.write({ 'a.yaml': specText(), 'bin/.keep': '' });
  const ended = await cli.run(['run', 'a.yaml', '--json'], { env: { PATH: join(cli.dir, 'bin') } });
  const report = reportOf(ended);
  expect([ended.code, report.outcome, report.iterations]).toEqual([3, 'preflight-failed', []]);
  expect(report.reason).toContain('install git');
});

describe('one run per tree', () => {
  /** An agent that stays in its turn until it is told to go. */
  const waits = specText({
    driver: { uses: 'command', options: { command: 'touch begun; until test -f go; do sleep 0.05; done' } },
    evaluators: [check('test -f go')],
  });

  test.each([
    ['by its own name', '.'],
    ['by a link', '../link'],
    ['by a detour', 'w/..'],
  ])('a second one is refused while the first lives: %s', async (_, base) => {
    await using cli = await openCli();
    await cli.write({ 'a.yaml': waits, 'b.yaml': specText({ evaluators: [check('test -f w/other')] }) });
    await symlink(cli.dir, join(cli.dir, '../link'));
    const first = cli.start(['run', 'a.yaml', '--json']);
    await until(() => existsSync(join(cli.dir, 'w/begun')) || undefined);
    const second = await cli.run(['run', 'b.yaml', '-b', base, '--json']);
    expect(second).toMatchObject({ code: 3, stdout: '' });
    expect(await readdir(join(cli.dir, '.loopgen/runs'))).toHaveLength(1);
    expect(second.stderr).toContain(`another run works in ${join(cli.dir, 'w')}: process ${first.pid}`);
    await writeFile(join(cli.dir, 'w/go'), '');
    const ended = await first.ended;
    expect([ended.code, reportOf(ended).outcome]).toEqual([0, 'success']);
    expect((await cli.run(['run', 'b.yaml', '-b', base, '--json'])).code).toBe(1);
  });
});

test('a journal that cannot be written any more ends the run with exit code 70 and says so', async () => {
  await using cli = await openCli();
  // Each round of the check adds some six kilobytes to the journal; files may hold 24.
  const spec = specText({
    driver: mock(...edits(9)),
    evaluators: [check('cat done.txt; head -c 6000 /dev/zero | tr "\\0" x; false')],
    limits: { maxIterations: 9 },
  });
  await cli.write({ 'a.yaml': spec });
  await cli.run(['list']); // Fills the loader's cache, which the limit would hit as well.
  const args = [...CLI_ARGS, 'run', 'a.yaml'];
  const child = spawn('bash', ['-c', 'ulimit -f 24; exec "$@"', 'bash', process.execPath, ...args], {
    cwd: cli.dir,
    env: cli.env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let told = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    told += text;
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(70);
  expect(told).toMatch(/error {7}the journal cannot be written/);
  const journal = join(await onlyRunDir(join(cli.dir, '.loopgen')), 'events.jsonl');
  const lines = (await readFile(journal, 'utf8')).split('\n');
  expect(lines.pop()).toBe('');
  expect(readJournal(journal)).toHaveLength(lines.length);
});
