import { randomUUID } from 'node:crypto';
import { holds, toWrite } from './files.ts';
import type { Rig } from './rig.ts';
import { meets, needs, write } from './scenario.ts';

const ONE_SHOT = 'a one-shot proposer has no sessions';

/** The second turn knows what was said in the first. */
export async function resumesSession(rig: Rig): Promise<undefined> {
  needs(rig.driver.kind !== 'one-shot', ONE_SHOT);
  const word = `w${Date.now().toString(36)}`;
  const assignments = [
    {
      prompt: `Remember the word ${word}. Create the file first.txt with the word "ready".`,
      does: [write('first.txt', 'ready\n')],
    },
    {
      prompt: 'Create the file second.txt with the word that you were told to remember, and nothing else.',
      does: [write('second.txt', `${word}\n`)],
    },
  ];
  const first = await rig.turn(assignments, 0);
  const { sessionId } = first.result;
  needs(sessionId !== undefined || rig.model !== undefined, 'its turns tell no session');
  const { stopReason, summary } = first.result;
  meets(
    sessionId !== undefined,
    `its turns tell no session (in an agent CLI: read() gives no "session" note), and the first says ${stopReason}: ${summary}`,
  );
  const { result } = await rig.turn(assignments, 1, { sessionId });
  await holds(rig, 'second.txt', word, result);
  meets(
    result.sessionId === sessionId,
    `the second turn tells session ${result.sessionId}, not ${sessionId}`,
  );
  const remembers = rig.model?.log.some(({ turns }) => turns?.some(({ text }) => text.includes(word)));
  meets(remembers !== false, 'the model was not sent what was said in the first turn');
  return undefined;
}

/** What the summary has to say in some way, beside the id. */
const ANEW = /\bnew\b|anew|afresh|fresh/i;

/** A session that nobody knows, as after a clean-up or on another machine, costs no turn. */
export async function beginsAnew(rig: Rig): Promise<undefined> {
  needs(rig.driver.kind !== 'one-shot', ONE_SHOT);
  const lost = randomUUID();
  const { result } = await rig.turn([toWrite('anew.txt', 'begun anew')], 0, { sessionId: lost });
  const { sessionId, summary } = result;
  needs(sessionId !== undefined || result.stopReason !== 'completed', 'its turns tell no session');
  await holds(rig, 'anew.txt', 'begun anew', result);
  meets(sessionId !== lost, 'it tells the session that it was given, which is nowhere');
  meets(
    summary.includes(lost) || ANEW.test(summary),
    `its summary does not say that a new session was begun: ${summary}`,
  );
  return undefined;
}
