import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sweepOrphans } from '../../src/system/orphans.ts';
import { pidNamespace, processStat } from '../../src/system/procfs.ts';
import { isOwnerDead, newScopePart, SCOPE_VARIABLE, scopeParts } from '../../src/system/scope.ts';
import { tempDir } from '../support/temp-dir.ts';
import { asJavaScript } from './as-javascript.ts';
import { env, isAlive, killAll, pidsIn, until } from './processes.ts';

const random = 'x'.repeat(16).replaceAll('x', 'a');
const ownStart = processStat(process.pid)?.start ?? 0;
const here = pidNamespace();
/** Larger than any process id. */
const NOBODY = 2 ** 30;

const partOf = (text: string) => scopeParts(`/${text}`)[0];

test.each([
  ['this process', `${process.pid}.${ownStart}.${here}.${random}`, false],
  ['a pid that nobody has', `${NOBODY}.1.${here}.${random}`, true],
  ['a pid that another process has now', `${process.pid}.${ownStart + 1}.${here}.${random}`, true],
  ['a pid of another namespace', `${NOBODY}.1.${Number(here) + 1}.${random}`, false],
  ['an owner whose start was unknown', `${NOBODY}.0.${here}.${random}`, false],
])('an owner is known dead only when that is certain: %s', (_title, text, isDead) => {
  const part = partOf(text);
  expect(part && isOwnerDead(part)).toBe(isDead);
});

test('the parts of a scope are read outermost first, and what is no part is left out', () => {
  const [a, b] = [newScopePart(), newScopePart()];
  expect(a).not.toBe(b);
  expect(scopeParts(`/${a}/junk/${b}/1.2.3`).map((part) => part.text)).toEqual([a, b]);
  expect(scopeParts(a)[0]).toMatchObject({ ownerPid: process.pid, ownerStart: ownStart, namespace: here });
});

test('a process of a dead owner is ended and named, one of a living owner stays', async () => {
  const start = (owner: string) =>
    spawn('sleep', ['300'], {
      stdio: 'ignore',
      detached: true,
      env: { ...env, [SCOPE_VARIABLE]: `/${owner}` },
    }).pid ?? 0;
  const kept = start(newScopePart());
  const foreign = start(`${NOBODY}.1.${Number(here) + 1}.${random}`);
  try {
    // Another test may be the first to find it, so this is tried until it was us.
    const orphan = await until(async () => {
      const pid = start(`${NOBODY}.1.${here}.${random}`);
      const ended = await sweepOrphans();
      await until(() => !isAlive(pid) || undefined);
      return ended.find((o) => o.pid === pid);
    });
    expect(orphan.command).toBe('sleep 300');
    expect([kept, foreign].map(isAlive)).toEqual([true, true]);
  } finally {
    killAll([kept, foreign]);
  }
});

const OWNER = `
import { exec } from './exec.js';
const [pids] = process.argv.slice(2);
await exec(
  { shell: 'setsid sleep 300 & echo $! >> $P; sleep 300 & echo $! >> $P; wait' },
  { cwd: '/', env: { PATH: process.env.PATH, P: pids } },
);
`;

test('what a killed loopgen left, in whatever session, is ended by the next sweep', async () => {
  await using dir = await tempDir();
  await asJavaScript(dir.path);
  await writeFile(join(dir.path, 'owner.js'), OWNER);
  const file = join(dir.path, 'pids');
  const owner = spawn(process.execPath, ['owner.js', file], { cwd: dir.path, stdio: 'ignore', env });
  const pids = await until(async () => {
    const found = await pidsIn(file);
    return found.length === 2 ? found : undefined;
  });
  try {
    await sweepOrphans();
    expect(pids.map(isAlive)).toEqual([true, true]);
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    await sweepOrphans();
    // A process that got its signal is gone as soon as a busy machine comes to it.
    await until(() => !pids.some(isAlive) || undefined);
  } finally {
    owner.kill('SIGKILL');
    killAll(pids);
  }
});

const EXITS = `
import { exec } from './exec.js';
import { killAllNow } from './kill.js';
import { readFileSync, writeFileSync } from 'node:fs';
const [pids, way] = process.argv.slice(2);
const options = { cwd: '/', env: { PATH: process.env.PATH, P: pids } };
const call = exec({ shell: 'trap "" TERM; setsid sleep 300 & echo $! >> $P; echo $$ >> $P; while :; do sleep 1; done' }, options);
const ready = () => { try { return readFileSync(pids, 'utf8').split('\\n').length > 2; } catch { return false; } };
while (!ready()) await new Promise((resolve) => setTimeout(resolve, 5));
if (way === 'exit') process.exit(7);
killAllNow();
const result = await call;
process.exitCode = result.ended === 'signalled' ? 7 : 8;
`;

test.each([
  ['kill-all', 'all that runs can be killed at once, and the calls then resolve'],
  ['exit', 'a process that exits in the middle of a call takes with it what it started'],
])('%s: %s', async (way) => {
  await using dir = await tempDir();
  await asJavaScript(dir.path);
  await writeFile(join(dir.path, 'exits.js'), EXITS);
  const file = join(dir.path, 'pids');
  const owner = spawn(process.execPath, ['exits.js', file, way], { cwd: dir.path, stdio: 'ignore', env });
  const [code] = await once(owner, 'exit');
  const pids = await pidsIn(file);
  const survivors = pids.filter(isAlive);
  killAll(survivors);
  expect({ code, survivors, started: pids.length }).toEqual({ code: 7, survivors: [], started: 2 });
});

const LETS_GO = `
import { exec } from './exec.js';
const [pids] = process.argv.slice(2);
const line = 'env -u LOOPGEN_SCOPE setsid bash -c "echo \\\\$\\\\$ >> $P; exec sleep 300" & while [ ! -s $P ]; do sleep 0.01; done';
const result = await exec({ shell: line }, { cwd: '/', env: { PATH: process.env.PATH, P: pids } });
process.exitCode = result.ended === 'exited' ? 7 : 8;
`;

test('a process that escaped and holds the pipes keeps neither the call nor this process waiting', async () => {
  await using dir = await tempDir();
  await asJavaScript(dir.path);
  await writeFile(join(dir.path, 'lets-go.js'), LETS_GO);
  const file = join(dir.path, 'pids');
  const caller = spawn(process.execPath, ['lets-go.js', file], { cwd: dir.path, stdio: 'ignore', env });
  const [code] = await once(caller, 'exit');
  const pids = await pidsIn(file);
  const alive = pids.filter(isAlive);
  killAll(pids);
  expect({ code, escaped: alive.length }).toEqual({ code: 7, escaped: 1 });
});
