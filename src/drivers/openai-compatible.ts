import { z } from 'zod';
import type { AgentDriver, PreflightContext } from '../core/plugin.ts';
import { getJson } from '../system/http.ts';
import { baseUrl } from './model-http.ts';
import { serversOnPath } from './model-servers.ts';
import { askOnce, oneShotOptions } from './one-shot.ts';
import * as say from './openai-messages.ts';
import { headersOf, openAiModel } from './openai-model.ts';
import { milliseconds, strictOptions } from './options.ts';
import { withPatience } from './rate-limit.ts';

const options = strictOptions({
  /** As the server's list of models names it. */
  model: z.string().min(1),
  /** With the `/v1` that most servers have. */
  baseUrl: z.string().min(1).default('http://127.0.0.1:1234/v1'),
  /** Name of the variable that holds the key. Default: no key is sent. */
  apiKeyEnv: z.string().min(1).optional(),
  temperature: z.number().min(0).max(2).default(0.6),
  /** Longest reply. Default: the server's. */
  maxTokens: z.int().positive().optional(),
  /** Tokens of prompt and reply together; a longer prompt is cut by loopgen, visibly. Default: nothing is cut. */
  contextTokens: z.int().min(512).optional(),
  /** One generation. */
  modelTimeoutMs: milliseconds.default(360_000),
  /** Longest wait for a busy server (429, 503, 529) in one turn; 0 does not wait. */
  maxWaitMs: z.int().nonnegative().max(2_147_483_647).default(600_000),
  ...oneShotOptions,
});

type Options = z.infer<typeof options>;

/** A model behind OpenAI's chat completions, asked once a turn for whole files. The driver writes what it proposes. */
export const openAiCompatibleDriver: AgentDriver<Options> = {
  name: 'openai-compatible',
  description: 'a model behind a server like LM Studio, llama.cpp or vLLM, that proposes whole files',
  kind: 'one-shot',
  env: ({ apiKeyEnv }) => (apiKeyEnv === undefined ? [] : [apiKeyEnv]),
  options,
  inspect: async (machine) => serversOnPath(['lms', 'llama-server', 'vllm'], 'https://lmstudio.ai', machine),
  preflight,
  run: (turn) => {
    const { target, context, maxWaitMs, contextTokens: tokens } = turn.options;
    const model = openAiModel({ ...turn.options, url: baseUrl(turn.options.baseUrl) }, turn.env);
    const window = tokens === undefined ? {} : { window: { tokens, option: 'contextTokens' } };
    return askOnce(turn, { model: withPatience(model, maxWaitMs), target, context, ...window });
  },
};

const PREFLIGHT_TIMEOUT_MS = 10_000;

const list = z.object({ data: z.array(z.object({ id: z.string() })) });

async function preflight({ options: o, env, signal }: PreflightContext<Options>): Promise<readonly string[]> {
  const { apiKeyEnv, model } = o;
  if (apiKeyEnv !== undefined && !env[apiKeyEnv]) return [say.noKeyMessage(apiKeyEnv)];
  const url = baseUrl(o.baseUrl);
  const headers = headersOf(apiKeyEnv, env);
  const result = await getJson(`${url}/models`, { headers, timeoutMs: PREFLIGHT_TIMEOUT_MS, signal });
  switch (result.got) {
    case 'reply':
      return checkListed(url, model, result.body);
    case 'refused':
      return [`${say.refusedMessage(url)} (${result.message})`];
    case 'timed-out':
      return [`${say.refusedMessage(url)} (no answer within ${PREFLIGHT_TIMEOUT_MS / 1000} s)`];
    case 'bad-reply':
      return [say.badReplyMessage(url, 'no JSON')];
    case 'status':
      return statusProblem(url, result.status, apiKeyEnv);
    case 'aborted':
      return [];
  }
}

/** A busy server is waited for in the turn. */
function statusProblem(url: string, status: number, apiKeyEnv: string | undefined): readonly string[] {
  if (status === 429 || status === 503) return [];
  if (status === 401 || status === 403) return [say.keyMessage(url, status, apiKeyEnv)];
  if (status >= 500) return [say.serverErrorMessage(url, status, '')];
  return [say.badReplyMessage(url, `${status} for /models`)];
}

function checkListed(url: string, model: string, body: unknown): readonly string[] {
  const parsed = list.safeParse(body);
  if (!parsed.success) return [say.badReplyMessage(url, 'no list of models')];
  const names = parsed.data.data.map(({ id }) => id);
  return names.includes(model) ? [] : [say.notListedMessage(url, model, names)];
}
