import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ExecOptions, exec } from '../../src/system/exec.ts';
import { tempDir } from '../support/temp-dir.ts';
import { env } from './processes.ts';

const at = (cwd: string, more: Partial<ExecOptions> = {}): ExecOptions => ({ cwd, env, ...more });
const here = (more: Partial<ExecOptions> = {}) => at('/', more);

test('a command that exits has its code and both streams', async () => {
  const result = await exec({ shell: 'echo out; echo err >&2; exit 3' }, here());
  expect(result).toMatchObject({ ended: 'exited', code: 3, swept: 0 });
  expect(result.stdout).toEqual({ text: 'out\n', droppedBytes: 0 });
  expect(result.stderr.text).toBe('err\n');
  expect(result.output.text.split('\n').sort()).toEqual(['', 'err', 'out']);
});

test('a program gets its arguments as they are, without a shell between', async () => {
  const result = await exec({ file: 'printf', args: ['%s|', '$HOME', 'a b', '-rf', '*'] }, here());
  expect(result.stdout.text).toBe('$HOME|a b|-rf|*|');
});

test('a pipe in a shell line fails with its first part', async () => {
  expect(await exec({ shell: 'false | cat' }, here())).toMatchObject({ ended: 'exited', code: 1 });
});

test('the death of a process by a signal is told by the name of the signal', async () => {
  expect(await exec({ shell: 'kill -SEGV $$' }, here())).toMatchObject({
    ended: 'signalled',
    signal: 'SIGSEGV',
  });
});

test('nothing of our own environment reaches a command', async () => {
  const result = await exec({ file: 'env', args: [] }, here({ env: { PATH: env.PATH, ONLY: 'this' } }));
  const names = result.stdout.text
    .trim()
    .split('\n')
    .map((line) => line.split('=', 1)[0]);
  expect(names.sort()).toEqual(['LOOPGEN_SCOPE', 'ONLY', 'PATH']);
});

test('a command has no terminal, no stdin, and a session and group of its own', async () => {
  const script = [
    'import os, sys',
    'print(os.getsid(0) == os.getpid(), os.getpgid(0) == os.getpid(), repr(sys.stdin.read()))',
    'try:',
    '    open("/dev/tty"); print("has a terminal")',
    'except OSError: print("no terminal")',
  ].join('\n');
  const result = await exec({ file: 'python3', args: ['-c', script] }, here());
  expect(result.stdout.text).toBe("True True ''\nno terminal\n");
});

test('the streams are real pipes, which a command may open by their names', async () => {
  const line = 'echo to-err > /dev/stderr; echo both | tee /dev/stderr; cat /dev/stdin';
  const result = await exec({ shell: line }, here({ input: 'given' }));
  expect(result).toMatchObject({ ended: 'exited', code: 0 });
  expect(result.stdout.text).toBe('both\ngiven');
  expect(result.stderr.text).toBe('to-err\nboth\n');
});

test.each([
  ['a program that is not on PATH', { file: 'no-such-program', args: [] }, '/', 'not-found', 'PATH'],
  ['a path that is not there', { file: '/no/such/program', args: [] }, '/', 'not-found', 'does not exist'],
  ['a file without the right to execute', { file: '/etc/passwd', args: [] }, '/', 'not-executable', 'EACCES'],
  ['a folder in place of a program', { file: '/tmp', args: [] }, '/', 'not-executable', '/tmp'],
  [
    'a working folder that is not there',
    { file: 'true', args: [] },
    '/no/such/folder',
    'bad-cwd',
    'does not exist',
  ],
  [
    'a working folder that is a file',
    { file: 'true', args: [] },
    '/etc/passwd',
    'bad-cwd',
    'is not a folder',
  ],
  ['arguments with NUL', { file: 'true', args: ['a\0b'] }, '/', 'other', 'null bytes'],
  ['arguments that are too long', { file: 'true', args: ['x'.repeat(3_000_000)] }, '/', 'other', 'E2BIG'],
])('%s is told apart from all other failures', async (_title, command, cwd, code, text) => {
  const result = await exec(command, at(cwd));
  expect(result).toMatchObject({ ended: 'not-started', code });
  expect(result.ended === 'not-started' && result.message).toContain(text);
});

test('a script whose interpreter is missing says so', async () => {
  await using dir = await tempDir();
  const script = join(dir.path, 'check.sh');
  await writeFile(script, '#!/no/such/interpreter\n');
  await chmod(script, 0o755);
  const result = await exec({ file: script, args: [] }, at(dir.path));
  expect(result).toMatchObject({ ended: 'not-started', code: 'not-found' });
  expect(result.ended === 'not-started' && result.message).toContain('interpreter');
});

test('two megabytes of input arrive whole', async () => {
  const result = await exec({ file: 'wc', args: ['-c'] }, here({ input: 'ä'.repeat(1_000_000) }));
  expect(result).toMatchObject({ ended: 'exited', code: 0 });
  expect(result.stdout.text.trim()).toBe('2000000');
});

test('a command that waits for more input finds it closed after the text', async () => {
  const line = 'read a; read b || echo "closed after $a"';
  expect((await exec({ shell: line }, here({ input: 'x\n', timeoutMs: 5000 }))).stdout.text).toBe(
    'closed after x\n',
  );
});

test.each([
  ['does not read its input', 'exit 4'],
  ['closes its input early', 'head -c 10 >/dev/null; exec <&-; exit 4'],
])('a command that %s keeps its verdict', async (_title, line) => {
  const result = await exec({ shell: line }, here({ input: 'x'.repeat(2_000_000) }));
  expect(result).toMatchObject({ ended: 'exited', code: 4 });
});

test('output is told as it arrives, and a character that comes in two parts comes whole', async () => {
  const told: string[] = [];
  const line = "printf 'a\\303'; sleep 0.1; printf '\\244b\\0'; printf e >&2";
  await exec({ shell: line }, here({ onOutput: (text, stream) => told.push(`${stream}:${text}`) }));
  const of = (stream: string) =>
    told.flatMap((t) => (t.startsWith(stream) ? [t.slice(stream.length + 1)] : [])).join('');
  expect(of('stdout')).toBe('aäb\\0');
  expect(of('stderr')).toBe('e');
  expect(told[0]).toBe('stdout:a');
});

test('a listener that throws does not change the result', async () => {
  const onOutput = () => {
    throw new Error('listener');
  };
  const result = await exec({ shell: 'echo x; exit 2' }, here({ onOutput }));
  expect(result).toMatchObject({ ended: 'exited', code: 2, stdout: { text: 'x\n' } });
});

test('many commands at once do not mix their output', async () => {
  const numbers = Array.from({ length: 24 }, (_, n) => n);
  const texts = await Promise.all(
    numbers.map(
      async (n) =>
        (await exec({ shell: `echo ${n}; cat; echo ${n} >&2` }, here({ input: `i${n}` }))).stdout.text,
    ),
  );
  expect(texts).toEqual(numbers.map((n) => `${n}\ni${n}`));
});
