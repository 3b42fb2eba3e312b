import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ExecOptions, type ExecResult, exec } from '../../src/system/exec.ts';
import { tempDir } from '../support/temp-dir.ts';
import { env, isAlive, killAll, pidsIn, until } from './processes.ts';

/** Starts a daemon: forks, leaves the session, forks again. Writes its pid, keeps the pipes, ignores TERM. */
const DAEMON = `
import os, signal, sys, time
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
open(sys.argv[1], "a").write(f"{os.getpid()}\\n")
time.sleep(300)
`;

interface Tried {
  readonly result: ExecResult;
  /** The processes that the command reported. */
  readonly pids: readonly number[];
  readonly survivors: readonly number[];
}

/** Runs a line in which `$P` is the file for pids and `$D` starts a daemon that writes its own into it. */
async function attempt(shell: string, more: Partial<ExecOptions> = {}): Promise<Tried> {
  await using dir = await tempDir();
  const file = join(dir.path, 'pids');
  const ready = `ready() { while [ "$(wc -l < $P 2>/dev/null || echo 0)" -lt "$1" ]; do sleep 0.01; done; }\n`;
  const all = { ...env, P: file, DAEMON };
  const line = ready + shell.replaceAll('$D', 'python3 -c "$DAEMON" $P');
  const result = await exec({ shell: line }, { cwd: dir.path, env: all, ...more });
  const pids = await pidsIn(file);
  const survivors = pids.filter(isAlive);
  killAll(survivors);
  return { result, pids, survivors };
}

const HANGS: readonly (readonly [string, string, number])[] = [
  ['a child that holds the pipes', 'sleep 300 & echo $! >> $P; wait', 1],
  ['a busy loop', 'echo $$ >> $P; exec python3 -c "while True: pass"', 1],
  ['a chain of processes', 'bash -c \'bash -c "echo \\$\\$ >> $P; sleep 300; true"; true\'', 1],
  ['a shell that ignores TERM', 'trap "" TERM; echo $$ >> $P; while :; do sleep 1; done', 1],
  ['a server', 'echo $$ >> $P; exec python3 -m http.server 0 --bind 127.0.0.1', 1],
  ['a daemon that left the session, ignores TERM and holds the pipes', '$D; ready 1; sleep 300', 1],
  ['a stopped process', 'sleep 300 & echo $! >> $P; kill -STOP $!; wait', 1],
  ['jobs in groups of their own', 'set -m; sleep 300 & echo $! >> $P; sleep 300 & echo $! >> $P; wait', 2],
  ['a job without our variables in a group of its own', 'set -m; env -i sleep 300 & echo $! >> $P; wait', 1],
];

test.each(HANGS)('%s is ended at the time-out, and nothing lives on', async (_title, line, count) => {
  const { result, pids, survivors } = await attempt(line, { timeoutMs: 1000 });
  expect(result.ended).toBe('timed-out');
  // Half a second later at most, which is measured by `npm run bench`: a busy machine takes longer.
  expect(result.durationMs).toBeLessThan(5000);
  expect(pids).toHaveLength(count);
  expect(survivors).toEqual([]);
});

const LEFTOVERS: readonly (readonly [string, string, number])[] = [
  ['a background job', 'sleep 300 & echo $! >> $P', 1],
  ['a background job that ignores TERM', '(trap "" TERM; echo $BASHPID >> $P; sleep 300) & ready 1', 1],
  ['a background job without the pipes', 'sleep 300 >/dev/null 2>&1 & echo $! >> $P', 1],
  ['a process in a session of its own', 'setsid bash -c "echo \\$\\$ >> $P; sleep 300; true" & ready 1', 1],
  ['a daemon', '$D; ready 1', 1],
  ['two daemons and a job', '$D; $D; sleep 300 & echo $! >> $P; ready 3', 3],
  [
    'a child of a daemon, without our variables',
    "setsid bash -c 'env -i sleep 300 & echo $! >> $P; wait' & ready 1",
    1,
  ],
];

test.each(LEFTOVERS)('%s that outlives a command is ended with it', async (_title, line, count) => {
  const { result, pids, survivors } = await attempt(`${line}; exit 5`, { timeoutMs: 20_000 });
  expect(result).toMatchObject({ ended: 'exited', code: 5 });
  expect(result.durationMs).toBeLessThan(5000);
  expect(result.swept).toBeGreaterThanOrEqual(count);
  expect(pids).toHaveLength(count);
  expect(survivors).toEqual([]);
});

test('a daemon that the sweep cannot know lives on, so the tests above prove the sweep', async () => {
  await using dir = await tempDir();
  const pids = join(dir.path, 'pids');
  const line = 'env -u LOOPGEN_SCOPE python3 -c "$DAEMON" $P; while [ ! -s $P ]; do sleep 0.01; done';
  await exec({ shell: line }, { cwd: dir.path, env: { ...env, P: pids, DAEMON } });
  const [pid = 0] = await pidsIn(pids);
  try {
    expect(isAlive(pid)).toBe(true);
  } finally {
    killAll([pid]);
  }
});

test('what was printed before the time-out is kept', async () => {
  const { result } = await attempt('echo 1; echo 2 >&2; echo 3; sleep 300', { timeoutMs: 500 });
  expect(result).toMatchObject({ ended: 'timed-out', stdout: { text: '1\n3\n' }, stderr: { text: '2\n' } });
});

test('what is printed on TERM is kept, and the grace is used for it', async () => {
  const line = 'trap "sleep 0.1; echo cleaned; exit 0" TERM; echo $$ >> $P; while :; do sleep 0.01; done';
  const { result } = await attempt(line, { timeoutMs: 500 });
  expect(result).toMatchObject({ ended: 'timed-out', stdout: { text: 'cleaned\n' } });
});

test('a process that ends on TERM makes no one wait for the rest of the grace', async () => {
  const { result } = await attempt('exec sleep 300', { timeoutMs: 300, graceMs: 10_000 });
  expect(result.ended).toBe('timed-out');
  expect(result.durationMs).toBeLessThan(2000);
});

test('silence on both streams ends a command as idle, whatever it does', async () => {
  const { result, survivors } = await attempt('echo $$ >> $P; printf half; exec sleep 300', {
    idleTimeoutMs: 400,
    timeoutMs: 20_000,
  });
  expect(result).toMatchObject({ ended: 'idle', stdout: { text: 'half' } });
  expect(survivors).toEqual([]);
});

test('output on one stream keeps a command from being idle', async () => {
  const line = 'for i in 1 2 3 4 5 6 7 8 9 10; do echo $i >&2; sleep 0.1; done';
  expect((await attempt(line, { idleTimeoutMs: 700 })).result).toMatchObject({ ended: 'exited', code: 0 });
});

test('an abort ends a command and what it started', async () => {
  await using dir = await tempDir();
  const file = join(dir.path, 'pids');
  const controller = new AbortController();
  const line = 'sleep 300 & echo $! >> $P; wait';
  const running = exec({ shell: line }, { cwd: '/', env: { ...env, P: file }, signal: controller.signal });
  const [pid = 0] = await until(async () => {
    const pids = await pidsIn(file);
    return pids.length > 0 ? pids : undefined;
  });
  controller.abort();
  expect((await running).ended).toBe('aborted');
  expect(isAlive(pid)).toBe(false);
});

test('nothing is started for a signal that is aborted already', async () => {
  const { result, pids } = await attempt('echo $$ >> $P', { signal: AbortSignal.abort() });
  expect(result.ended).toBe('aborted');
  expect(pids).toEqual([]);
});

test('the first cause wins: an abort during the grace does not change a time-out', async () => {
  const controller = new AbortController();
  const line = 'trap "echo asked" TERM; while :; do sleep 0.01; done';
  const { result } = await attempt(line, {
    timeoutMs: 300,
    signal: controller.signal,
    onOutput: () => controller.abort(),
  });
  expect(controller.signal.aborted).toBe(true);
  expect(result.ended).toBe('timed-out');
});

test('a time-out of weeks does not fire at once', async () => {
  const { result } = await attempt('sleep 0.1', { timeoutMs: 90 * 24 * 3600 * 1000 });
  expect(result).toMatchObject({ ended: 'exited', code: 0 });
});

test('output of a process substitution that ends a moment later is not lost', async () => {
  const { result } = await attempt('echo x > >(cat)');
  expect(result).toMatchObject({ ended: 'exited', stdout: { text: 'x\n' } });
});
