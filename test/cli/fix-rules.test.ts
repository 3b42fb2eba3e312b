import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { check, openCli, reportOf, specText } from '../support/cli.ts';
import { CHEAT, project, steps, TEST } from './red-project.ts';

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

  test('can be edited where no rule guards it: the same cheat is green without a room, and red in one', async () => {
    await using cli = await openCli();
    await project(cli);
    const spec = (confirm: 'room' | 'rerun') =>
      specText({
        workspace: { dir: 'p', mode: 'copy' },
        driver: { uses: 'mock', options: { steps: [{ files: { 'tests/test_target.py': CHEAT } }] } },
        evaluators: [check('python3 -m pytest')],
        limits: { evaluatorGuard: 'off', confirm, maxIterations: 1 },
      });
    await cli.write({ 'rerun.yaml': spec('rerun'), 'room.yaml': spec('room') });
    expect(reportOf(await cli.run(['run', 'rerun.yaml', '--json'])).success).toBe(true);
    const inRoom = reportOf(await cli.run(['run', 'room.yaml', '--json']));
    expect(inRoom.success).toBe(false);
    expect(inRoom.iterations[0]?.keptOut.map(({ path }) => path)).toEqual(['tests/test_target.py']);
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
