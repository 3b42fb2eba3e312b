import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Starts Claude Code as it is told to, and hands on what that prints: after an error result it throws besides. */
const SDK = `
import { createInterface } from 'node:readline';
export async function* query({ prompt, options }) {
  const { spawnClaudeCodeProcess, abortController, pathToClaudeCodeExecutable: command, env, cwd, ...told } = options;
  const child = spawnClaudeCodeProcess({ command, args: [], cwd, env });
  child.stdin.end(JSON.stringify({ prompt, told }) + '\\n');
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let failed = false;
  for await (const line of createInterface({ input: child.stdout })) {
    const message = JSON.parse(line);
    yield message;
    failed = message.is_error === true;
  }
  if (abortController.signal.aborted) throw new Error('Claude Code process aborted by user');
  if (failed) throw new Error('Claude Code returned an error result');
  const code = await ended;
  if (code !== 0) throw new Error('Claude Code process exited with code ' + code);
}
`;

/** What all fake Claude Codes share. */
const SPEAK = `#!/usr/bin/env node
const fs = require('node:fs');
const { prompt, told } = JSON.parse(fs.readFileSync(0, 'utf8'));
fs.appendFileSync('told.jsonl', JSON.stringify({ prompt, told, env: process.env }) + '\\n');
fs.appendFileSync('claude.pids', process.pid + '\\n');
const session_id = told.resume ?? 'session-' + process.pid;
const print = (m) => fs.writeSync(1, JSON.stringify({ session_id, ...m }) + '\\n');
const block = (b, message) => print({ type: 'assistant', message: { content: [b], ...message } });
const say = (text) => block({ type: 'text', text });
const use = (name, input, id = 'u') => block({ type: 'tool_use', id, name, input });
const model = (n, costUSD, more) => ({ m: { inputTokens: 6 * n, cacheReadInputTokens: 4 * n, outputTokens: n, costUSD, ...more } });
const result = (m) => print({ type: 'result', subtype: 'success', is_error: false, num_turns: 2, stop_reason: 'end_turn', ...m });
print({ type: 'system', subtype: 'init', tools: [] });
`;

/** Installs a fake SDK where a workspace in `under` finds it, with a fake Claude Code, whose path it gives. */
export async function claudeCode(dir: string, body: string, under = join(dir, 'work')): Promise<string> {
  await fakeSdk(under, SDK);
  const file = join(dir, 'claude');
  await writeFile(file, SPEAK + body);
  await chmod(file, 0o755);
  return file;
}

export async function fakeSdk(workdir: string, code: string): Promise<void> {
  const folder = join(workdir, 'node_modules/@anthropic-ai/claude-agent-sdk');
  await mkdir(folder, { recursive: true });
  const manifest = {
    name: '@anthropic-ai/claude-agent-sdk',
    version: '9.9.9',
    exports: { '.': { default: './sdk.mjs' } },
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'sdk.mjs'), code);
}
