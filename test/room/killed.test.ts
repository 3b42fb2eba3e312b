import { existsSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Cli, check, openCli, reportOf, specText, until } from '../support/cli.ts';
import { hasBwrap, pathWithout } from './support.ts';

const kinds = hasBwrap ? (['bound', 'folder'] as const) : (['folder'] as const);

/** Starts a daemon that leaves its session, then stays. What it writes tells that it lives. */
const STAYS = [
  "(setsid sh -c 'while :; do date +%N > beat; sleep 0.05; done' >/dev/null 2>&1 &)",
  'until test -s beat; do sleep 0.02; done',
  'sleep 300',
].join('; ');

const runningIn = (cli: Cli, tmp: string, args: readonly string[], path: string | undefined) =>
  cli.start([...args, '--json'], { env: { TMPDIR: tmp, ...(path !== undefined && { PATH: path }) } });

/** The file that the daemon writes to, as it is seen from outside. */
function beatIn(tmp: string): string | undefined {
  const rooms = readdirSync(tmp).find((name) => name.startsWith('loopgen-rooms-'));
  const beat = join(tmp, rooms ?? '', '0/tree/w/beat');
  return rooms !== undefined && existsSync(beat) ? beat : undefined;
}

describe.each(kinds)('a run that is killed while checks are in a room of the kind %s', (kind) => {
  const mark = kind === 'bound' ? ' [needs bwrap]' : '';

  test(`leaves no process there for long, and the next start removes the room${mark}`, async () => {
    await using cli = await openCli();
    const path = kind === 'bound' ? undefined : pathWithout(join(cli.dir, 'bin'), 'bwrap');
    mkdirSync(join(cli.dir, 'w'));
    mkdirSync(join(cli.dir, 'tmp'));
    const tmp = realpathSync(join(cli.dir, 'tmp'));
    await cli.write({
      'a.yaml': specText({ evaluators: [check(STAYS)] }),
      'next.yaml': specText({ name: 'next', evaluators: [check('test -f done.txt')] }),
    });
    const killed = runningIn(cli, tmp, ['run', 'a.yaml'], path);
    const beat = await until(() => beatIn(tmp));
    killed.kill('SIGKILL');
    await killed.ended;
    // Walls end with their parent. Without them, the next start ends what was left.
    if (kind === 'bound') await stands(beat);
    expect(readdirSync(tmp).filter((name) => name.startsWith('loopgen-'))).toHaveLength(2);
    const next = await runningIn(cli, tmp, ['run', 'next.yaml'], path).ended;
    expect(reportOf(next).outcome).toBe('success');
    expect(readdirSync(tmp)).toEqual([]);
  });
});

/** Waits until the daemon writes no more. */
async function stands(beat: string): Promise<void> {
  let last = '';
  let same = 0;
  await until(async () => {
    const now = await readFile(beat, 'utf8');
    same = now === last ? same + 1 : 0;
    last = now;
    return same >= 50 || undefined;
  });
}
