import { expect, test } from 'vitest';
import type { ConformanceReport } from '../../src/testing/conformance/scenario.ts';
import { openCli } from '../support/cli.ts';

test('a driver that keeps the contract ends with exit code 0 and a report in 80 columns', async () => {
  await using cli = await openCli();
  const { code, stdout, stderr } = await cli.run(['verify-driver', 'mock']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^driver mock: 10 passed, 0 failed, 3 skipped/);
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
});

test('one that does not ends with exit code 1, and --json gives the whole', async () => {
  await using cli = await openCli();
  const skip = ['handles-an-abort', 'ends-on-time', 'leaves-no-process'].flatMap((id) => ['--skip', id]);
  const { code, stdout } = await cli.run(['verify-driver', 'none', '--json', ...skip]);
  const report = JSON.parse(stdout) as ConformanceReport;
  expect(code).toBe(1);
  expect(report.scenarios).toContainEqual(
    expect.objectContaining({ id: 'creates-a-file', status: 'failed', because: expect.any(String) }),
  );
  expect(report.scenarios).toContainEqual(
    expect.objectContaining({ id: 'ends-on-time', status: 'skipped', because: 'as asked' }),
  );
});

test('a driver led by a scripted model needs no account', async () => {
  await using cli = await openCli();
  const options = JSON.stringify({ numCtx: 1_000_000 });
  const { code, stdout } = await cli.run(['verify-driver', 'ollama', '--scripted', '--options', options]);
  expect(stdout).toContain('✓ tells a rate limit');
  expect(code).toBe(0);
});

test('one that cannot run here ends with exit code 3 and says what mends it', async () => {
  await using cli = await openCli();
  const { code, stdout } = await cli.run(['verify-driver', 'grok']);
  expect(code).toBe(3);
  expect(stdout.replace(/\s+/g, ' ')).toContain('install it with "npm install -g @xai-official/grok"');
});

test.each<[string, readonly string[], RegExp]>([
  ['an unknown driver', ['groc'], /"groc" is not a driver.*did you mean "grok"/s],
  ['an unknown scenario', ['mock', '--skip', 'creates-file'], /did you mean "creates-a-file"/],
  ['options that the driver refuses', ['mock', '--options', '{"stepz": []}'], /did you mean "steps"/],
  ['a driver of nobody knows which agent', ['acp', '--scripted'], /acp:gemini/],
  [
    'a driver without a wiring',
    ['replay', '--scripted', '--options', '{"file": "summary.json", "target": "a.py"}'],
    /a driver of this repository needs its row in src\/testing\/conformance\/wiring\.ts; one of your own, .*optionsFor/,
  ],
])('%s ends with exit code 2', async (_, args, told) => {
  await using cli = await openCli();
  const { code, stderr } = await cli.run(['verify-driver', ...args]);
  expect(code).toBe(2);
  expect(stderr).toMatch(told);
});

test('the driver that changes nothing is not tried, and one line says so', async () => {
  await using cli = await openCli();
  const { code, stdout } = await cli.run(['verify-driver', 'none']);
  expect({ code, lines: stdout.trim().split('\n') }).toEqual({
    code: 0,
    lines: ['driver none changes nothing, it only lets the checks run, and so it is not tried'],
  });
});
