import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { renderDoctor } from '../../src/cli/render-doctor.ts';
import type { Diagnosis } from '../../src/compose/doctor.ts';
import { PLAIN } from '../../src/observers/style.ts';
import { fakeCli } from '../drivers/fake-cli.ts';
import { openCli } from '../support/cli.ts';

const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length));

describe('doctor', () => {
  test('shows every subject in 80 columns, without colour, and ends with exit code 0', async () => {
    await using cli = await openCli();
    const { code, stdout, stderr } = await cli.run(['doctor'], { env: { NO_COLOR: '1' } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const word of ['git', 'state', 'temp', 'leftovers', 'bubblewrap', 'pytest', 'grok', 'opencode'])
      expect(stdout).toContain(` ${word} `);
    expect(stdout).toMatch(/\nnothing is missing that every run needs\n$/);
    expect(widest(stdout.replaceAll(cli.dir.replace(/work$/, ''), '/'))).toBeLessThanOrEqual(80);
    expect(stdout).not.toContain('\u001b');
  });

  test('without anything on PATH names what no run can do without, and ends with exit code 3', async () => {
    await using cli = await openCli();
    const { code, stdout } = await cli.run(['doctor'], { env: { PATH: '' } });
    expect(code).toBe(3);
    expect(stdout).toMatch(/✗ git +not installed: apt-get install git/);
    expect(stdout).toMatch(/\nmissing, and no run can do without: git\n$/);
  });

  test('--json gives the same as data', async () => {
    await using cli = await openCli();
    const { code, stdout } = await cli.run(['doctor', '--json'], { env: { PATH: '' } });
    expect(code).toBe(3);
    const { ok, findings } = JSON.parse(stdout) as Diagnosis;
    expect(ok).toBe(false);
    expect(findings).toContainEqual(expect.objectContaining({ name: 'git', status: 'needed' }));
    expect(findings).toContainEqual(expect.objectContaining({ name: 'grok', status: 'absent' }));
  });

  test('is not held up by a program that hangs', async () => {
    await using cli = await openCli();
    await fakeCli(join(cli.dir, 'bin/grok'), 'trap "" TERM\nwhile :; do sleep 1; done');
    const PATH = `${join(cli.dir, 'bin')}:${cli.env['PATH']}`;
    const { code, stdout } = await cli.run(['doctor'], { env: { PATH } });
    expect(code).toBe(0);
    const grok = /\? grok grok is not logged in: [^;]*; it did not tell its version in 2 s/;
    expect(stdout.replace(/\s+/g, ' ')).toMatch(grok);
  });

  test('wraps what is long beside the column of names', () => {
    const says = 'not installed: npm install -g something-with-a-long-name, then log in with its own command';
    const text = renderDoctor(
      { version: '1.0.0', ok: false, findings: [{ about: 'agents', name: 'one', status: 'needed', says }] },
      PLAIN,
    );
    expect(text).toContain(
      '\n  ✗ one  not installed: npm install -g something-with-a-long-name, then log in',
    );
    expect(text).toContain('\n         with its own command\n');
  });
});

describe('list', () => {
  test('of all kinds starts no program, that of drivers does, for their versions', async () => {
    await using cli = await openCli();
    const started = join(cli.dir, 'started');
    await fakeCli(join(cli.dir, 'bin/grok'), `touch ${started}; echo 1.0.41`);
    const env = { PATH: `${join(cli.dir, 'bin')}:${cli.env['PATH']}` };
    const all = await cli.run(['list'], { env });
    expect(all.stdout).toMatch(/✓ grok/);
    await expect(access(started)).rejects.toThrow();
    const drivers = await cli.run(['list', 'drivers'], { env });
    await access(started);
    expect(drivers.stdout.replace(/\s+/g, ' ')).toMatch(/\? grok .* grok is not logged in: run "grok login"/);
    expect(widest(drivers.stdout)).toBeLessThanOrEqual(80);
  });

  test('of drivers gives an agent the sign that doctor gives it', async () => {
    await using cli = await openCli();
    await fakeCli(join(cli.dir, 'bin/grok'), 'echo 1.0.41');
    const PATH = `${join(cli.dir, 'bin')}:${cli.env['PATH']}`;
    for (const [key, sign] of [
      ['', '?'],
      ['k', '✓'],
    ]) {
      const env = { PATH, XAI_API_KEY: key ?? '' };
      for (const args of [['doctor'], ['list', 'drivers']])
        expect((await cli.run(args, { env })).stdout).toContain(`\n  ${sign} grok `);
    }
  });

  test.each([[['list']], [['list', 'drivers']]])(
    '%j with an empty PATH says what is missing',
    async (args) => {
      await using cli = await openCli();
      const { code, stdout } = await cli.run(args, { env: { PATH: '' } });
      expect(code).toBe(0);
      expect(stdout).toMatch(/✗ opencode/);
      expect(stdout).toMatch(/✓ mock/);
    },
  );

  test('drivers --json gives each agent that a driver can lead', async () => {
    await using cli = await openCli();
    const { stdout } = await cli.run(['list', 'drivers', '--json'], { env: { PATH: '' } });
    const drivers = JSON.parse(stdout) as { name: string; available: boolean; agents: object[] }[];
    const named = (name: string) => drivers.find((driver) => driver.name === name);
    expect(named('acp')).toMatchObject({ available: true });
    expect(named('acp')?.agents).toContainEqual(
      expect.objectContaining({
        agent: 'gemini',
        problem: 'not installed: npm install -g @google/gemini-cli',
      }),
    );
    expect(named('grok')).toMatchObject({ available: false, agents: [{ login: 'no' }] });
    expect(named('mock')).toMatchObject({ available: true, agents: [] });
  });

  test('finds the package that a driver needs in the folders above', async () => {
    await using cli = await openCli();
    const lists = async () =>
      (await cli.run(['list', '--json'])).stdout.includes('needs the package @anthropic-ai/claude-agent-sdk');
    expect(await lists()).toBe(true);
    const folder = join(cli.dir, 'node_modules/@anthropic-ai/claude-agent-sdk');
    await mkdir(folder, { recursive: true });
    await cli.write({ [join('node_modules/@anthropic-ai/claude-agent-sdk', 'package.json')]: '{}' });
    expect(await lists()).toBe(false);
  });
});
