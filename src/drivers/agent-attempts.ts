import type { AgentResult } from '../core/event.ts';
import type { Turn } from '../core/plugin.ts';
import { addUsage, type Usage } from '../core/usage.ts';
import { monotonicMs } from '../system/clock.ts';
import type { Finding } from './agent-result.ts';
import { patiently, realClock } from './rate-limit.ts';
import { abortedResult, abortReason } from './turn.ts';

/** What is asked of an agent in one go, and of which session. */
export interface Ask {
  readonly prompt: string;
  /** To be gone on with; absent: a new one. */
  readonly session: string | undefined;
  /** What is left of the turn's own clock. */
  readonly timeoutMs: number | undefined;
  /** Takes what the reader must know beside what the agent says. */
  readonly asides: string[];
}

/** What came of it. */
export interface Attempt extends Finding {
  readonly session: string | undefined;
  readonly usage: Usage | undefined;
  readonly didAnything: boolean;
}

type AttemptedTurn = Turn<{ readonly maxWaitMs: number; readonly timeoutMs?: number | undefined }>;

const GO_ON = 'You were stopped by a usage limit. Go on where you were.';

/** One turn of the agent `name`: as many attempts as usage limits make necessary. What was begun is gone on with. */
export async function inAttempts(
  name: string,
  turn: AttemptedTurn,
  prompt: string,
  attempt: (ask: Ask) => Promise<Attempt>,
): Promise<AgentResult> {
  const { signal, waiting, options } = turn;
  if (signal.aborted) return abortedResult(signal);
  const asides: string[] = [];
  let usage: Usage | undefined;
  let session = turn.sessionId;
  let next = prompt;
  let ranMs = 0;
  const { answer, gaveUp } = await patiently(
    { name, maxWaitMs: options.maxWaitMs, clock: realClock, signal, waiting },
    async () => {
      const timeoutMs = options.timeoutMs && Math.max(1, options.timeoutMs - ranMs);
      const began = monotonicMs();
      const done = await attempt({ prompt: next, session, timeoutMs, asides });
      ranMs += monotonicMs() - began;
      if (done.usage) usage = addUsage(usage ?? {}, done.usage);
      session = done.session ?? session;
      if (done.didAnything && session !== undefined) next = GO_ON;
      return done;
    },
    ({ limit }) => limit,
  );
  const outOfPatience = typeof gaveUp === 'object' ? [gaveUp.because] : [];
  return {
    stopReason: gaveUp === 'aborted' ? abortReason(signal) : answer.stopReason,
    summary: [...asides, answer.summary, ...outOfPatience].join('; '),
    ...(usage && { usage }),
    ...(answer.session !== undefined && { sessionId: answer.session }),
    ...(answer.problem !== undefined && { problem: answer.problem }),
  };
}
