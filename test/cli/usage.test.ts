import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { openCli, specText } from '../support/cli.ts';

describe('--help', () => {
  test.each([
    ...[['run'], ['check'], ['fix'], ['tdd', 'run'], ['tdd', 'benchmark']],
    ...[['list'], ['doctor'], ['verify-driver']],
  ])('of %s %s shows an example of it', async (...command) => {
    await using cli = await openCli();
    const ended = await cli.run([...command, '--help']);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toContain(`Example:\n  loopgen ${command.join(' ')} `);
  });

  test('of the whole names every command and the classes of exit codes', async () => {
    await using cli = await openCli();
    const { code, stdout } = await cli.run(['--help']);
    expect(code).toBe(0);
    for (const word of ['run', 'check', 'fix', 'tdd', 'list', 'doctor', 'verify-driver', 'Exit codes'])
      expect(stdout).toContain(word);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
  });

  test('without a command the help is shown and the exit code says that something is missing', async () => {
    await using cli = await openCli();
    for (const args of [[], ['tdd']]) {
      const ended = await cli.run(args);
      expect(ended.code).toBe(2);
      expect(ended.stdout + ended.stderr).toContain('Usage: loopgen');
    }
  });
});

describe('a wrong command line ends with exit code 2 before anything is spent', () => {
  const RUN = ['run', 'a.yaml'];
  test.each<[string, readonly string[], RegExp]>([
    ['an unknown command', ['rnu'], /unknown command 'rnu'.*\n.*Did you mean run/is],
    ['an unknown command of tdd', ['tdd', 'bench'], /unknown command 'bench'.*--help/is],
    ['an unknown flag', [...RUN, '--max-iteration', '3'], /unknown option.*Did you mean --max-iterations/is],
    ['a missing spec', ['run'], /missing required argument 'spec'/],
    ['one argument too many', [...RUN, 'b.yaml'], /too many arguments/],
    ['zero iterations', [...RUN, '--max-iterations', '0'], /whole number above zero/],
    ['a negative number', [...RUN, '--max-iterations', '-3'], /whole number above zero|argument missing/],
    ['a word for a number', [...RUN, '-m', 'abc'], /whole number above zero/],
    ['a number with a rest', [...RUN, '--max-iterations=3x'], /whole number above zero/],
    ['a fraction', [...RUN, '-m', '2.5'], /whole number above zero/],
    ['a number without a value', [...RUN, '-m'], /argument missing/],
    ['a wrong log level', [...RUN, '--log-level', 'loud'], /quiet, info, debug/],
    [
      'two baselines',
      [...RUN, '--strict-baseline', '--skip-baseline'],
      /cannot be used with.*--skip-baseline/,
    ],
    ['zero seconds', ['fix', '.', '--timeout', '0'], /seconds above zero/],
    ['options that are no JSON', ['fix', '.', '--driver-options', '{'], /JSON object/],
    ['a temperature below zero', ['tdd', 'run', '.', '--temperature', '-1'], /zero or more|argument missing/],
    ['a kind that is none', ['list', 'driver'], /did you mean "drivers"/],
    ['a spec that is not there', ['run', 'missing.yaml'], /missing\.yaml/],
    ['a folder for a spec', ['run', '.'], /folder|directory/],
    ['a folder that is not there', ['fix', 'missing'], /missing is not a folder/],
    ['a folder without tests', ['fix', '.'], /no test command found.*\n.*--check/s],
    ['a challenge that is none', ['tdd', 'run', '.'], /spec\.md is missing/],
    ['a benchmark of nothing', ['tdd', 'benchmark'], /no challenge is named.*\n.*--all/s],
    ['--all without challenges', ['tdd', 'benchmark', '--all'], /challenges\//],
  ])('%s', async (_, args, message) => {
    await using cli = await openCli();
    await cli.write({ 'a.yaml': specText() });
    const ended = await cli.run(args);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(message);
    expect(ended.stderr).not.toMatch(/\n\s+at /);
    expect(await readdir(cli.dir)).toEqual(['a.yaml']);
  });
});

describe('a wrong spec ends with exit code 2 and is shown at its place', () => {
  const GOOD = `version: 1
name: task
requirements: Do it.
driver: {uses: mock}
evaluators:
  - {uses: command, options: {command: "true"}}
`;

  test('an unknown key has file, line, column, the line, a caret and a suggestion', async () => {
    await using cli = await openCli();
    await cli.write({ 'a.yaml': `${GOOD}limits:\n  maxIteration: 3\n` });
    const { code, stdout, stderr } = await cli.run(['run', 'a.yaml']);
    expect([code, stdout]).toEqual([2, '']);
    const [head, line, caret] = stderr.split('\n');
    expect(head).toMatch(/^a\.yaml:8:3 .*maxIteration/);
    expect(line).toContain('8 │   maxIteration: 3');
    expect(caret?.indexOf('^')).toBe(line?.indexOf('maxIteration'));
    expect(stderr).toContain('maxIterations');
  });

  test.each<[string, string, RegExp]>([
    [
      'a guard key with a typo',
      `${GOOD}limits: {evaluatorGaurd: error}\n`,
      /evaluatorGaurd.*evaluatorGuard/s,
    ],
    ['a section with a typo', `${GOOD}limit: {maxIterations: 3}\n`, /"?limit"?.*limits/s],
    ['a number as text', `${GOOD}limits: {maxIterations: "3"}\n`, /a\.yaml:7:\d+ .*maxIterations/],
    ['zero iterations', `${GOOD}limits: {maxIterations: 0}\n`, /a\.yaml:7:\d+ .*maxIterations/],
    ['what is no YAML', `${GOOD}  : [\n`, /a\.yaml:\d+:\d+ /],
    ['a missing key', GOOD.replace('requirements: Do it.\n', ''), /requirements/],
    [
      'an unknown evaluator',
      GOOD.replace('uses: command', 'uses: comand'),
      /a\.yaml:6:\d+ .*comand.*command/s,
    ],
    ['an unknown driver', GOOD.replace('uses: mock', 'uses: mok'), /a\.yaml:4:\d+ .*mok.*mock/s],
    ['an option of the wrong type', GOOD.replace('"true"', '7'), /a\.yaml:6:\d+ .*command/],
    ['an empty file', '', /a\.yaml/],
  ])('%s', async (_, text, message) => {
    await using cli = await openCli();
    await cli.write({ 'a.yaml': text });
    const ended = await cli.run(['run', 'a.yaml']);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(message);
    expect(await readdir(cli.dir)).toEqual(['a.yaml']);
  });
});

test('--version prints the version alone', async () => {
  await using cli = await openCli();
  const ended = await cli.run(['--version']);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(ended.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});
