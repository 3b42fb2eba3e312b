import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { keysOf } from '../../src/compose/opened-driver.ts';
import { acpDriver } from '../../src/drivers/acp.ts';
import { type AcpOptions, argsOf, environmentOf, modelOf, modeOf } from '../../src/drivers/acp-options.ts';
import { PRESETS, type Preset } from '../../src/drivers/acp-presets.ts';
import { usageOf } from '../../src/drivers/acp-usage.ts';
import { Counter } from '../../src/drivers/counter.ts';
import { tempDir } from '../support/temp-dir.ts';
import { acpAgent } from './acp-agents.ts';
import { isAlive } from './processes.ts';
import { optionsOf } from './turn.ts';

const read = (options: object): Promise<AcpOptions> => optionsOf(acpDriver, options);

describe('options', () => {
  test.each([
    [{}, 'needs a preset (claude, codex'],
    [{ preset: 'cursor' }, 'preset: must be one of claude, codex'],
    [{ preset: 'grok', permission: 'ask' }, 'permission: must be allow, deny, or {allow: [kinds]}'],
    [
      { preset: 'grok', permission: { allow: ['write'] } },
      'permission: must be allow, deny, or {allow: [kinds]}',
    ],
    [{ preset: 'grok', premission: 'deny' }, 'did you mean "permission"'],
    [{ preset: 'grok', maxTurns: 3 }, 'unknown option "maxTurns"'],
  ])('%j is refused', async (options, message) => {
    await expect(read(options)).rejects.toThrow(message);
  });

  test('of a preset make its command line, and what they add comes before its last arguments', async () => {
    const options = await read({ preset: 'grok', model: 'grok-5', args: ['--debug'] });
    expect(argsOf(options)).toEqual([
      'agent',
      '--no-leader',
      '--always-approve',
      '--model',
      'grok-5',
      '--debug',
      'stdio',
    ]);
    expect(modelOf(options)).toBeUndefined();
  });

  test('that do not allow everything leave out what would keep the agent from asking', async () => {
    for (const [preset, { unattended = [] }] of Object.entries<Preset>(PRESETS)) {
      const args = argsOf(await read({ preset, permission: { allow: ['read'] } }));
      expect(args).toEqual(args.filter((arg) => !unattended.includes(arg)));
      expect(argsOf(await read({ preset }))).toEqual(expect.arrayContaining([...unattended]));
    }
    const asked = await read({ preset: 'opencode', permission: 'deny' });
    expect(environmentOf(asked, {})).toEqual({ OPENCODE_PERMISSION: '{"*":"ask"}' });
    expect(environmentOf(await read({ preset: 'opencode' }), {})).toEqual({});
  });

  test.each([
    ['allow', 'agent-full-access'],
    [{ allow: ['edit', 'execute'] }, 'workspace-write'],
    [{ allow: ['read'] }, 'read-only'],
    ['deny', 'read-only'],
  ])('put Codex, whose sandbox decides, with permission %j into %s', async (permission, mode) => {
    expect(modeOf(await read({ preset: 'codex', permission }))).toBe(mode);
    expect(modeOf(await read({ preset: 'codex', permission, mode: 'mine' }))).toBe('mine');
  });

  test('give an agent its own keys, and no other', async () => {
    const keys = keysOf(acpDriver, await read({ preset: 'gemini' }));
    expect(keys).toContain('GEMINI_API_KEY');
    expect(keys).not.toContain('ANTHROPIC_API_KEY');
    expect(keysOf(acpDriver, await read({ command: 'mine' }))).toEqual([]);
  });

  test('may set variables over those of the preset and of the environment', async () => {
    const options = await read({ preset: 'claude', model: 'opus', env: { A: 'mine' } });
    expect(environmentOf(options, { A: 'theirs', B: 'b' })).toEqual({
      A: 'mine',
      B: 'b',
      ANTHROPIC_MODEL: 'opus',
    });
  });
});

describe('tokens', () => {
  const counters = () => ({ input: new Counter(0), output: new Counter(0), cost: new Counter(0) });

  // As the agents answered a turn of two calls, each of 600 fresh, 400 cached and 50 written tokens.
  test.each([
    [
      'claude',
      { usage: { inputTokens: 1200, outputTokens: 100, cachedReadTokens: 800, cachedWriteTokens: 0 } },
    ],
    ['codex', { usage: { inputTokens: 1200, outputTokens: 100, cachedReadTokens: 800 } }],
    [
      'copilot',
      { usage: { inputTokens: 2000, outputTokens: 100, totalTokens: 2100, cachedReadTokens: 800 } },
    ],
    ['gemini', { _meta: { quota: { token_count: { input_tokens: 2000, output_tokens: 100 } } } }],
    [
      'grok',
      {
        _meta: { inputTokens: 1000, usage: { inputTokens: 2000, outputTokens: 100, cachedReadTokens: 800 } },
      },
    ],
  ] as const)('of %s are those of the turn, with what came from the cache', (preset, answer) => {
    expect(usageOf(answer, PRESETS[preset].tokens, undefined, counters())).toEqual({
      inputTokens: 2000,
      outputTokens: 100,
    });
  });

  test.each([undefined, null, {}, { usage: null }, { usage: { inputTokens: 'many' } }])(
    'are unknown in %j',
    (answer) => {
      expect(usageOf(answer, PRESETS.claude.tokens, undefined, counters())).toBeUndefined();
    },
  );

  test('a sum that falls has begun anew', () => {
    const counter = new Counter(0);
    expect([5, 7, 3].map((sum) => counter.added(sum))).toEqual([5, 2, 3]);
  });
});

describe('preflight', () => {
  const preflight = async (dir: string, options: object, more: Record<string, string> = {}) => {
    const workdir = join(dir, 'work');
    await mkdir(workdir, { recursive: true });
    const env = { PATH: process.env['PATH'] ?? '', HOME: dir, ...more };
    const signal = new AbortController().signal;
    return await acpDriver.preflight?.({ workdir, env, signal, options: await read(options) });
  };

  test('finds nothing where the agent answers and begins a session, and leaves nothing', async () => {
    await using dir = await tempDir();
    const command = await acpAgent(dir.path, 'agent', '');
    expect(await preflight(dir.path, { command })).toEqual([]);
    expect(isAlive(Number(await readFile(join(dir.path, 'work/agent.pids'), 'utf8')))).toBe(false);
  });

  test('tells how to install an agent that is missing', async () => {
    await using dir = await tempDir();
    const [problem] = (await preflight(dir.path, { preset: 'gemini' }, { PATH: dir.path })) ?? [];
    expect(problem).toContain('"gemini" is not on PATH');
    expect(problem).toContain('npm install -g @google/gemini-cli');
  });

  test('tells how to log in', async () => {
    await using dir = await tempDir();
    await acpAgent(
      dir.path,
      'copilot',
      `agent['session/new'] = () => fail(-32000, 'Authentication required');`,
    );
    const path = `${dir.path}:${process.env['PATH']}`;
    const [problem] = (await preflight(dir.path, { preset: 'copilot' }, { PATH: path })) ?? [];
    expect(problem).toMatch(/^Authentication required; .*copilot login/);
  });

  test('tells of a program that ends instead of answering, with its last words', async () => {
    await using dir = await tempDir();
    const command = join(dir.path, 'no-agent');
    await writeFile(command, '#!/bin/sh\necho "unknown option: --acp" >&2\nexit 2\n');
    await chmod(command, 0o755);
    expect(await preflight(dir.path, { command })).toEqual([
      'the agent ended with exit code 2: unknown option: --acp',
    ]);
  });

  test('tells of a mode that the agent does not have', async () => {
    await using dir = await tempDir();
    const command = await acpAgent(
      dir.path,
      'agent',
      `agent['session/new'] = () => ({ sessionId: 's', modes: { availableModes: [{ id: 'build' }, { id: 'plan' }] } });`,
    );
    expect(await preflight(dir.path, { command, mode: 'yolo' })).toEqual([
      'driver.options.mode: the agent has no "yolo"; it offers build, plan',
    ]);
  });
});
