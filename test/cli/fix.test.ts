import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type Cli, check, openCli, reportOf, specText, until } from '../support/cli.ts';
import { fingerprint } from '../support/tree.ts';

const run = promisify(execFile);

const WRONG = 'def add(a, b):\n    return a - b\n';
const RIGHT = 'def add(a, b):\n    return a + b\n';
const TEST = 'from target import add\n\n\ndef test_target():\n    assert add(2, 3) == 5\n';
const CHEAT = 'def test_target():\n    assert True\n';

/** A red project with one test, run by pytest from its root. */
async function project(cli: Cli, more: Readonly<Record<string, string>> = {}): Promise<void> {
  await cli.write({ 'p/target.py': WRONG, 'p/conftest.py': '', 'p/tests/test_target.py': TEST, ...more });
}

const steps = (...files: readonly Record<string, string>[]) => [
  '--driver',
  'mock',
  '--driver-options',
  JSON.stringify({ steps: files.map((each) => ({ files: each })) }),
];
const mended = steps({ 'target.py': RIGHT });

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

describe('what judges', () => {
  test('is put back when an agent edits it, and told as refused', async () => {
    await using cli = await openCli();
    await project(cli);
    const cheats = steps({ 'tests/test_target.py': CHEAT }, { 'tests/test_target.py': `${CHEAT}\n` });
    const ended = await cli.run(['fix', 'p', ...cheats]);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain('outcome: no_progress');
    expect(ended.stdout).toContain('attempts 2, edits 0 applied / 2 refused, 3 test runs');
    expect(ended.stdout).toMatch(/#1 tests\/test_target\.py +refused +fail/);
    expect(await cli.read('p/tests/test_target.py')).toBe(TEST);
  });

  test('can be edited where no rule guards it: the same cheat is green', async () => {
    await using cli = await openCli();
    await project(cli);
    const spec = specText({
      workspace: { dir: 'p', mode: 'copy' },
      driver: { uses: 'mock', options: { steps: [{ files: { 'tests/test_target.py': CHEAT } }] } },
      evaluators: [check('python3 -m pytest')],
      limits: { evaluatorGuard: 'off' },
    });
    await cli.write({ 'a.yaml': spec });
    expect(reportOf(await cli.run(['run', 'a.yaml', '--json']))).toMatchObject({ success: true });
  });

  test.each(['conftest.py', 'pyproject.toml', 'setup.cfg', 'test_new.py', '.git/hooks/pre-commit'])(
    'a new or edited %s is refused',
    async (path) => {
      await using cli = await openCli();
      await project(cli);
      const report = reportOf(await cli.run(['fix', 'p', ...steps({ [path]: '#\n' }), '--json', '-v']));
      expect(report.iterations[0]?.refused.map((refusal) => refusal.path)).toEqual([path]);
      expect(report.success).toBe(false);
    },
  );

  test('an edit of a one-shot proposer that makes things worse is undone, unless --no-revert', async () => {
    await using cli = await openCli();
    const two = `${TEST}\n\ndef test_two():\n    assert add(1, 0) == 1\n`;
    await project(cli, { 'p/tests/test_target.py': two });
    const recording = (code: string) => ({
      challenge: 'c',
      model: 'm',
      attempts: [{ n: 1, reasoning: 'r', code }],
    });
    await cli.write({ 'r.json': JSON.stringify(recording('def add(a, b):\n    return None\n')) });
    const options = JSON.stringify({ file: join(cli.dir, 'r.json'), target: 'target.py' });
    const replay = ['--driver', 'replay', '--driver-options', options];
    const fix = async (...more: string[]) =>
      reportOf(await cli.run(['fix', 'p', ...replay, ...more, '--json'])).iterations[0]?.reverted;
    expect(await fix()).toBe('regression');
    expect(await fix('--no-revert')).toBeUndefined();
  });
});

describe('what is asked for', () => {
  test('--task is what the agent is told', async () => {
    await using cli = await openCli();
    await project(cli);
    const options = JSON.stringify({ command: `cat >${cli.dir}/prompt` });
    await cli.run([
      ...['fix', 'p', '--task', 'Make the sum right, in words of one syllable.', '--max-attempts', '1'],
      ...['--driver', 'command', '--driver-options', options],
    ]);
    expect(await cli.read('prompt')).toContain('Make the sum right, in words of one syllable.');
    expect(await cli.read('prompt')).toContain('tests/test_target.py::test_target');
  });

  test('--max-attempts is the last resort, and each --check must pass', async () => {
    await using cli = await openCli();
    await cli.write({ 'p/a': '' });
    const options = ['--check', 'grep -q 1 a', '--check', 'cat a; grep -q 3 a'];
    const ended = await cli.run([
      ...['fix', 'p', ...options, '--max-attempts', '2', '--json'],
      ...steps({ a: '1' }, { a: '12' }, { a: '123' }),
    ]);
    const report = reportOf(ended);
    expect([ended.code, report.outcome]).toEqual([1, 'max-iterations']);
    const last = report.iterations.at(-1)?.evaluations.map(({ name, status }) => [name, status]);
    expect(last).toEqual([
      ['check-1', 'pass'],
      ['check-2', 'fail'],
    ]);
    const more = await cli.run([
      'fix',
      'p',
      ...options,
      '--json',
      ...steps({ a: '1' }, { a: '12' }, { a: '123' }),
    ]);
    expect([more.code, reportOf(more).iterations.length]).toEqual([0, 3]);
  });

  test('a test that hangs fails by its id, and the others run', async () => {
    await using cli = await openCli();
    const hangs = 'import time\n\n\ndef test_hangs():\n    time.sleep(300)\n\n\ndef test_fine():\n    pass\n';
    await project(cli, { 'p/tests/test_target.py': hangs });
    const ended = await cli.run(['fix', 'p', '--timeout', '9', '--patience', '1', '--json']);
    const tests = reportOf(ended).baseline?.evaluations[0]?.tests;
    expect(tests?.failing.map((failure) => failure.id)).toEqual(['tests/test_target.py::test_hangs']);
    expect(tests?.passed).toBe(1);
  });
});
