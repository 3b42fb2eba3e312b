import { relative } from 'node:path';
import type { Environment, Turn } from '../core/plugin.ts';
import { exec } from '../system/exec.ts';
import { jsonLines } from '../system/json-lines.ts';
import { type Account, enter, type Note, newAccount } from './agent-notes.ts';
import type { Ended } from './agent-result.ts';
import type { Fields } from './fields.ts';

export interface Start {
  readonly turn: Turn;
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Environment;
  readonly input?: string | undefined;
  readonly read: (event: Fields) => readonly Note[];
  readonly maxTurns?: number | undefined;
  readonly timeoutMs?: number | undefined;
  readonly idleTimeoutMs?: number | undefined;
}

const STOP_GRACE_MS = 2000;
/** Events are read as they come; this is for what is none. */
const KEEP_BYTES = 65_536;
const MAX_ASIDE = 16_384;

/** Runs an agent to its end, passes on what it does as it does it, and keeps account. Never rejects. */
export async function runAgent(start: Start): Promise<Ended> {
  const { turn, file, args, env, input, maxTurns = Infinity, timeoutMs, idleTimeoutMs } = start;
  const account = newAccount();
  const enough = new AbortController();
  let aside = '';
  const lines = jsonLines({
    onObject: (event) => {
      // Over its turns, it is being stopped: what it still says is not waited for.
      if (enough.signal.aborted) return;
      // The whole event that is one too many is entered: what it tells was done, and paid for.
      for (const note of start.read(event)) {
        enter(account, note);
        passOn(turn, note, account);
      }
      if (account.turns > maxTurns) enough.abort();
    },
    onNoise: (line) => beside(`${line}\n`),
  });
  const beside = (text: string) => {
    aside = (aside + text).slice(-MAX_ASIDE);
    turn.output(text);
  };
  const ending = await exec(
    { file, args },
    {
      cwd: turn.workdir,
      env,
      signal: AbortSignal.any([turn.signal, enough.signal]),
      graceMs: STOP_GRACE_MS,
      keepBytes: KEEP_BYTES,
      onOutput: (text, stream) => (stream === 'stdout' ? lines.push(text) : beside(text)),
      ...(input !== undefined && { input }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
    },
  );
  lines.end();
  const stoppedAfter = enough.signal.aborted ? { stoppedAfter: maxTurns } : {};
  return { account, ending, aside, signal: turn.signal, ...stoppedAfter };
}

function passOn(turn: Turn, note: Note, account: Account): void {
  switch (note.note) {
    case 'acted':
      turn.acted(note.tool, note.input === undefined ? undefined : insideOf(turn.workdir, note.input));
      break;
    case 'said':
      turn.output(note.piece === true ? note.text : `${note.text}\n`);
      break;
    case 'denied':
      turn.acted('denied', account.denied.at(-1));
      break;
    case 'waiting':
      turn.waiting(note.what);
      break;
  }
}

/** A path in the workspace without the way to it. */
function insideOf(workdir: string, input: string): string {
  return input.startsWith(`${workdir}/`) ? relative(workdir, input) : input;
}
