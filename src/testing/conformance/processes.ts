import { setTimeout as delay } from 'node:timers/promises';
import type { StopReason } from '../../core/event.ts';
import { type Rig, SETTLE_MS } from './rig.ts';
import { type Assignment, meets, needs, run, Unmet } from './scenario.ts';

const LONG_COMMAND = 'echo $$ > pid.txt; exec sleep 300';
const BACKGROUND_COMMAND = 'nohup sleep 300 >/dev/null 2>&1 & echo $! > pid.txt';

const toRun = (command: string, how: string): Assignment => ({
  prompt: `Run this shell command in the current folder${how}:\n\n${command}`,
  does: [run(command)],
});

/** Ctrl-C in the middle of what the agent does. */
export async function abortScenario(rig: Rig): Promise<undefined> {
  await stoppedBy(rig, 'aborted', undefined);
  return undefined;
}

/** The time limit of the turn, which is an abort with a reason. */
export async function timeScenario(rig: Rig): Promise<undefined> {
  await stoppedBy(rig, 'timed-out', 'timed-out');
  return undefined;
}

async function stoppedBy(rig: Rig, expected: StopReason, reason: string | undefined): Promise<void> {
  const stop = new AbortController();
  const isOneShot = rig.driver.kind === 'one-shot';
  needs(!isOneShot || rig.model !== undefined, 'a one-shot proposer needs a model that does not answer');
  const assignment = toRun(LONG_COMMAND, ', in the foreground, and wait until it ends by itself');
  const running = rig.turn([assignment], 0, {
    stop: stop.signal,
    ...(isOneShot && { fate: 'hangs' as const }),
  });
  // It is looked at below; a driver that throws early must not be an unhandled rejection before.
  running.catch(() => undefined);
  const pid = isOneShot ? await asked(rig) : await rig.pidIn('pid.txt', rig.startMs, running);
  const settledBefore = await Promise.race([running.then(({ result }) => result), delay(0)]);
  if (settledBefore) {
    const { stopReason, summary } = settledBefore;
    throw new Unmet(`the turn ended by itself before it was stopped: ${stopReason}: ${summary}`);
  }
  const began = performance.now();
  stop.abort(reason);
  const { result } = await running;
  const tookMs = performance.now() - began;
  meets(tookMs < SETTLE_MS, `it took ${(tookMs / 1000).toFixed(1)} s to end`);
  meets(
    result.stopReason === expected,
    `the stop reason is ${result.stopReason}, not ${expected}: ${result.summary}`,
  );
  if (isOneShot) return;
  meets(pid !== undefined, 'its command was not started in time, so that nothing was seen');
  await rig.close();
  meets(pid === undefined || (await rig.isGone(pid)), 'the command that it ran is still alive');
}

/** Waits until the model has been asked. */
async function asked({ model, startMs }: Rig): Promise<undefined> {
  for (let left = startMs; left > 0 && model?.log.every(({ wire }) => wire === undefined); left -= 50)
    await delay(50);
  return undefined;
}

/** What a command leaves in the background does not outlive the run. */
export async function backgroundScenario(rig: Rig): Promise<undefined> {
  needs(rig.driver.kind !== 'one-shot', 'a one-shot proposer starts no process');
  const { result } = await rig.turn([toRun(BACKGROUND_COMMAND, ' exactly as it is')], 0);
  await rig.close();
  const pid = await rig.pidIn('pid.txt', 0);
  if (pid === undefined) throw new Unmet(`the command did not run: ${result.stopReason}: ${result.summary}`);
  meets(await rig.isGone(pid), 'a process that its command started is still alive after the run');
  return undefined;
}
