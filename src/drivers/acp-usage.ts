import { z } from 'zod';
import type { Usage } from '../core/usage.ts';
import type { TokenSource } from './acp-presets.ts';
import type { Counter } from './counter.ts';
import { at, known } from './fields.ts';

/** The counters of one session in one process. */
export interface Counters {
  readonly input: Counter;
  readonly output: Counter;
  /** Sums of cost go on when a session is taken up by another process. */
  readonly cost: Counter;
}

const count = z.number().nonnegative().optional().catch(undefined);

/** Tokens by the names that agents give them; the protocol tells those from the cache apart. */
const tokens = z.object({
  inputTokens: count,
  input_tokens: count,
  outputTokens: count,
  output_tokens: count,
  cachedReadTokens: count,
  cachedWriteTokens: count,
  numTurns: count,
});

/** What a turn used, from the answer to its prompt and the last sum of cost. Undefined where nothing is known. */
export function usageOf(
  answer: unknown,
  source: TokenSource | undefined,
  costSum: number | undefined,
  counters: Counters,
): Usage | undefined {
  const cost = costSum === undefined ? undefined : counters.cost.added(costSum);
  const told = source && tokens.safeParse(at(answer, ...source.at)).data;
  const sums = told && {
    input: inputOf(told, source.cached),
    output: told.outputTokens ?? told.output_tokens,
  };
  const since = (counter: Counter, value: number | undefined) =>
    value === undefined || source?.counts === 'prompt' ? value : counter.added(value);
  const usage = known({
    inputTokens: since(counters.input, sums?.input),
    outputTokens: since(counters.output, sums?.output),
    costUsd: cost,
    agentTurns: told?.numTurns,
  });
  return Object.keys(usage).length > 0 ? usage : undefined;
}

/** All that the model read, from the cache or not. */
function inputOf(told: z.infer<typeof tokens>, cached: TokenSource['cached']): number | undefined {
  const input = told.inputTokens ?? told.input_tokens;
  if (input === undefined || cached === 'included') return input;
  return input + (told.cachedReadTokens ?? 0) + (told.cachedWriteTokens ?? 0);
}
