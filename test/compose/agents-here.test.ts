import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentsHere, standingOf, thisMachine } from '../../src/compose/agents-here.ts';
import { createDefaultRegistries } from '../../src/compose/registries.ts';
import { fakeCli } from '../drivers/fake-cli.ts';
import { isAlive, pidIn } from '../drivers/processes.ts';
import { type TempDir, tempDir } from '../support/temp-dir.ts';

interface Asked {
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly path?: string;
}

/** What is there of the agents of all drivers, on a PATH of our own: by the driver's name, or driver:agent. */
async function here(dir: TempDir, { env = {}, timeoutMs = 60_000, path }: Asked = {}) {
  const machine = thisMachine(
    { PATH: path ?? `${dir.path}/bin:/usr/bin:/bin`, HOME: dir.path, ...env },
    { workdir: dir.path, signal: new AbortController().signal, timeoutMs },
  );
  const found = await agentsHere(createDefaultRegistries().drivers, machine);
  return new Map(
    found.map(({ driver, agent, ...rest }) => [agent === undefined ? driver : `${driver}:${agent}`, rest]),
  );
}

describe('what is there of an agent', () => {
  test('is its program, its version and its log-in, by each driver that can lead it', async () => {
    await using dir = await tempDir();
    const program = await fakeCli(join(dir.path, 'bin/grok'), 'echo "grok 1.0.41 (abc)"');
    const found = await here(dir, { env: { XAI_API_KEY: 'k' } });
    const grok = { program, version: '1.0.41', login: 'yes', advice: [] };
    expect(found.get('grok')).toEqual(grok);
    expect(found.get('acp:grok')).toEqual(grok);
    expect(standingOf({ login: 'yes', advice: [] })).toBe('logged in');
  });

  test('without a log-in names the command that makes one', async () => {
    await using dir = await tempDir();
    await fakeCli(join(dir.path, 'bin/grok'), 'echo 1.0.41');
    const found = (await here(dir)).get('grok');
    expect(found).toMatchObject({ login: 'no', advice: [expect.stringContaining('"grok login"')] });
    expect(found && standingOf(found)).toContain('"grok login"');
  });

  test('that is not there names the command that installs it, for every agent', async () => {
    await using dir = await tempDir();
    const found = await here(dir, { path: '' });
    for (const name of ['grok', 'github-copilot', 'opencode', 'claude-agent-sdk']) {
      expect(found.get(name)?.problem).toMatch(/^not installed: npm install /);
    }
    for (const preset of ['claude', 'codex', 'copilot', 'gemini', 'grok', 'opencode']) {
      expect(found.get(`acp:${preset}`)?.problem).toMatch(/^not installed: npm install -g /);
    }
    for (const name of ['ollama', 'openai-compatible']) {
      expect(found.get(name)).toMatchObject({ login: 'not-needed', advice: [expect.any(String)] });
      expect(found.get(name)).not.toHaveProperty('problem');
    }
    for (const name of ['mock', 'none', 'command', 'replay']) expect(found.has(name)).toBe(false);
  });

  test('that hangs is told without its version, and nothing of it is left', async () => {
    await using dir = await tempDir();
    const pid = join(dir.path, 'pid');
    await fakeCli(join(dir.path, 'bin/opencode'), `echo $$ > ${pid}\nexec sleep 300`);
    const found = (await here(dir, { timeoutMs: 10_000 })).get('opencode');
    expect(found).toMatchObject({ advice: ['it did not tell its version in 10 s'] });
    expect(found).not.toHaveProperty('problem');
    expect(isAlive(await pidIn(pid))).toBe(false);
  });

  test('that prints garbage is told without a version', async () => {
    await using dir = await tempDir();
    await fakeCli(join(dir.path, 'bin/grok'), 'head -c 100000 /dev/zero; printf "\\033[31m"');
    const found = (await here(dir, { env: { XAI_API_KEY: 'k' } })).get('grok');
    expect(found).toEqual({ program: join(dir.path, 'bin/grok'), login: 'yes', advice: [] });
  });

  test('may tell its version on standard error', async () => {
    await using dir = await tempDir();
    await fakeCli(join(dir.path, 'bin/gemini'), 'echo 0.61.0 >&2');
    expect((await here(dir)).get('acp:gemini')).toMatchObject({ version: '0.61.0', login: 'unknown' });
  });

  test('that does not run says how it ended, and how it is installed anew', async () => {
    await using dir = await tempDir();
    await fakeCli(join(dir.path, 'bin/opencode'), 'exit 3');
    const found = (await here(dir)).get('opencode');
    expect(found?.problem).toMatch(/exit code 3.*"npm install -g opencode-ai"/);
  });

  test('is asked without the keys of the user', async () => {
    await using dir = await tempDir();
    const seen = join(dir.path, 'seen');
    await fakeCli(join(dir.path, 'bin/grok'), `echo "\${XAI_API_KEY-none}" > ${seen}; echo 1.0.0`);
    await here(dir, { env: { XAI_API_KEY: 'secret' } });
    expect(await readFile(seen, 'utf8')).toBe('none\n');
  });

  test('of the Claude SDK is told from the package where it is installed, which is not started', async () => {
    await using dir = await tempDir();
    const folder = join(dir.path, 'node_modules/@anthropic-ai/claude-agent-sdk');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), '{"version": "0.3.332", "main": "sdk.mjs"}');
    const found = await here(dir, { env: { ANTHROPIC_API_KEY: 'k' } });
    const program = join(folder, 'sdk.mjs');
    expect(found.get('claude-agent-sdk')).toEqual({
      program,
      version: '0.3.332',
      login: 'yes',
      advice: [],
    });
    await writeFile(join(folder, 'package.json'), 'no JSON');
    expect((await here(dir)).get('claude-agent-sdk')?.problem).toContain('JSON');
  });

  test('of a server for models is told by its program', async () => {
    await using dir = await tempDir();
    const ollama = await fakeCli(join(dir.path, 'bin/ollama'), 'echo "Warning: client version is 0.12.3"');
    const llama = await fakeCli(join(dir.path, 'bin/llama-server'), 'exec sleep 300');
    const found = await here(dir);
    expect(found.get('ollama')).toMatchObject({ program: ollama, version: '0.12.3' });
    expect(found.get('openai-compatible:llama-server')).toMatchObject({ program: llama });
  });
});
