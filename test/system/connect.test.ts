import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Connection, type ConnectOptions, connect } from '../../src/system/connect.ts';
import { sweepOrphans } from '../../src/system/orphans.ts';
import { tempDir } from '../support/temp-dir.ts';
import { asJavaScript } from './as-javascript.ts';
import { env, isAlive, killAll, pidsIn, until } from './processes.ts';

/** A connection to a shell line; `$P` is the file for pids. What it wrote comes with it. */
async function talkTo(dir: string, shell: string, more: Partial<ConnectOptions> = {}) {
  const told = { stdout: '', stderr: '' };
  const file = join(dir, 'pids');
  const connection = await connect(
    { shell },
    {
      cwd: dir,
      env: { ...env, P: file },
      onOutput: (text, stream) => {
        told[stream] += text;
      },
      ...more,
    },
  );
  if ('failed' in connection) throw new Error('it did not start');
  return { connection, told, pids: () => pidsIn(file) };
}

/** Ends it, and whatever of its processes is left with it. Returns those that had been. */
async function end(connection: Connection, pids: readonly number[]): Promise<readonly number[]> {
  await connection.end();
  const survivors = pids.filter(isAlive);
  killAll(survivors);
  return survivors;
}

const ECHO = 'while read -r line; do echo "you said $line"; done';

test('a connection answers as often as it is talked to, and ends when it is hung up', async () => {
  await using dir = await tempDir();
  const { connection, told } = await talkTo(dir.path, ECHO);
  connection.send('one\n');
  await until(() => (told.stdout === 'you said one\n' ? true : undefined));
  connection.send('two\n');
  await until(() => (told.stdout.endsWith('you said two\n') ? true : undefined));
  connection.hangUp();
  expect(await connection.ended).toMatchObject({ ended: 'exited', code: 0 });
});

test('what is sent after its end is lost, and breaks nothing', async () => {
  await using dir = await tempDir();
  const { connection } = await talkTo(dir.path, 'exit 3');
  expect(await connection.ended).toMatchObject({ ended: 'exited', code: 3 });
  connection.send('anybody there?\n');
  connection.hangUp();
  expect(await connection.end()).toMatchObject({ ended: 'exited', code: 3 });
});

test('a megabyte goes to a slow reader whole', async () => {
  await using dir = await tempDir();
  const { connection, told } = await talkTo(dir.path, 'sleep 0.2; wc -c');
  connection.send('x'.repeat(1_000_000));
  connection.hangUp();
  await connection.ended;
  expect(told.stdout.trim()).toBe('1000000');
});

test('a program that is not there is a failure, not a throw', async () => {
  await using dir = await tempDir();
  const connection = await connect({ file: 'no-such-program', args: [] }, { cwd: dir.path, env });
  expect(connection).toMatchObject({ failed: { ended: 'not-started', code: 'not-found' } });
});

test('its end ends a child that ignores TERM and one that has left the session', async () => {
  await using dir = await tempDir();
  const { connection, pids } = await talkTo(
    dir.path,
    `trap '' TERM; echo $$ >> $P; setsid sleep 300 & echo $! >> $P; ${ECHO}; sleep 300`,
    { graceMs: 100 },
  );
  await until(async () => ((await pids()).length === 2 ? true : undefined));
  expect(await end(connection, await pids())).toEqual([]);
});

test('strays are what it let go of; what it still holds goes on', async () => {
  await using dir = await tempDir();
  // A finished shell leaves a server behind; the other child is waited for.
  const { connection, pids } = await talkTo(
    dir.path,
    `sh -c 'setsid sleep 300 & echo $! >> $P'; sleep 300 & echo $! >> $P; ${ECHO}`,
  );
  await until(async () => ((await pids()).length === 2 ? true : undefined));
  const [stray = 0, held = 0] = await pids();
  expect([isAlive(stray), isAlive(held)]).toEqual([true, true]);
  expect(await connection.endStrays()).toBe(1);
  expect([isAlive(stray), isAlive(held)]).toEqual([false, true]);
  expect(await end(connection, [stray, held])).toEqual([]);
});

test('what a killed owner was talking with is found and ended by the next', async () => {
  await using dir = await tempDir();
  await asJavaScript(join(dir.path, 'system'));
  const file = join(dir.path, 'pids');
  await writeFile(
    join(dir.path, 'owner.mjs'),
    `import { connect } from './system/connect.js';
     const line = 'echo $$ >> $P; setsid sleep 300 & echo $! >> $P; while :; do sleep 1; done';
     await connect({ shell: line }, { cwd: ${JSON.stringify(dir.path)}, env: { ...process.env, P: ${JSON.stringify(file)} } });
     setInterval(() => {}, 1000);`,
  );
  const owner = spawn(process.execPath, [join(dir.path, 'owner.mjs')], { stdio: 'ignore', env });
  try {
    await until(async () => ((await pidsIn(file)).length === 2 ? true : undefined));
    const left = await pidsIn(file);
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    expect(left.filter(isAlive)).toHaveLength(2);
    // Another test may be the one that finds them.
    await until(async () => {
      await sweepOrphans();
      return left.some(isAlive) ? undefined : true;
    });
  } finally {
    killAll([owner.pid ?? 0, ...(await pidsIn(file))].filter((pid) => pid > 1));
  }
});
