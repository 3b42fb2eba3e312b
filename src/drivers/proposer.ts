import type { AgentResult } from '../core/event.ts';
import type { AgentDriver, Proposer, Turn } from '../core/plugin.ts';
import { abortedResult, applyProposal, describeApplied } from './turn.ts';

/**
 * Makes a driver of a callable that returns a proposal, or `null` for "nothing
 * left to try" (`gave-up`). Files go through the guard. What it throws is the
 * driver's failure. Its usage is unknown, since a proposal carries none.
 */
export function proposerDriver(name: string, proposer: Proposer): AgentDriver {
  return {
    name,
    description: 'a callable that proposes whole files',
    kind: 'one-shot',
    reportsUsage: false,
    run: (turn) => propose(turn, proposer),
  };
}

async function propose(turn: Turn, proposer: Proposer): Promise<AgentResult> {
  if (turn.signal.aborted) return abortedResult(turn.signal);
  const proposal = await untilAborted(turn.signal, async () => proposer(turn));
  // A proposal that arrives after the abort must not be written any more.
  if (turn.signal.aborted || proposal === undefined) return abortedResult(turn.signal);
  if (proposal === null) return { stopReason: 'gave-up', summary: 'the proposer has nothing left to try' };
  const applied = await applyProposal(turn, proposal);
  return {
    stopReason: 'completed',
    summary: [proposal.reasoning.trim(), describeApplied(applied)].filter(Boolean).join(' — '),
    proposal,
    ...(applied.refused.length > 0 && { problem: applied.refused.join('\n') }),
  };
}

/** The value of `work`, or `undefined` as soon as the signal aborts: a callable need not know the signal. */
async function untilAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
  let stop = () => {};
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
