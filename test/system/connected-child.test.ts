import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ConnectedChild } from '../../src/system/connected-child.ts';
import { tempDir } from '../support/temp-dir.ts';
import { env, isAlive, until } from './processes.ts';

const once = (child: ConnectedChild, event: string) =>
  new Promise<unknown[]>((resolve) => child.once(event, (...args) => resolve(args)));
const start = (cwd: string, shell: string) => new ConnectedChild({ shell }, { cwd, env, graceMs: 100 });

test('a connected child is written to, read from and waited for like any child of Node', async () => {
  await using dir = await tempDir();
  const child = start(dir.path, 'cat; exit 3');
  child.stdin.write('one\n');
  child.stdin.end(Buffer.from('zwö\n'));
  const [output, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect([output, code, signal]).toEqual(['one\nzwö\n', 3, null]);
  expect([child.exitCode, child.killed]).toEqual([3, false]);
});

test('killing it ends what ignores TERM', async () => {
  await using dir = await tempDir();
  const child = start(dir.path, 'trap "" TERM; echo $$; while :; do sleep 1; done');
  let output = '';
  child.stdout.on('data', (piece) => {
    output += piece;
  });
  await until(() => (output.endsWith('\n') ? true : undefined));
  expect(child.kill('SIGTERM')).toBe(true);
  const [code, signal] = await once(child, 'exit');
  expect([code, signal, child.killed]).toEqual([null, 'SIGTERM', true]);
  expect(isAlive(Number(output))).toBe(false);
});

test('one that does not start says so, and breaks nothing where nobody listens', async () => {
  await using dir = await tempDir();
  const missing = () =>
    new ConnectedChild({ file: 'no-such-program', args: [] }, { cwd: dir.path, env, graceMs: 100 });
  const unwanted = missing();
  const listener = () => expect.unreachable();
  unwanted.on('error', listener).off('error', listener);
  const [error] = await once(unwanted, 'error');
  expect(error).toMatchObject({ message: expect.stringContaining('no-such-program') });
  const unheard = missing();
  unheard.stdin.end('lost');
  expect(await unheard.ended).toMatchObject({ ended: 'not-started' });
});
