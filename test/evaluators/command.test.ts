import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isAlive } from '../system/processes.ts';
import { evaluate, statusesOf, verdictOf } from './support.ts';

const run = (command: string, files: Record<string, string> = {}, options: Record<string, unknown> = {}) =>
  evaluate('command', { files, options: { command, ...options } });

describe('command', () => {
  test.each<
    [command: string, verdict: string, files?: Record<string, string>, options?: Record<string, unknown>]
  >([
    ['true', 'pass'],
    ['false', 'fail'],
    ['exit 3', 'pass', {}, { expectExitCode: 3 }],
    ['true', 'fail', {}, { expectExitCode: 3 }],
    ['false | cat', 'fail'],
    ['nosuchtool', 'not-found'],
    ['nosuchtool --version && true', 'not-found'],
    ['cat none | nosuchtool', 'not-found'],
    ['false | cat', 'fail'],
    ['python3 -c "raise SystemExit(3)" | tee log.txt', 'fail'],
    ['timeout 5 nosuchtool', 'not-found'],
    ['sh missing.sh', 'fail'],
    ['./missing.sh', 'fail'],
    ['python3 missing.py', 'fail'],
    ['node missing.js', 'fail'],
    ['node_modules/.bin/tsc --noEmit', 'not-found'],
    ['node_modules/.bin/vitest run', 'not-found'],
    ['./plain.sh', 'not-found', { 'plain.sh': 'exit 0\n' }],
    ['sh calls.sh', 'fail', { 'calls.sh': 'nosuchtool\n' }],
    ['kill -SEGV $$', 'crash'],
    ['sh -c "kill -9 \\$\\$"', 'crash'],
    ['exit 139', 'crash'],
    ['exit 139', 'pass', {}, { expectExitCode: 139 }],
    ['exit 200', 'fail'],
    [`printf '\\377\\376\\000'; exit 1`, 'fail'],
    ['grep -q hi greeting.txt', 'fail'],
    ['grep -q hi greeting.txt', 'pass', { 'greeting.txt': 'hi\n' }],
  ])('%j is judged %s', async (command, verdict, files, options) => {
    const outcome = await run(command, files, options);
    expect(verdictOf(outcome), outcome.feedback).toBe(verdict);
  });

  test('a program that is missing is told with the PATH', async () => {
    const outcome = await run('nosuchtool');
    expect(outcome).toMatchObject({ ok: false, cause: 'not-found', exitCode: 127 });
    expect(outcome.feedback).toContain('nosuchtool was not found');
    expect(outcome.feedback).toContain(`PATH: ${process.env['PATH']}`);
  });

  test.each([
    'sh check.sh',
    './check.sh',
    'python3 check.py',
    'node check.mjs',
    'bash -e ./check.sh | cat',
    'cd sub && sh x.sh',
  ])('a script that the workspace lacks (%s) is work, not a broken check', async (command) => {
    const outcome = await run(command, { 'sub/keep': '' });
    expect(outcome).toMatchObject({ passed: false, missingScript: true });
    expect(outcome.ok).not.toBe(false);
  });

  test('the output is told without colour, with its exit code, and with what was left out', async () => {
    const outcome = await run(
      "printf '\\033[31mred\\033[0m\\n'; seq 1 5000; echo last; exit 4",
      {},
      { feedbackChars: 400 },
    );
    expect(outcome.exitCode).toBe(4);
    expect(outcome.feedback).toMatch(/^exit code 4\n/);
    expect(outcome.feedback).toContain('\nred\n');
    expect(outcome.feedback).toContain('last');
    expect(outcome.feedback).toContain('characters left out');
    expect(outcome.feedback.length).toBeLessThan(600);
  });

  test('invalid bytes and NUL are made visible', async () => {
    const outcome = await run(`printf '\\377\\376\\000'; exit 1`);
    expect(outcome.feedback).toContain('\uFFFD\uFFFD\\0');
  });

  test('a time-out shows the partial output as partial, with a hint at servers', async () => {
    const outcome = await evaluate('command', {
      options: { command: 'echo one; echo two; python3 -m http.server --bind 127.0.0.1 0' },
      timeoutMs: 1500,
    });
    expect(verdictOf(outcome)).toBe('timeout');
    expect(outcome.feedback).toContain('timed out after 1.5 s');
    expect(outcome.feedback).toContain('partial output');
    expect(outcome.feedback).toContain('one\ntwo');
    expect(outcome.feedback).toContain('server or a watch mode');
  });

  test('a server that the check itself starts serves it, and ends with it', async () => {
    const server = `import http.server, os
server = http.server.HTTPServer(('127.0.0.1', 0), http.server.SimpleHTTPRequestHandler)
open('port', 'w').write(str(server.server_port)); os.rename('port', 'ready'); server.serve_forever()`;
    const client = `import sys, urllib.request
sys.stdout.write(urllib.request.urlopen('http://127.0.0.1:' + open('ready').read() + '/page').read().decode())`;
    const outcome = await run(
      'python3 server.py & until [ -s ready ]; do sleep 0.05; done; echo "pid $!"; python3 client.py; exit 1',
      { 'server.py': server, 'client.py': client, page: 'served' },
    );
    expect(outcome.feedback).toContain('served');
    const pid = Number(/pid (\d+)/.exec(outcome.feedback)?.[1]);
    expect(pid).toBeGreaterThan(0);
    expect(isAlive(pid)).toBe(false);
  });

  test('a slow linter is a time-out, not a failure', async () => {
    const outcome = await evaluate('command', { options: { command: 'sleep 30; exit 1' }, timeoutMs: 300 });
    expect(outcome).toMatchObject({ ok: false, cause: 'timeout' });
  });

  test('an abort is told as such', async () => {
    const outcome = await evaluate('command', {
      options: { command: 'sleep 30' },
      signal: AbortSignal.abort(),
    });
    expect(outcome).toMatchObject({ ok: false, cause: 'aborted' });
  });

  test('a crash names its signal', async () => {
    expect((await run('kill -SEGV $$')).feedback).toContain('SIGSEGV');
  });

  test('the command runs in its folder, with its variables over the usual ones', async () => {
    const outcome = await run(
      'test "$(basename "$PWD") $A" = "sub 1"',
      { 'sub/x': '' },
      { cwd: 'sub', env: { A: '1' } },
    );
    expect(verdictOf(outcome)).toBe('pass');
  });

  test('a folder outside of the workspace is refused, one that is missing may have to be made', async () => {
    const outside = await evaluate('command', {
      options: { command: 'true', cwd: '../outside' },
      before: async (workdir) => void (await mkdir(join(workdir, '../outside'))),
    });
    expect(verdictOf(outside)).toBe('not-found');
    expect(await run('true', {}, { cwd: 'later' })).toMatchObject({ passed: false, missingScript: true });
  });

  test.each<[options: Record<string, unknown>, verdict: string, score?: { value: number; better: string }]>([
    [{ scoreRegex: 'score=([\\d.]+)' }, 'pass', { value: 0.9, better: 'up' }],
    [{ scoreRegex: 'score=([\\d.]+)', scoreGte: 0.9 }, 'pass', { value: 0.9, better: 'up' }],
    [{ scoreRegex: 'score=([\\d.]+)', scoreGte: 0.95 }, 'fail', { value: 0.9, better: 'up' }],
    [{ scoreRegex: 'score=([\\d.]+)', scoreLte: 0.5 }, 'fail', { value: 0.9, better: 'down' }],
    [{ scoreRegex: '^[\\d,]+ ms$', scoreLte: 2000 }, 'no-report'],
    [{ scoreRegex: '([\\d,]+) ms', scoreLte: 2000 }, 'pass', { value: 1234, better: 'down' }],
    [{ scoreRegex: 'nothing=(\\d+)', scoreGte: 1 }, 'no-report'],
    [{ scoreRegex: 'nothing=(\\d+)' }, 'pass'],
  ])('the score is the first group of the last match: %j', async (options, verdict, score) => {
    const outcome = await run('echo score=0.1; echo score=0.9; echo "1,234 ms"', {}, options);
    expect(verdictOf(outcome), outcome.feedback).toBe(verdict);
    expect(outcome.score).toEqual(score);
  });

  test('a score of a command that failed does not make it pass', async () => {
    expect(verdictOf(await run('echo score=1; exit 1', {}, { scoreRegex: 'score=(\\d)', scoreGte: 1 }))).toBe(
      'fail',
    );
  });

  test('wrong options are errors that say what would be right', async () => {
    await expect(evaluate('command', { options: { comand: 'true' } })).rejects.toThrow(
      'did you mean "command"',
    );
    await expect(evaluate('command', { options: {} })).rejects.toThrow('command');
    await expect(run('true', {}, { scoreGte: 1 })).rejects.toThrow('scoreRegex');
    await expect(run('true', {}, { scoreRegex: '(' })).rejects.toThrow('regular expression');
    await expect(run('true', {}, { expectExitCode: '0' })).rejects.toThrow('expectExitCode');
  });
});

describe('a command that is one call of a known runner', () => {
  const FILES = { 'test_a.py': 'def test_a(): pass\n' };

  test('is judged by its tests', async () => {
    const outcome = await run('python3 -m pytest -q', FILES);
    expect(outcome.judgedBy).toBe('test-ids');
    expect(statusesOf(outcome)).toEqual({ 'test_a.py::test_a': 'passed' });
  });

  test.each<[command: string, options?: Record<string, unknown>]>([
    ['python3 -m pytest -q | cat'],
    ['python3 -m pytest -q && true'],
    ['python3 -m pytest -q; true'],
    ['python3 -m pytest -q > log'],
    ['python3 -m pytest -q', { scoreRegex: '(\\d+) passed' }],
    ['python3 -m pytest -q none.py', { expectExitCode: 4 }],
  ])('is judged by its exit code where it is more than that: %s %j', async (command, options) => {
    const outcome = await run(command, FILES, options);
    expect(outcome.judgedBy).toBe('exit-code');
    expect(verdictOf(outcome)).toBe('pass');
  });
});
