import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CLI_ARGS, type Cli, check, openCli, recordedReport, reportOf, specText } from '../support/cli.ts';

const ESCAPE = /\u001b/;
/** Red in the baseline, green after one turn, with colour and more than one pipe buffer of noise. */
const LOUD = specText({
  evaluators: [
    check('printf "\\033[31mred\\033[0m\\n"; head -c 70000 /dev/zero | tr "\\0" x; echo; test -f done.txt'),
  ],
});

describe('for programs', () => {
  test('--json leaves standard output to the report', async () => {
    await using cli = await openCli();
    await cli.write({ 'a.yaml': specText() });
    const ended = await cli.run(['run', 'a.yaml', '--json', '-v']);
    expect(reportOf(ended)).toMatchObject({ outcome: 'success', spec: 'task' });
    expect(ended.stderr).toContain('iteration 1');
  });

  test('a red and an unusable end give a report too', async () => {
    await using cli = await openCli();
    const idle = { uses: 'mock', options: { steps: [] } };
    await cli.write({
      'red.yaml': specText({ driver: idle, limits: { patience: 1 } }),
      'unusable.yaml': specText({ evaluators: [check('no-such-tool-here')] }),
    });
    expect(reportOf(await cli.run(['run', 'red.yaml', '--json'])).outcome).toBe('no-progress');
    expect(reportOf(await cli.run(['run', 'unusable.yaml', '--json'])).outcome).toBe('unrunnable');
  });

  test('--log-level quiet leaves standard error empty', async () => {
    await using cli = await openCli();
    await cli.write({ 'a.yaml': specText() });
    const ended = await cli.run(['run', 'a.yaml', '--log-level', 'quiet']);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toContain('success');
  });
});

describe('colour', () => {
  test('a pipe gets no escape codes, not even those of a check', async () => {
    await using cli = await openCli();
    await cli.write({ 'a.yaml': LOUD });
    const ended = await cli.run(['run', 'a.yaml', '-v']);
    expect(ended.code).toBe(0);
    expect(ended.stdout + ended.stderr).not.toMatch(ESCAPE);
  });

  test('FORCE_COLOR gives a pipe colour, and NO_COLOR stands over it', async () => {
    await using cli = await openCli();
    await cli.write({ 'a.yaml': specText() });
    const list = async (env: Record<string, string>) =>
      (await cli.run(['run', 'a.yaml', '--dry-run'], { env })).stdout;
    expect(await list({ FORCE_COLOR: '1' })).toMatch(ESCAPE);
    expect(await list({ FORCE_COLOR: '1', NO_COLOR: '1' })).not.toMatch(ESCAPE);
  });
});

describe('a reader that goes away', () => {
  test.each([
    ['standard output', '{ CLI; echo $? >code; } | head -c 5'],
    ['standard error', '{ CLI; echo $? >code; } 2>&1 >/dev/null | head -n 1'],
    ['a closed standard output', '{ CLI; echo $? >code; } >&-'],
    ['a closed standard error', '{ CLI; echo $? >code; } 2>&-'],
  ])('%s: the run finishes in silence and its records are whole', async (_, line) => {
    await using cli = await openCli();
    await cli.write({ 'a.yaml': LOUD });
    const told = await shell(cli, line);
    expect(await cli.read('code')).toBe('0\n');
    expect(told).not.toMatch(/EPIPE|Error|\bat .*\.ts/);
    expect(await recordedReport(join(cli.dir, '.loopgen'))).toMatchObject({ outcome: 'success' });
  });

  test.skipIf(!existsSync('/dev/full'))('an output that a full disk swallows is an error', async () => {
    await using cli = await openCli();
    await cli.write({ 'a.yaml': specText() });
    const told = await shell(cli, '{ CLI --json --log-level quiet; echo $? >code; } >/dev/full');
    // Another run on this machine may have left something, which is told too.
    const own = told.replace(/^loopgen: ended a process that a killed run left: .*\n/gm, '');
    expect(own).toMatch(/^loopgen: standard output could not be written: ENOSPC.*\n$/);
    expect(await cli.read('code')).toBe('70\n');
  });

  test('a report larger than a pipe is whole', async () => {
    await using cli = await openCli();
    const many = Array.from({ length: 40 }, (_, n) => ({
      ...check(`head -c 6000 /dev/zero | tr '\\0' y; false`),
      as: `check-${n}`,
    }));
    await cli.write({ 'a.yaml': specText({ evaluators: many, limits: { maxIterations: 1 } }) });
    const told = await shell(cli, 'CLI --json --log-level quiet | (sleep 0.2; cat)');
    expect(told.length).toBeGreaterThan(70_000);
    expect(JSON.parse(told).iterations).toHaveLength(1);
  });
});

test('a spec is read the same with CRLF, a byte order mark and without a final line feed', async () => {
  await using cli = await openCli();
  const lines = [
    'version: 1',
    'name: odd',
    'requirements: |',
    '  Write it.',
    '  Then stop.',
    'workspace: {dir: w}',
    'driver: {uses: mock, options: {steps: [{files: {done.txt: x}}]}}',
    'evaluators: [{uses: command, as: c, options: {command: test -f done.txt}}]',
  ];
  await cli.write({ 'plain.yaml': `${lines.join('\n')}\n`, 'odd.yaml': `\ufeff${lines.join('\r\n')}` });
  const plan = async (file: string) =>
    JSON.parse((await cli.run(['run', file, '--dry-run', '--json'])).stdout).firstPrompt;
  expect(await plan('odd.yaml')).toEqual(await plan('plain.yaml'));
});

/** Runs `CLI` (a run of `a.yaml`) inside a line of shell; everything that the line printed. */
async function shell(cli: Cli, line: string): Promise<string> {
  const quoted = [process.execPath, ...CLI_ARGS, 'run', 'a.yaml'].map((word) => `'${word}'`).join(' ');
  const child = spawn('bash', ['-c', line.replace('CLI', quoted)], {
    cwd: cli.dir,
    env: cli.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let told = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      told += text;
    });
  await once(child, 'close');
  return told;
}
