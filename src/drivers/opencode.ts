import { z } from 'zod';
import type { Environment, PreflightContext } from '../core/plugin.ts';
import type { Usage } from '../core/usage.ts';
import type { AgentCli } from './agent-cli.ts';
import { agentDriver } from './agent-driver.ts';
import { type EndedAs, endedNote, failedNote, inputOf, type Note } from './agent-notes.ts';
import { cliOptions } from './agent-options.ts';
import type { Login } from './agent-program.ts';
import { at, type Fields, fieldsAt, fieldsIn, known, numberAt, sumOf, textAt } from './fields.ts';
import { localModelDoubts } from './local-model.ts';
import { strictOptions } from './options.ts';

const options = strictOptions({
  ...cliOptions,
  /** Allows all that OpenCode's own rules do not deny. Otherwise what it would ask about is denied, and ends the turn. */
  dangerouslySkipPermissions: z.boolean().default(false),
  /** Rules of OpenCode's, by tool: `{edit: allow, bash: {"rm *": deny}}`. */
  permission: z.record(z.string(), z.unknown()).optional(),
  /** One of its agents, such as `build`. */
  agent: z.string().min(1).optional(),
  variant: z.string().min(1).optional(),
  /** Address of an OpenAI-compatible server, such as http://127.0.0.1:1234/v1: the provider of `model` is set up for it. */
  baseUrl: z.url({ protocol: /^https?$/, error: 'must be an address with http:// or https://' }).optional(),
});

type Options = z.infer<typeof options>;

export const opencode: AgentCli<Options> = {
  name: 'opencode',
  description: 'OpenCode, local models included',
  program: 'opencode',
  install: 'npm install -g opencode-ai',
  allow:
    'driver.options.dangerouslySkipPermissions: true lets it do all; driver.options.permission takes rules by tool',
  options,
  keys: [
    ...['OPENCODE_CONFIG', 'OPENCODE_CONFIG_DIR', 'OPENCODE_CONFIG_CONTENT', 'OPENCODE_PERMISSION'],
    ...['OPENCODE_API_KEY', 'OPENCODE_DISABLE_MODELS_FETCH', 'OPENCODE_DISABLE_AUTOUPDATE'],
    ...['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY', 'GEMINI_API_KEY', 'XAI_API_KEY'],
    ...['GROQ_API_KEY', 'DEEPSEEK_API_KEY', 'MISTRAL_API_KEY', 'GITHUB_TOKEN', 'LMSTUDIO_API_KEY'],
  ],
  login,
  prompt: { by: 'stdin' },
  unknownSession: /session not found/i,
  environment: (o, env) => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', ...rules(o), ...server(o, env) }),
  args: ({ options: o, session }) => [
    ...['run', '--format', 'json'],
    ...('resume' in session ? ['--session', session.resume] : []),
    ...(o.dangerouslySkipPermissions ? ['--auto'] : []),
    ...(o.model === undefined ? [] : ['--model', o.model]),
    ...(o.agent === undefined ? [] : ['--agent', o.agent]),
    ...(o.variant === undefined ? [] : ['--variant', o.variant]),
  ],
  read,
  missing,
};

export const opencodeDriver = agentDriver(opencode);

/** It needs no account of its own: a key, a log-in with a provider, or a server of one's own. */
async function login(): Promise<Login> {
  return { login: 'not-needed' };
}

function rules({ permission }: Options): Environment {
  return permission === undefined ? {} : { OPENCODE_PERMISSION: JSON.stringify(permission) };
}

/** A provider for `baseUrl`, beside what the user's own variable configures. */
function server({ baseUrl, model }: Options, env: Environment): Environment {
  const [provider, id] = nameParts(model);
  if (baseUrl === undefined || provider === undefined) return {};
  const theirs = fieldsIn(env['OPENCODE_CONFIG_CONTENT'] ?? '{}');
  const added = { npm: '@ai-sdk/openai-compatible', options: { baseURL: baseUrl }, models: { [id]: {} } };
  const providers = { ...fieldsAt(theirs, 'provider'), [provider]: added };
  return { OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...theirs, provider: providers }) };
}

/** `lmstudio/qwen/qwen3` is the model `qwen/qwen3` of the provider `lmstudio`. */
function nameParts(model = ''): readonly [string | undefined, string] {
  const slash = model.indexOf('/');
  return slash <= 0 ? [undefined, model] : [model.slice(0, slash), model.slice(slash + 1)];
}

/** Only OpenCode knows its configuration, so that these are doubts, and keep nothing from running. */
async function missing({ options: o, warn, signal }: PreflightContext<Options>): Promise<readonly string[]> {
  for (const doubt of await doubts(o, signal)) warn?.(doubt);
  return [];
}

async function doubts({ model, baseUrl }: Options, signal: AbortSignal): Promise<readonly string[]> {
  if (model === undefined) {
    return [
      'driver.options.model is not set, so OpenCode takes the model it is configured for ("opencode models" lists them)',
    ];
  }
  const [provider, id] = nameParts(model);
  if (provider === undefined) {
    return [
      `driver.options.model "${model}" names no provider: OpenCode wants provider/model, such as lmstudio/${model}`,
    ];
  }
  return await localModelDoubts({ provider, id, baseUrl, signal });
}

function read(event: Fields): readonly Note[] {
  const part = at(event, 'part');
  const id = textAt(event, 'sessionID');
  const session: readonly Note[] = id === undefined ? [] : [{ note: 'session', id }];
  switch (event['type']) {
    case 'step_start':
      return [...session, { note: 'turn' }];
    case 'text':
      return [...session, { note: 'said', text: textAt(part, 'text') ?? '' }];
    case 'tool_use':
      return [...session, ...toolNotes(part)];
    case 'step_finish':
      return [...session, { note: 'used', usage: usageOf(part) }, ...ending(textAt(part, 'reason'))];
    case 'error':
      return [...session, failure(at(event, 'error'))];
    default:
      return session;
  }
}

const DENIED = /rejected permission|specified a rule which prevents/i;

/** A tool is told once it has ended. */
function toolNotes(part: unknown): readonly Note[] {
  const tool = textAt(part, 'tool') ?? 'tool';
  const id = known({ id: textAt(part, 'callID') });
  const acted: Note = { note: 'acted', tool, ...inputOf(at(part, 'state', 'input')), ...id };
  const isDenied = DENIED.test(textAt(part, 'state', 'error') ?? '');
  return isDenied ? [acted, { note: 'denied', ...id }] : [acted];
}

/** After a step that ends in calls of tools there is another, unless it broke off. */
function ending(reason: string | undefined): readonly Note[] {
  switch (reason) {
    case 'tool-calls':
      return [];
    case 'length':
      return [{ note: 'ended', as: 'truncated' }];
    case 'content-filter':
      return [{ note: 'ended', as: 'refused' }];
    default:
      return [endedNote(reason, ENDS)];
  }
}

/** `other` and `unknown`: its model's server ended well, in words of its own. */
const ENDS: Readonly<Record<string, EndedAs>> = {
  stop: 'completed',
  other: 'completed',
  unknown: 'completed',
};

/** `tokens.input` is without what was read from the cache or written to it; `total` is all. */
function usageOf(part: unknown): Usage {
  const count = (...path: readonly string[]) => numberAt(part, 'tokens', ...path);
  const inputTokens = sumOf(count('input'), count('cache', 'read'), count('cache', 'write'));
  const total = count('total');
  const outputTokens =
    total !== undefined && inputTokens !== undefined ? total - inputTokens : count('output');
  // Without a price for the model it says 0, which is not to be told from free.
  const costUsd = numberAt(part, 'cost') || undefined;
  return known({ inputTokens, outputTokens, costUsd });
}

function failure(error: unknown): Note {
  const data = at(error, 'data');
  const message = textAt(data, 'message') ?? textAt(error, 'name') ?? 'an error without a message';
  // This is all it says of a model that it does not know.
  const hint = /unexpected server error/i.test(message) ? ' (does "opencode models" list the model?)' : '';
  return failedNote(data, message + hint);
}
