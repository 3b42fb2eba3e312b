import type { Usage } from '../core/usage.ts';
import { inputOf, type Note } from './agent-notes.ts';
import { at, known, numberAt, sumOf, textAt } from './fields.ts';

/** What a message of the Claude Agent SDK says. Pure. */
export function readMessage(message: unknown): readonly Note[] {
  switch (textAt(message, 'type')) {
    case 'system':
      return readSystem(message);
    case 'assistant':
      return readAssistant(message);
    case 'rate_limit_event':
      return readRateLimit(message);
    case 'result':
      return readResult(message);
    default:
      return [];
  }
}

/** The piece of text that a partial message adds. */
export function deltaOf(message: unknown): string | undefined {
  return textAt(message, 'type') === 'stream_event' ? textAt(message, 'event', 'delta', 'text') : undefined;
}

function readSystem(message: unknown): readonly Note[] {
  if (textAt(message, 'subtype') !== 'api_retry') return [];
  const seconds = Math.round((numberAt(message, 'retry_delay_ms') ?? 0) / 1000);
  const why = [textAt(message, 'error'), numberAt(message, 'error_status')].filter(Boolean).join(' ');
  return [{ note: 'waiting', what: `asking the model again in ${seconds} s (${why})` }];
}

/** One message of the model comes in several of these, one for each block of it. */
function readAssistant(message: unknown): readonly Note[] {
  const content = at(message, 'message', 'content');
  // Claude Code itself speaks where the model cannot be asked.
  const isMade = textAt(message, 'message', 'model') === '<synthetic>';
  const blocks = Array.isArray(content) ? content : [];
  return blocks.flatMap((block): readonly Note[] => {
    const text = textAt(block, 'text');
    const tool = textAt(block, 'name');
    if (textAt(block, 'type') === 'tool_use' && tool !== undefined)
      return [{ note: 'acted', tool, ...inputOf(at(block, 'input')), ...known({ id: textAt(block, 'id') }) }];
    return text === undefined || isMade ? [] : [{ note: 'said', text }];
  });
}

/** Only what is refused for the user's limit; what comes near to it is no matter. */
function readRateLimit(message: unknown): readonly Note[] {
  if (textAt(message, 'rate_limit_info', 'status') !== 'rejected') return [];
  const resetsAt = numberAt(message, 'rate_limit_info', 'resetsAt');
  const kind = textAt(message, 'rate_limit_info', 'rateLimitType') ?? 'usage';
  return [
    {
      note: 'failed',
      message: `usage limit reached (${kind})`,
      status: 429,
      ...(resetsAt !== undefined && { retryAfterMs: Math.max(0, resetsAt * 1000 - Date.now()) }),
    },
  ];
}

function readResult(result: unknown): readonly Note[] {
  const denials = at(result, 'permission_denials');
  const denied = (Array.isArray(denials) ? denials : []).map(
    (denial): Note => ({
      note: 'denied',
      ...known({ id: textAt(denial, 'tool_use_id'), what: textAt(denial, 'tool_name') }),
    }),
  );
  const usage = usageOf(result);
  return [...denied, ...(usage ? [{ note: 'used-in-all', usage } as const] : []), endOf(result)];
}

function endOf(result: unknown): Note {
  const subtype = textAt(result, 'subtype');
  const stopReason = textAt(result, 'stop_reason');
  if (subtype === 'error_max_turns') return { note: 'ended', as: 'max-turns' };
  if (subtype === 'success' && at(result, 'is_error') !== true) {
    if (stopReason === 'refusal') return { note: 'ended', as: 'refused' };
    return { note: 'ended', as: stopReason === 'max_tokens' ? 'truncated' : 'completed' };
  }
  const errors = at(result, 'errors');
  const message = textAt(result, 'result') ?? (Array.isArray(errors) ? errors.join('; ') : '');
  const status = numberAt(result, 'api_error_status');
  return { note: 'failed', message: message || `Claude Code ended with ${subtype}`, ...known({ status }) };
}

/**
 * What this turn used. Newer versions tell it of all models, with subagents; the others tell only the main loop's
 * tokens, and the cost as a sum over the session.
 */
function usageOf(result: unknown): Usage | undefined {
  const agentTurns = numberAt(result, 'num_turns');
  const since = at(result, 'model_usage_since_last_result');
  const models = typeof since === 'object' && since !== null ? Object.values(since) : undefined;
  const sum = (...keys: string[]) =>
    sumOf(...(models ?? []).flatMap((m) => keys.map((key) => numberAt(m, key))));
  const usage = models
    ? known({
        inputTokens: sum('inputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens') ?? 0,
        outputTokens: sum('outputTokens') ?? 0,
        costUsd: models.some(isGuessed) ? undefined : (sum('costUSD') ?? 0),
        agentTurns,
      })
    : known({
        inputTokens: sumOf(
          numberAt(result, 'usage', 'input_tokens'),
          numberAt(result, 'usage', 'cache_read_input_tokens'),
          numberAt(result, 'usage', 'cache_creation_input_tokens'),
        ),
        outputTokens: numberAt(result, 'usage', 'output_tokens'),
        agentTurns,
      });
  return Object.keys(usage).length > 0 ? usage : undefined;
}

/** The sum of the session's cost so far, where this turn's is not told by itself. */
export function costSumOf(result: unknown): number | undefined {
  if (at(result, 'model_usage_since_last_result') !== undefined) return undefined;
  const models = at(result, 'modelUsage');
  const isKnown = typeof models !== 'object' || models === null || !Object.values(models).some(isGuessed);
  return isKnown ? numberAt(result, 'total_cost_usd') : undefined;
}

/** The price of a model that nobody knows is that of another. */
function isGuessed(model: unknown): boolean {
  return textAt(model, 'costBasis') === 'unknown';
}
