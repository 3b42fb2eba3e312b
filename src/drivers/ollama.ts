import { z } from 'zod';
import type { AgentDriver, PreflightContext } from '../core/plugin.ts';
import { getJson } from '../system/http.ts';
import { baseUrl } from './model-http.ts';
import { serverOnPath } from './model-servers.ts';
import * as say from './ollama-messages.ts';
import { ollamaModel } from './ollama-model.ts';
import { askOnce, oneShotOptions } from './one-shot.ts';
import { milliseconds, strictOptions } from './options.ts';
import { withPatience } from './rate-limit.ts';

const options = strictOptions({
  model: z.string().min(1).default('mistral:7b-instruct'),
  host: z.string().min(1).default('http://localhost:11434'),
  temperature: z.number().min(0).max(2).default(0.6),
  /** One generation. */
  modelTimeoutMs: milliseconds.default(360_000),
  /** Tokens of prompt and reply together. A longer prompt is cut by loopgen, visibly, and not by the server in silence. */
  numCtx: z.int().min(512).default(8192),
  /** Longest wait for a busy server (429, 503) in one turn; 0 does not wait. */
  maxWaitMs: z.int().nonnegative().max(2_147_483_647).default(600_000),
  ...oneShotOptions,
});

type Options = z.infer<typeof options>;

/** A local model, asked once a turn for whole files. It has no tools: the driver writes what it proposes. */
export const ollamaDriver: AgentDriver<Options> = {
  name: 'ollama',
  description: 'a local model that proposes whole files, by an Ollama server',
  kind: 'one-shot',
  options,
  inspect: async (machine) => [await serverOnPath('ollama', 'https://ollama.com/download', machine)],
  preflight,
  run: (turn) => {
    const { target, context, maxWaitMs, numCtx } = turn.options;
    const model = withPatience(ollamaModel(turn.options), maxWaitMs);
    return askOnce(turn, { model, target, context, window: { tokens: numCtx, option: 'numCtx' } });
  },
};

const PREFLIGHT_TIMEOUT_MS = 10_000;

const tags = z.object({ models: z.array(z.object({ name: z.string() })) });

async function preflight({ options, signal }: PreflightContext<Options>): Promise<readonly string[]> {
  const { host, model } = options;
  const result = await getJson(`${baseUrl(host)}/api/tags`, { timeoutMs: PREFLIGHT_TIMEOUT_MS, signal });
  switch (result.got) {
    case 'reply':
      return checkPulled(host, model, result.body);
    case 'refused':
      return [`${say.refusedMessage(host)} (${result.message})`];
    case 'timed-out':
      return [`${say.refusedMessage(host)} (no answer within ${PREFLIGHT_TIMEOUT_MS / 1000} s)`];
    case 'bad-reply':
      return [say.badReplyMessage(host, 'no JSON')];
    case 'status':
      return statusProblem(host, result.status);
    case 'aborted':
      return [];
  }
}

/** A busy server is waited for in the turn. */
function statusProblem(host: string, status: number): readonly string[] {
  if (status === 429 || status === 503) return [];
  if (status >= 500) return [say.serverErrorMessage(host, status, '')];
  return [say.badReplyMessage(host, `${status} for /api/tags`)];
}

function checkPulled(host: string, model: string, body: unknown): readonly string[] {
  const parsed = tags.safeParse(body);
  if (!parsed.success) return [say.badReplyMessage(host, 'no list of models')];
  const names = parsed.data.models.map(({ name }) => name);
  // The server takes a name without a tag as `:latest`.
  const wanted = model.includes(':') ? model : `${model}:latest`;
  return names.includes(wanted) || names.includes(model) ? [] : [say.notPulledMessage(model, names)];
}
