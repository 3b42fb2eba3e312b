import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir, readFile, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readJournal } from '../../src/journal/journal.ts';
import { type Cli, check, onlyRunDir, openCli, reportOf, specText, until } from '../support/cli.ts';
import { isAlive, killAll, pidsIn } from '../system/processes.ts';

const run = promisify(execFile);

/** Changes, deletes and adds files, then stays, with a process outside of its group. */
const WORK = [
  'printf "changed\\r\\nwithout end" >src/a.txt',
  'rm src/b.bin "src/odd name"',
  'mkdir -p new/deep && printf "\\000\\377" >new/deep/c.bin',
  'chmod 600 src/tool.sh',
  "setsid sh -c 'echo $$ >>../pids; exec sleep 300' & echo $! >>../pids",
  'echo $$ >>../pids; while test "$(wc -l <../pids)" -lt 3; do sleep 0.01; done; touch ../ready; wait',
].join('\n');

const spec = specText({
  driver: { uses: 'command', options: { command: WORK } },
  evaluators: [check('test -f never')],
  limits: { maxIterations: 1 },
});

async function project(cli: Cli): Promise<void> {
  await cli.write({
    'a.yaml': spec,
    'next.yaml': specText({ name: 'next', evaluators: [check('test -f done.txt')] }),
    'w/src/a.txt': 'as it was\r\nno final line feed',
    'w/src/odd name': 'odd\n',
    'w/src/b.bin': '\u0000\u0001\u00ff\n',
    'w/src/tool.sh': '#!/bin/sh\n',
    'w/untouched.txt': 'mine\n',
  });
  await mkdir(join(cli.dir, 'w/empty'));
  await chmod(join(cli.dir, 'w/src/tool.sh'), 0o755);
  await symlink('src/a.txt', join(cli.dir, 'w/link'));
}

/** Every file of a tree with its bytes, every link with its target; executable or not. */
async function fingerprint(dir: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) found[path] = `link ${await readlink(path)}`;
    else if (entry.isFile())
      found[path] =
        `${(await lstat(path)).mode & 0o100 ? 'x' : '-'} ${(await readFile(path)).toString('hex')}`;
  }
  return found;
}

async function killedInItsTurn(cli: Cli): Promise<readonly number[]> {
  const killed = cli.start(['run', 'a.yaml']);
  await until(() => existsSync(join(cli.dir, 'ready')) || undefined);
  killed.kill('SIGKILL');
  expect(await killed.ended).toMatchObject({ code: null, signal: 'SIGKILL' });
  return await pidsIn(join(cli.dir, 'pids'));
}

test('the start after a kill ends what was left, shows the patch, and its command restores the start', async () => {
  await using cli = await openCli();
  await project(cli);
  const before = await fingerprint(join(cli.dir, 'w'));
  const pids = await killedInItsTurn(cli);
  try {
    expect(pids.length).toBeGreaterThanOrEqual(3);
    expect(await fingerprint(join(cli.dir, 'w'))).not.toEqual(before);

    const next = await cli.run(['run', 'next.yaml', '--skip-preflight', '--json', '-m', '1']);
    await until(() => !pids.some(isAlive) || undefined);
    expect(next.stderr).toContain('was killed here. What it had changed:');
    expect(next.stderr).toContain('-as it was');
    expect(next.stderr).toContain('+without end');
    expect(reportOf(next).outcome).toBe('success');

    const command = /to restore the state before that run:\n {2}(.+)\n/.exec(next.stderr)?.[1] ?? '';
    expect(command).not.toBe('');
    await run('sh', ['-c', 'rm w/done.txt'], { cwd: cli.dir });
    await run('sh', ['-c', command], { cwd: '/', env: cli.env });
    expect(await fingerprint(join(cli.dir, 'w'))).toEqual(before);
  } finally {
    killAll(pids);
  }
});

test('it is told once', async () => {
  await using cli = await openCli();
  await project(cli);
  const pids = await killedInItsTurn(cli);
  try {
    const first = await cli.run(['run', 'next.yaml']);
    expect(first.stderr).toContain('was killed here');
    const second = await cli.run(['run', 'next.yaml']);
    expect(second.stderr).not.toContain('was killed here');
  } finally {
    killAll(pids);
  }
});

test('what was recorded before the kill is there', async () => {
  await using cli = await openCli();
  await project(cli);
  const pids = await killedInItsTurn(cli);
  try {
    const dir = await onlyRunDir(join(cli.dir, '.loopgen'));
    const events = readJournal(join(dir, 'events.jsonl')).map((event) => event.type);
    expect(events).toContain('baseline.judged');
    expect(events.at(-1)).toBe('iteration.started');
  } finally {
    killAll(pids);
  }
});

test('a run that lives is left alone by others that start beside it', async () => {
  await using cli = await openCli();
  await cli.write({
    'a.yaml': specText({
      driver: {
        uses: 'command',
        options: { command: 'echo $$ >../pids; touch ../ready; until test -f ../go; do sleep 0.05; done' },
      },
      // The check looks outside of the workspace, where no room has anything.
      evaluators: [check('test -f ../go')],
      limits: { confirm: 'rerun' },
    }),
    'b.yaml': specText({ workspace: { dir: 'other' } }),
  });
  const living = cli.start(['run', 'a.yaml', '--json']);
  await until(() => existsSync(join(cli.dir, 'ready')) || undefined);
  const [pid = 0] = await pidsIn(join(cli.dir, 'pids'));
  const beside = await cli.run(['run', 'b.yaml', '--json']);
  expect(beside.code).toBe(0);
  expect(beside.stderr).not.toContain('was killed');
  expect(isAlive(pid)).toBe(true);
  await cli.write({ go: '' });
  expect((await living.ended).code).toBe(0);
});
