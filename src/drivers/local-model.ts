import { getJson, type HttpResult } from '../system/http.ts';
import { at, textAt } from './fields.ts';

export interface LocalModel {
  /** The part of a model's name before the first slash. */
  readonly provider: string;
  readonly id: string;
  /** Where the server is, if not where its makers put it. */
  readonly baseUrl?: string | undefined;
  readonly signal: AbortSignal;
}

/** A server for models on the user's own machine. */
interface Server {
  readonly title: string;
  readonly at: string;
  /** Path of the list of models, and where their names are in it. */
  readonly list: { readonly path: string; readonly key: string; readonly name: string };
  readonly start: string;
  /** How to get a model. */
  readonly get: (id: string) => string;
}

const openAiList = { path: '/models', key: 'data', name: 'id' };

const SERVERS: Readonly<Record<string, Server>> = {
  lmstudio: {
    title: 'LM Studio',
    at: 'http://127.0.0.1:1234/v1',
    list: openAiList,
    start: 'start its server in the app, or with "lms server start"',
    get: (id) => `lms load ${id}`,
  },
  ollama: {
    title: 'Ollama',
    at: 'http://127.0.0.1:11434',
    list: { path: '/api/tags', key: 'models', name: 'name' },
    start: 'start it with "ollama serve"',
    get: (id) => `ollama pull ${id}`,
  },
};

const TIMEOUT_MS = 3_000;

/** Why a model on the user's own machine may not answer, with the command that mends it. Nothing about other providers. */
export async function localModelDoubts(model: LocalModel): Promise<readonly string[]> {
  const server = serverOf(model);
  if (!server) return [];
  const url = server.at.replace(/\/+$/, '') + server.list.path;
  const result = await getJson(url, { timeoutMs: TIMEOUT_MS, signal: model.signal });
  if (result.got === 'aborted') return [];
  if (result.got !== 'reply')
    return [`no ${server.title} answers at ${url} (${sayWhy(result)}): ${server.start}`];
  const names = namesIn(result.body, server);
  if (!names || hasModel(names, model.id)) return [];
  const has = names.length === 0 ? 'it has none' : `it has ${names.slice(0, 8).join(', ')}`;
  return [`${server.title} has no model "${model.id}" (${has}): ${server.get(model.id)}`];
}

function serverOf({ provider, baseUrl }: LocalModel): Server | undefined {
  const known = SERVERS[provider];
  if (baseUrl === undefined) return known;
  return {
    title: known?.title ?? `server of provider "${provider}"`,
    at: baseUrl,
    list: openAiList,
    start: known?.start ?? 'start it, or correct driver.options.baseUrl',
    get: known?.get ?? (() => 'correct driver.options.model'),
  };
}

function namesIn(body: unknown, { list }: Server): readonly string[] | undefined {
  const entries = at(body, list.key);
  if (!Array.isArray(entries)) return undefined;
  return entries.flatMap((entry) => textAt(entry, list.name) ?? []);
}

/** A name without a tag is the tag `latest`. */
function hasModel(names: readonly string[], id: string): boolean {
  return names.includes(id) || names.includes(`${id}:latest`);
}

function sayWhy(result: Exclude<HttpResult, { got: 'reply' }>): string {
  switch (result.got) {
    case 'status':
    case 'bad-reply':
      return `status ${result.status}`;
    case 'refused':
      return result.message;
    default:
      return result.got;
  }
}
