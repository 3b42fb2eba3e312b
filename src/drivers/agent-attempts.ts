import type { AgentResult } from '../core/event.ts';
import type { Turn } from '../core/plugin.ts';
import { addUsage, type Usage } from '../core/usage.ts';
import type { Finding } from './agent-result.ts';
import { patiently, realClock } from './rate-limit.ts';
import { abortedResult, abortReason } from './turn.ts';

/** What is asked of an agent in one go, and of which session. */
export interface Ask {
  readonly prompt: string;
  /** To be gone on with; absent: a new one. */
  readonly session: string | undefined;
  /** Takes what the reader must know beside what the agent says. */
  readonly asides: string[];
}

/** What came of it. */
export interface Attempt extends Finding {
  readonly session: string | undefined;
  readonly usage: Usage | undefined;
  readonly didAnything: boolean;
}

const GO_ON = 'You were stopped by a usage limit. Go on where you were.';

/** One turn of an agent: as many attempts as usage limits make necessary. What was begun is gone on with after the wait. */
export async function inAttempts(
  turn: Turn<{ readonly maxWaitMs: number }>,
  prompt: string,
  attempt: (ask: Ask) => Promise<Attempt>,
): Promise<AgentResult> {
  const { signal, waiting, options } = turn;
  if (signal.aborted) return abortedResult(signal);
  const asides: string[] = [];
  let usage: Usage | undefined;
  let session = turn.sessionId;
  let next = prompt;
  const { answer, gaveUp } = await patiently(
    { name: 'the agent', maxWaitMs: options.maxWaitMs, clock: realClock, signal, waiting },
    async () => {
      const done = await attempt({ prompt: next, session, asides });
      if (done.usage) usage = addUsage(usage ?? {}, done.usage);
      session = done.session ?? session;
      if (done.didAnything) next = GO_ON;
      return done;
    },
    ({ limit }) => limit,
  );
  if (typeof gaveUp === 'object') asides.push(gaveUp.because);
  return {
    stopReason: gaveUp === 'aborted' ? abortReason(signal) : answer.stopReason,
    summary: [...asides, answer.summary].join('; '),
    ...(usage && { usage }),
    ...(session !== undefined && { sessionId: session }),
    ...(answer.problem !== undefined && { problem: answer.problem }),
  };
}
