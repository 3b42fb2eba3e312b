import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exec } from '../../src/system/exec.ts';
import { stripAnsi } from '../../src/system/text.ts';
import { tempDir } from '../support/temp-dir.ts';
import { asJavaScript } from './as-javascript.ts';
import { env } from './processes.ts';

const here = { cwd: '/', env };
const shown = (text: string) => Buffer.byteLength(text.replace(/\n… \d+ bytes left out …\n/, ''));

test('bytes that are no text, and NUL, are shown and change no verdict', async () => {
  const result = await exec({ shell: "printf '\\377\\376\\000'; exit 1" }, here);
  expect(result).toMatchObject({
    ended: 'exited',
    code: 1,
    stdout: { text: '\ufffd\ufffd\\0', droppedBytes: 0 },
  });
});

test('colours stay in the output and can be stripped from it', async () => {
  const { stdout } = await exec({ shell: "printf '\\033[31mred\\033[0m'" }, here);
  expect(stdout.text).toBe('\u001b[31mred\u001b[0m');
  expect(stripAnsi(stdout.text)).toBe('red');
});

test('of too much output, head and tail are kept, and what is missing is counted to the byte', async () => {
  const result = await exec({ shell: 'seq 1 100000; seq 1 50000 >&2; exit 7' }, { ...here, keepBytes: 4000 });
  const { stdout, stderr, output } = result;
  expect(result).toMatchObject({ ended: 'exited', code: 7 });
  expect(stdout.text.startsWith('1\n2\n3\n')).toBe(true);
  expect(stdout.text.endsWith('99999\n100000\n')).toBe(true);
  expect(stderr.text.endsWith('49999\n50000\n')).toBe(true);
  expect(shown(stdout.text) + stdout.droppedBytes).toBe(588_895);
  expect(shown(stderr.text) + stderr.droppedBytes).toBe(288_894);
  expect(shown(output.text) + output.droppedBytes).toBe(588_895 + 288_894);
  expect(shown(stdout.text)).toBe(4000);
  expect(stdout.text.indexOf('…')).toBe(1001);
  expect(stdout.text).toContain(`… ${stdout.droppedBytes} bytes left out …`);
});

test('a log is written only when memory does not hold the output, and then holds it whole', async () => {
  await using dir = await tempDir();
  const logFile = join(dir.path, 'logs', 'check.log');
  const small = await exec({ shell: 'echo short' }, { ...here, keepBytes: 100, logFile });
  expect(small.logFile).toBeUndefined();
  await expect(stat(logFile)).rejects.toThrow('ENOENT');
  const large = await exec(
    { shell: 'seq 1 1000; sleep 0.05; seq 1001 2000' },
    { ...here, keepBytes: 100, logFile },
  );
  expect(large.logFile).toBe(logFile);
  const all = Array.from({ length: 2000 }, (_, n) => `${n + 1}\n`).join('');
  expect(await readFile(logFile, 'utf8')).toBe(all);
});

test('a log stops at its cap and says so', async () => {
  await using dir = await tempDir();
  const logFile = join(dir.path, 'check.log');
  await exec({ shell: 'seq 1 100000' }, { ...here, keepBytes: 100, logFile, logBytes: 1000 });
  const text = await readFile(logFile, 'utf8');
  expect(text.length).toBeLessThan(1100);
  expect(text).toContain('its cap is reached');
});

test('a log that cannot be written costs no verdict', async () => {
  await using dir = await tempDir();
  const logFile = join(dir.path, 'file', 'check.log');
  await writeFile(join(dir.path, 'file'), '');
  const result = await exec({ shell: 'seq 1 1000; exit 3' }, { ...here, keepBytes: 100, logFile });
  expect(result).toMatchObject({ ended: 'exited', code: 3 });
  expect(result.logFile).toBeUndefined();
});

/** Prints 300 MB through `exec` in a plain Node, which then tells its peak memory in MB. */
const FLOOD = `
import { exec } from './exec.js';
const result = await exec(
  { shell: 'yes 0123456789abcde | head -c 300000000; echo the end; exit 3' },
  { cwd: '/', env: { PATH: process.env.PATH }, logFile: process.argv[2], logBytes: 1000000 },
);
const { ended, code, stdout, swept } = result;
const lastWords = stdout.text.slice(-8);
const peakMb = process.resourceUsage().maxRSS / 1024;
console.log(JSON.stringify({ ended, code, swept, dropped: stdout.droppedBytes, kept: stdout.text.length, lastWords, peakMb }));
`;

test('300 MB of output leave memory flat and the verdict intact', async () => {
  await using dir = await tempDir();
  await asJavaScript(dir.path);
  await writeFile(join(dir.path, 'flood.js'), FLOOD);
  const { stdout } = await exec(
    { file: process.execPath, args: ['flood.js', join(dir.path, 'log')] },
    { cwd: dir.path, env },
  );
  const told = JSON.parse(stdout.text);
  expect(told).toMatchObject({ ended: 'exited', code: 3, swept: 0, lastWords: 'the end\n' });
  expect(told.dropped).toBe(300_000_008 - 256 * 1024);
  expect(told.kept).toBeLessThan(256 * 1024 + 100);
  expect(told.peakMb).toBeLessThan(100);
  expect((await stat(join(dir.path, 'log'))).size).toBeLessThan(1_000_100);
});
