import type { AgentResult, StopReason } from '../core/event.ts';
import type { Ending, ExecResult } from '../system/exec.ts';
import { type Account, didAnything, type OpenAccount } from './agent-notes.ts';
import { describeEnding, reasonIn, tailOf } from './ending.ts';
import { type Limited, limitAnnounced, rateLimitIn } from './rate-limit.ts';
import { abortReason } from './turn.ts';

/** One process of an agent CLI that has ended. */
export interface Ended {
  readonly account: OpenAccount;
  readonly ending: Ending & Pick<ExecResult, 'durationMs'>;
  /** What it wrote that is no event: warnings, its last words. */
  readonly aside: string;
  /** Set where the driver stopped it for having had its turns. */
  readonly stoppedAfter?: number;
  readonly signal: AbortSignal;
}

/** The words that a driver has for its user. */
export interface Advice {
  /** How to get the program. */
  readonly install: string;
  /** How to allow what was denied. */
  readonly allow: string;
}

export interface Finding extends Pick<AgentResult, 'stopReason' | 'summary' | 'problem'> {
  /** Set where it is `rate-limited`. */
  readonly limit?: Limited;
}

/** What one process comes to. Neither its exit code nor its own word decides: the first thing that went wrong does. */
export function findingOf(ended: Ended, advice: Advice): Finding {
  return (
    stopped(ended, advice) ??
    failed(ended) ??
    heldBack(ended) ??
    cancelled(ended, advice) ??
    broken(ended) ??
    done(ended)
  );
}

function stopped(ended: Ended, { install }: Advice): Finding | undefined {
  const { account, ending, signal, stoppedAfter } = ended;
  if (stoppedAfter !== undefined && !signal.aborted) {
    const turns = stoppedAfter === 1 ? '1 turn' : `${stoppedAfter} turns`;
    return finding('max-turns', `the agent was stopped after ${turns}`, account);
  }
  const how = `the agent ${describeEnding(ending)}`;
  switch (ending.ended) {
    case 'aborted':
      return finding(abortReason(signal), how, account);
    case 'idle':
      return finding('stalled', how, account);
    case 'timed-out':
      return finding('timed-out', how, account);
    case 'not-started':
      return finding('error', ending.code === 'not-found' ? `${how}: ${install}` : how, account);
    default:
      return undefined;
  }
}

function failed({ account, ending, aside }: Ended): Finding | undefined {
  const { failure } = account;
  // A process that fails before its first event says why on stderr.
  const isMute = failure === undefined && account.ended === undefined && !didAnything(account);
  const message = failure?.message ?? (isMute && endedBadly(ending) ? reasonIn(aside) : '');
  if (message === '') return undefined;
  const limit = rateLimitIn(message, failure?.status);
  if (!limit) return finding(reasonOf(message), reasonIn(message), account);
  const told = failure?.retryAfterMs;
  return {
    ...finding('rate-limited', reasonIn(message), account),
    limit: told === undefined ? limit : { retryAfterMs: told },
  };
}

/** It used no tool, and all that it says, as if it were its answer, is that a usage limit holds it back. */
function heldBack({ account }: Ended): Finding | undefined {
  const { acts, said } = account;
  if (acts > 0 || said.trim().split('\n').length > 3) return undefined;
  const limit = limitAnnounced(said, true);
  return limit && { ...finding('rate-limited', tailOf(said), account), limit };
}

/** Words of what hits a new session as well. */
const NO_ACCESS =
  /authenticat|unauthori[sz]ed|forbidden|\b40[13]\b|(?:log(?:ged)?|sign(?:ed)?) ?in\b|api.key|credential|timed? ?-?out|ECONN|ENOTFOUND|EAI_AGAIN/i;

/** True where the program broke down before its first event, as one does that cannot read its session. */
export function brokeDownAtStart({ account, ending }: Ended, { stopReason, summary }: Finding): boolean {
  const { failure, ended, session } = account;
  const isMute = failure === undefined && ended === undefined && session === undefined;
  const crashed = ending.ended === 'signalled' || (ending.ended === 'exited' && ending.code !== 0);
  return isMute && !didAnything(account) && crashed && stopReason === 'error' && !NO_ACCESS.test(summary);
}

function endedBadly(ending: Ending): boolean {
  return ending.ended !== 'exited' || ending.code !== 0;
}

const CUT_OFF =
  /max_tokens|max(?:imum)?[ _](?:output|completion)[ _]tokens|output (?:token )?limit|truncated/i;
const REFUSED = /content[ _-]?(?:filter|policy|management)|safety (?:system|filter|policy)/i;

/** Why a turn ended that failed with this message, and not by a usage limit. */
function reasonOf(message: string): StopReason {
  if (CUT_OFF.test(message)) return 'truncated';
  return REFUSED.test(message) ? 'refused' : 'error';
}

/** The agent broke off, as agents do that may not ask anybody. */
function cancelled({ account, ending, aside }: Ended, { allow }: Advice): Finding | undefined {
  const brokeOff = account.ended === 'cancelled' || (account.ended === undefined && !endedBadly(ending));
  if (!brokeOff) return undefined;
  if (account.denied.length > 0) {
    const what = `the agent was denied ${listed(account.denied)}, and broke off its turn: ${allow}`;
    return finding('error', what, account);
  }
  if (account.ended !== 'cancelled') return undefined;
  const last = reasonIn(aside);
  return finding('error', `the agent broke off its turn as cancelled${last && `: ${last}`}`, account);
}

/** No end, or one without a beginning. */
function broken({ account, ending, aside }: Ended): Finding | undefined {
  if (account.ended === undefined) {
    const how = `the agent ${describeEnding(ending)} before it had finished its turn`;
    const last = reasonIn(aside);
    return finding(didAnything(account) ? 'truncated' : 'error', last ? `${how}: ${last}` : how, account);
  }
  const didNothing = account.ended === 'completed' && !didAnything(account);
  return didNothing
    ? finding('error', 'the agent ended its turn without asking a model', account)
    : undefined;
}

const ENDS = {
  'max-turns': 'it had used up its turns',
  truncated: 'the token limit cut its reply off',
  refused: 'the model refused',
} as const;

function done({ account, ending }: Ended): Finding {
  const { ended, said, denied } = account;
  const stopReason = ended === undefined || ended === 'cancelled' ? 'completed' : ended;
  const parts = [tailOf(said) || 'the agent said nothing'];
  if (stopReason !== 'completed') parts.push(ENDS[stopReason]);
  if (denied.length > 0) parts.push(`it was denied ${listed(denied)}`);
  if (endedBadly(ending)) parts.push(`the program ${describeEnding(ending)}`);
  return { stopReason, summary: parts.join(' — '), ...problemOf(denied) };
}

function finding(stopReason: StopReason, what: string, { said, denied }: Account): Finding {
  const last = tailOf(said);
  return {
    stopReason,
    summary: last && !what.includes(last) ? `${what}; last it said: ${last}` : what,
    ...problemOf(denied),
  };
}

function problemOf(denied: readonly string[]): { problem?: string } {
  return denied.length === 0
    ? {}
    : { problem: `These were not allowed: ${listed(denied)}. Work without them.` };
}

const MOST_LISTED = 5;

function listed(items: readonly string[]): string {
  const unique = [...new Set(items)];
  const rest = unique.length - MOST_LISTED;
  return unique.slice(0, MOST_LISTED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
