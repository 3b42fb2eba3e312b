import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exec } from '../../src/system/exec.ts';
import { tempDir } from '../support/temp-dir.ts';
import { asJavaScript } from './as-javascript.ts';
import { env } from './processes.ts';

const OPENS_ITS_STREAMS = 'echo x > /dev/stderr && cat /dev/stdin';

test('with the sockets that Node opens by itself, a command cannot open its streams by name', async () => {
  const child = spawn('bash', ['-c', OPENS_ITS_STREAMS], { stdio: 'pipe', env });
  child.stdin.on('error', () => {}).end('given');
  expect((await once(child, 'exit'))[0]).not.toBe(0);
  expect(await exec({ shell: OPENS_ITS_STREAMS }, { cwd: '/', env, input: 'given' })).toMatchObject({
    code: 0,
  });
});

const RUNS = `
import { exec } from './exec.js';
const env = { PATH: process.argv[2] };
const big = await exec({ shell: 'cat; seq 1 100000; echo err >&2; exit 3' }, { cwd: '/', env, input: 'given\\n' });
const late = await exec({ shell: 'echo early; sleep 300 & wait' }, { cwd: '/', env, timeoutMs: 300 });
console.log(JSON.stringify({ ...big, stdout: big.stdout.text.slice(0, 8), stderr: big.stderr.text, output: 0, late: [late.ended, late.stdout.text] }));
`;

test.each([
  ['no mkfifo is on PATH', { PATH: '/nonexistent' }, 'exited'],
  ['the temporary folder is missing', { TMPDIR: '/nonexistent' }, 'not-started'],
])('where %s, commands still run or say why not', async (_title, more, ended) => {
  await using dir = await tempDir();
  await asJavaScript(dir.path);
  await writeFile(join(dir.path, 'runs.js'), RUNS);
  const command = { file: process.execPath, args: ['runs.js', env.PATH] };
  const { stdout } = await exec(command, { cwd: dir.path, env: { ...env, ...more } });
  const told = JSON.parse(stdout.text);
  expect(told).toMatchObject({ ended, late: ['timed-out', 'early\n'] });
  if (ended === 'exited') expect(told).toMatchObject({ code: 3, stdout: 'given\n1\n', stderr: 'err\n' });
  else expect(told.message).toContain('/nonexistent');
});

test('pipes and input leave nothing in the temporary folder', async () => {
  await using dir = await tempDir();
  await asJavaScript(join(dir.path, 'js'));
  await writeFile(join(dir.path, 'js', 'runs.js'), RUNS);
  const command = { file: process.execPath, args: ['js/runs.js', env.PATH] };
  await exec(command, { cwd: dir.path, env: { ...env, TMPDIR: dir.path } });
  expect(await readdir(dir.path)).toEqual(['js']);
});
