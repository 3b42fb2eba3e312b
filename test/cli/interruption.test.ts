import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { findSandbox } from '../../src/system/sandbox.ts';
import {
  CLI_ARGS,
  type Cli,
  check,
  onlyRunDir,
  openCli,
  recordedReport,
  specText,
  until,
} from '../support/cli.ts';
import { isAlive, killAll, pidsIn } from '../system/processes.ts';

/**
 * A command with a child of its own and one that has left its group; each writes its pid to `pids`, and all stay
 * until they are ended. What ignores TERM must go too.
 */
const stays = (pids: string) =>
  [
    `trap '' TERM`,
    `(trap '' TERM; exec sleep 300) & echo $! >>${pids}`,
    `setsid sh -c 'echo $$ >>${pids}; exec sleep 300' & echo $! >>${pids}`,
    `echo $$ >>${pids}; touch ${pids}.ready; wait`,
  ].join('\n');

/** Without a room: what checks write outside of the workspace is seen, and their pids are those of this machine. */
const limits = { confirm: 'rerun' };

const PHASES: readonly [string, (pids: string) => string][] = [
  ['the baseline', (pids) => specText({ evaluators: [check(stays(pids))], limits })],
  [
    "the agent's turn",
    (pids) => specText({ driver: { uses: 'command', options: { command: stays(pids) } } }),
  ],
  [
    'the checks of an iteration',
    (pids) => specText({ evaluators: [check(`test -f done.txt || exit 1\n${stays(pids)}`)], limits }),
  ],
];

/** Starts a run of `a.yaml` and waits until its command stays. */
async function started(cli: Cli, spec: (pids: string) => string) {
  const file = join(cli.dir, 'pids');
  await cli.write({ 'a.yaml': spec(file) });
  const run = cli.start(['run', 'a.yaml']);
  await until(() => existsSync(`${file}.ready`) || undefined);
  const pids = await until(async () => ((await pidsIn(file)).length >= 4 ? pidsIn(file) : undefined));
  expect(pids.every(isAlive)).toBe(true);
  return { run, pids };
}

describe.each(PHASES)('stopped in %s', (_, spec) => {
  test.each<NodeJS.Signals>(['SIGINT', 'SIGTERM', 'SIGHUP'])(
    '%s ends the children, keeps the state and exits 130',
    async (signal) => {
      await using cli = await openCli();
      const { run, pids } = await started(cli, spec);
      try {
        run.kill(signal);
        const ended = await run.ended;
        expect(ended.code).toBe(130);
        expect(pids.filter(isAlive)).toEqual([]);
        expect(ended.stderr).toContain(`${signal}: ending what runs`);
        expect(ended.stdout).toContain('stopped by the user');
        const report = await recordedReport(join(cli.dir, '.loopgen'));
        expect(report).toMatchObject({ outcome: 'aborted', success: false });
        await isFree(cli);
      } finally {
        killAll(pids);
      }
    },
  );
});

/** Processes of this machine whose last argument is so. */
async function sleepers(seconds: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return pids.filter((_, i) => lines[i] === `sleep\0${seconds}\0`);
}

describe.skipIf(!(await findSandbox(process.env)).ok)('checks in a bound room [needs bwrap]', () => {
  test.each<NodeJS.Signals>(['SIGINT', 'SIGKILL'])('end with a loopgen that gets %s', async (signal) => {
    await using cli = await openCli();
    const seconds = `300.${process.pid}${signal.length}`;
    const both = `trap '' TERM; sleep ${seconds} & setsid env -i sleep ${seconds} & wait; wait`;
    await cli.write({ 'a.yaml': specText({ evaluators: [check(both)] }) });
    const run = cli.start(['run', 'a.yaml']);
    const pids = await until(async () => {
      const found = await sleepers(seconds);
      return found.length === 2 ? found : undefined;
    });
    try {
      run.kill(signal);
      expect((await run.ended).code).toBe(signal === 'SIGKILL' ? null : 130);
      await until(() => !pids.some(isAlive) || undefined);
    } finally {
      killAll(pids);
    }
  });
});

/** Neither lock nor mark is left: the next run starts, and has nothing to tell of this one. */
async function isFree(cli: Cli): Promise<void> {
  const state = join(cli.env['XDG_STATE_HOME'] ?? '', 'loopgen');
  expect(await readdir(join(state, 'locks'))).toEqual([]);
  expect(await readdir(join(state, 'interrupted'))).toEqual([]);
}

test('a second signal ends it at once, with its children', async () => {
  await using cli = await openCli();
  const slow = (pids: string) =>
    specText({ driver: { uses: 'command', options: { command: `${stays(pids)}\nwait` } } });
  const { run, pids } = await started(cli, slow);
  try {
    run.kill('SIGINT');
    await until(() => run.stderr().includes('once more ends it at once') || undefined);
    run.kill('SIGINT'); // At once: the same Ctrl-C, passed on by a program in between.
    const insisting = setInterval(() => run.kill('SIGINT'), 100);
    expect(await run.ended).toMatchObject({ code: 130, stdout: '' });
    clearInterval(insisting);
    expect(pids.filter(isAlive)).toEqual([]);
    const dir = await onlyRunDir(join(cli.dir, '.loopgen'));
    expect(existsSync(join(dir, 'report.json'))).toBe(false);
  } finally {
    killAll(pids);
  }
});

test('check, too, ends its children and exits 130', async () => {
  await using cli = await openCli();
  const file = join(cli.dir, 'pids');
  await cli.write({ 'a.yaml': specText({ evaluators: [check(stays(file))] }), 'w/.keep': '' });
  const run = cli.start(['check', 'a.yaml']);
  await until(() => existsSync(`${file}.ready`) || undefined);
  const pids = await pidsIn(file);
  try {
    run.kill('SIGINT');
    expect(await run.ended).toMatchObject({ code: 130, stdout: '' });
    await until(() => !pids.some(isAlive) || undefined);
  } finally {
    killAll(pids);
  }
});

test('what an agent had done when it was stopped is kept as a patch and stays in the workspace', async () => {
  await using cli = await openCli();
  const works = (pids: string) =>
    specText({
      driver: { uses: 'command', options: { command: `echo half >half.txt\n${stays(pids)}` } },
    });
  const { run, pids } = await started(cli, works);
  try {
    run.kill('SIGINT');
    expect((await run.ended).code).toBe(130);
    expect(await cli.read('w/half.txt')).toBe('half\n');
    const dir = await onlyRunDir(join(cli.dir, '.loopgen'));
    expect(await readFile(join(dir, 'iteration-01.patch'), 'utf8')).toContain('+half');
    const report = await recordedReport(join(cli.dir, '.loopgen'));
    expect(report.changedFiles).toEqual([{ path: 'half.txt', change: 'added' }]);
  } finally {
    killAll(pids);
  }
});

/** Starts a program on a terminal of its own, closes the terminal when a file appears, and prints how it ended. */
const CLOSE_TERMINAL = `
import os, pty, sys, time
ready, argv = sys.argv[1], sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0:
    os.execv(argv[0], argv)
os.set_blocking(terminal, False)
while not os.path.exists(ready):
    try:
        os.read(terminal, 65536)
    except BlockingIOError:
        time.sleep(0.02)
os.close(terminal)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

test('a terminal that is closed ends the run in order, and it dies of that and of nothing else', async () => {
  await using cli = await openCli();
  const file = join(cli.dir, 'pids');
  await cli.write({
    'a.yaml': specText({ driver: { uses: 'command', options: { command: stays(file) } } }),
    'close.py': CLOSE_TERMINAL,
  });
  const argv = ['close.py', `${file}.ready`, process.execPath, ...CLI_ARGS, 'run', 'a.yaml', '-v'];
  const { stdout } = await promisify(execFile)('python3', argv, { cwd: cli.dir, env: cli.env });
  const pids = await pidsIn(file);
  try {
    expect(stdout).toBe('-1\n');
    expect(pids.filter(isAlive)).toEqual([]);
    expect(await recordedReport(join(cli.dir, '.loopgen'))).toMatchObject({ outcome: 'aborted' });
    await isFree(cli);
  } finally {
    killAll(pids);
  }
});

test('under nohup a terminal that closes ends nothing', async () => {
  await using cli = await openCli();
  const waits = 'touch ../begun; until test -f ../go; do sleep 0.05; done; touch done.txt';
  await cli.write({
    'a.yaml': specText({ driver: { uses: 'command', options: { command: waits } } }),
  });
  const run = cli.start(['run', 'a.yaml'], { env: { _: '/usr/bin/nohup' } });
  await until(() => existsSync(join(cli.dir, 'begun')) || undefined);
  run.kill('SIGHUP');
  await cli.write({ go: '' });
  expect((await run.ended).code).toBe(0);
});
