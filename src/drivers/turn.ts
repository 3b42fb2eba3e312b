import type { AgentResult, Proposal, StopReason } from '../core/event.ts';
import type { Turn } from '../core/plugin.ts';
import type { Usage } from '../core/usage.ts';

/** A turn that is known to have used nothing. */
export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 };

/** Why an aborted turn ended: a limit's time ran out, or the user stopped it. */
export function abortReason(signal: AbortSignal): Extract<StopReason, 'timed-out' | 'aborted'> {
  return signal.reason === 'timed-out' ? 'timed-out' : 'aborted';
}

/** The result of a turn whose signal has aborted. */
export function abortedResult(signal: AbortSignal): AgentResult {
  const stopReason = abortReason(signal);
  return {
    stopReason,
    summary: stopReason === 'aborted' ? 'stopped by the user' : 'stopped by the time limit of the turn',
  };
}

/** Which turn of this driver it is, from 0: what plays a script plays it from its start. */
export function ownTurnOf({ ownTurn, iteration }: Turn): number {
  return ownTurn ?? iteration;
}

/** What became of the files of a proposal. */
export interface Applied {
  readonly written: readonly string[];
  /** One sentence per refused file. */
  readonly refused: readonly string[];
}

/** Writes every file of a proposal through the guard of the turn; a refused one does not stop the others. */
export async function applyProposal(turn: Turn, proposal: Proposal): Promise<Applied> {
  const written: string[] = [];
  const refused: string[] = [];
  for (const { path, content } of proposal.files) {
    const result = await turn.write(path, content);
    if (result.written) {
      written.push(path);
      turn.acted('write', path);
    } else {
      refused.push(`${path} was not written: ${result.because}`);
      turn.acted('write refused', path);
    }
  }
  return { written, refused };
}

/** One sentence about what became of a proposal. */
export function describeApplied({ written, refused }: Applied): string {
  const parts = [...(written.length > 0 ? [`wrote ${written.join(', ')}`] : []), ...refused];
  return parts.length > 0 ? parts.join('; ') : 'proposed no file';
}
