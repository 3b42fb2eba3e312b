import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { builtInDrivers } from '../../src/drivers/index.ts';
import { check, openCli, specText } from '../support/cli.ts';
import { fingerprint } from '../support/tree.ts';

const SUITE = `import pytest


def test_good():
    pass


def test_bad():
    assert 1 == 2


@pytest.mark.skip
def test_later():
    pass
`;

describe('check', () => {
  test.each<[string, number, string, RegExp]>([
    ['green', 0, 'true', /✓ check .*\n\ngreen {2}/s],
    ['red', 1, 'echo what is wrong; exit 3', /✗ check {2}exit 3 .*what is wrong.*\n\nred {2}/s],
    [
      'unusable',
      3,
      'no-such-tool-here',
      /\? check {2}could not run \(not-found\).*install it, or.*\n\nunusable {2}/s,
    ],
  ])('%s ends with exit code %i', async (_, code, command, shown) => {
    await using cli = await openCli();
    await cli.write({ 'a.yaml': specText({ evaluators: [check(command)] }), 'w/.keep': '' });
    const ended = await cli.run(['check', 'a.yaml']);
    expect(ended.code).toBe(code);
    expect(ended.stdout).toMatch(shown);
  });

  test('an unusable check is no pass for "not"', async () => {
    await using cli = await openCli();
    const success = { type: 'not', of: { type: 'pass', evaluators: ['check'] } };
    await cli.write({
      'gone.yaml': specText({ success, evaluators: [check('no-such-tool-here')] }),
      'red.yaml': specText({ success, evaluators: [check('false')] }),
    });
    expect((await cli.run(['check', 'gone.yaml'])).code).toBe(3);
    expect((await cli.run(['check', 'red.yaml'])).code).toBe(0);
  });

  test('lists each test, the failing one with its reason', async () => {
    await using cli = await openCli();
    await cli.write({
      'a.yaml': specText({ evaluators: [{ uses: 'pytest', as: 'unit' }] }),
      'w/test_a.py': SUITE,
    });
    const ended = await cli.run(['check', 'a.yaml']);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toMatch(/✗ unit {2}1 of 3 passed, 1 failed, 1 skipped/);
    expect(ended.stdout).toMatch(/✓ test_a\.py::test_good/);
    expect(ended.stdout).toMatch(/✗ test_a\.py::test_bad {2}AssertionError: assert 1 == 2/);
    expect(ended.stdout).toMatch(/test_a\.py::test_later {2}skipped/);
  });

  test('--json gives verdict, checks and tests', async () => {
    await using cli = await openCli();
    const evaluators = [{ uses: 'pytest', as: 'unit' }, check('false')];
    await cli.write({ 'a.yaml': specText({ evaluators }), 'w/test_a.py': SUITE });
    const ended = await cli.run(['check', 'a.yaml', '--json']);
    expect(ended.code).toBe(1);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      spec: 'task',
      workdir: join(cli.dir, 'w'),
      verdict: { status: 'fail' },
      checks: [
        { name: 'unit', status: 'fail', judgedBy: 'test-ids', tests: { total: 3, passed: 1 } },
        { name: 'check', status: 'fail', judgedBy: 'exit-code' },
      ],
    });
  });

  test('runs no agent, changes no file and leaves no records', async () => {
    await using cli = await openCli();
    const driver = { uses: 'command', options: { command: 'touch ran' } };
    await cli.write({ 'a.yaml': specText({ driver }), 'w/kept.txt': 'kept' });
    const before = await fingerprint(cli.dir);
    expect((await cli.run(['check', 'a.yaml'])).code).toBe(1);
    expect(await fingerprint(cli.dir)).toEqual(before);
    await expect(readdir(cli.env['XDG_STATE_HOME'] ?? '')).rejects.toThrow('ENOENT');
  });

  test('the checks get no terminal, no input, CI=1 and no keys', async () => {
    await using cli = await openCli();
    const command = [
      'test "$CI" = 1 && ! test -t 0 && ! test -t 1',
      'test -z "$(cat)" && ! (: </dev/tty) 2>/dev/null',
      'test -z "$OPENAI_API_KEY$ANTHROPIC_API_KEY$MINE" && test "$PASSED" = yes',
    ].join(' && ');
    await cli.write({ 'a.yaml': specText({ evaluators: [check(command)], env: { pass: ['PASSED'] } }) });
    const env = { CI: 'false', OPENAI_API_KEY: 'k1', ANTHROPIC_API_KEY: 'k2', MINE: 'x', PASSED: 'yes' };
    const ended = await cli.run(['check', 'a.yaml'], { env });
    expect(ended.stdout).toContain('green');
    expect(ended.code).toBe(0);
  });

  test('values of variables that look like keys are replaced in what is shown', async () => {
    await using cli = await openCli();
    const evaluators = [check('echo "the key is $MY_API_KEY"; false')];
    await cli.write({ 'a.yaml': specText({ evaluators, env: { pass: ['MY_API_KEY'] } }) });
    const ended = await cli.run(['check', 'a.yaml'], { env: { MY_API_KEY: 'sk-1234567890abcdef' } });
    expect(ended.stdout).toContain('the key is');
    expect(ended.stdout).not.toContain('sk-1234567890abcdef');
  });

  test('the time limit of a check is told as such', async () => {
    await using cli = await openCli();
    const evaluators = [check('echo got so far; sleep 300', { timeoutMs: 300 })];
    await cli.write({ 'a.yaml': specText({ evaluators }) });
    const ended = await cli.run(['check', 'a.yaml']);
    expect(ended.code).toBe(3);
    expect(ended.stdout).toMatch(
      /\? check {2}could not run \(timeout\).*timed out after 0\.3 s.*got so far/s,
    );
  });
});

describe('list', () => {
  const KINDS: Readonly<Record<string, readonly string[]>> = {
    drivers: builtInDrivers.map(({ name }) => name),
    evaluators: ['command', 'experiment', 'node-test', 'pytest', 'tests', 'unittest', 'vitest'],
    tasks: ['api', 'experiment', 'function', 'generic', 'webapp'],
    observers: ['jsonl'],
  };

  test('shows every kind', async () => {
    await using cli = await openCli();
    const ended = await cli.run(['list']);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    for (const [kind, names] of Object.entries(KINDS))
      for (const word of [kind, ...names]) expect(ended.stdout).toContain(word);
  });

  test('shows one kind alone', async () => {
    await using cli = await openCli();
    const ended = await cli.run(['list', 'observers']);
    expect(ended.stdout).toContain('jsonl');
    expect(ended.stdout).not.toContain('pytest');
  });

  test('--json gives names, descriptions and whether each can be used', async () => {
    await using cli = await openCli();
    const listed = JSON.parse((await cli.run(['list', '--json'])).stdout) as Record<string, unknown>[];
    for (const [kind, names] of Object.entries(KINDS)) {
      const found = listed.filter((entry) => entry['kind'] === kind).map((entry) => entry['name']);
      expect(found).toEqual(expect.arrayContaining([...names]));
    }
    for (const entry of listed) expect(entry['available']).toEqual(expect.any(Boolean));
  });
});
