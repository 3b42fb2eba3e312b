import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Cli, check, onlyRunDir, openCli, recordedReport, specText, until } from '../support/cli.ts';
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

const PHASES: readonly [string, (pids: string) => string][] = [
  ['the baseline', (pids) => specText({ evaluators: [check(stays(pids))] })],
  [
    "the agent's turn",
    (pids) => specText({ driver: { uses: 'command', options: { command: stays(pids) } } }),
  ],
  [
    'the checks of an iteration',
    (pids) => specText({ evaluators: [check(`test -f done.txt || exit 1\n${stays(pids)}`)] }),
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
        const sent = performance.now();
        run.kill(signal);
        await until(() => !pids.some(isAlive) || undefined);
        expect(performance.now() - sent).toBeLessThan(5_000);
        const ended = await run.ended;
        expect(ended.code).toBe(130);
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
    const sent = performance.now();
    run.kill('SIGINT');
    expect(await run.ended).toMatchObject({ code: 130 });
    expect(performance.now() - sent).toBeLessThan(1_900);
    await until(() => !pids.some(isAlive) || undefined);
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
