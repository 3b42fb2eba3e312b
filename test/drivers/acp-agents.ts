import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What all fake agents share: they answer hello and begin sessions, and each does something of its own with a prompt. */
const SPEAK = `#!/usr/bin/env node
const fs = require('node:fs');
const send = (m) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...m }) + '\\n');
const waiting = new Map();
let sessions = 0, asked = 0;
const log = (what) => fs.appendFileSync('heard.log', what + '\\n');
fs.appendFileSync('agent.pids', process.pid + '\\n');
const agent = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true } }),
  'session/new': () => ({ sessionId: process.pid + '-' + ++sessions }),
  'session/load': () => ({}),
};
const update = (sessionId, update) => send({ method: 'session/update', params: { sessionId, update } });
const say = (p, text, more) => update(p.sessionId, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, ...more });
const use = (p, id, more) => update(p.sessionId, { sessionUpdate: 'tool_call', toolCallId: id, ...more });
const ask = (method, params) => new Promise((resolve) => { waiting.set('q' + ++asked, resolve); send({ id: 'q' + asked, method, params }); });
const fail = (code, message, data) => { throw { code, message, data }; };
const die = (code) => { process.exitCode = code; process.stdout.end(() => process.exit(code)); return new Promise(() => {}); };
const hang = () => new Promise(() => { setInterval(() => {}, 1000); });
const END = { stopReason: 'end_turn' };
require('node:readline').createInterface({ input: process.stdin }).on('line', async (line) => {
  const m = JSON.parse(line);
  if (m.method === undefined) return waiting.get(m.id)?.(m.result);
  log(m.method + ' ' + JSON.stringify(m.params.prompt?.[0].text ?? m.params.modeId ?? m.params.modelId ?? m.params.value ?? m.params.sessionId ?? ''));
  try {
    const result = await agent[m.method]?.(m.params);
    if (m.id !== undefined) send({ id: m.id, result: result ?? null });
  } catch (error) { send({ id: m.id, error }); }
});
process.stdin.on('end', () => process.exit());
`;

/** Writes a fake agent into a folder, and gives its path. In `body`, `agent['session/prompt'] = (p) => …` and the like. */
export async function acpAgent(dir: string, name: string, body: string): Promise<string> {
  const file = join(dir, name);
  await writeFile(file, SPEAK + body);
  await chmod(file, 0o755);
  return file;
}
