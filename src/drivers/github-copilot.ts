import { realpathSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { z } from 'zod';
import type { Environment } from '../core/plugin.ts';
import type { Usage } from '../core/usage.ts';
import type { AgentCli, Call } from './agent-cli.ts';
import { agentDriver } from './agent-driver.ts';
import { isThere, textIn } from './agent-files.ts';
import { inputOf, type Note } from './agent-notes.ts';
import { cliOptions } from './agent-options.ts';
import type { Login } from './agent-program.ts';
import { at, type Fields, fieldsAt, fieldsIn, known, numberAt, sumOf, textAt } from './fields.ts';
import { strictOptions } from './options.ts';

const options = strictOptions({
  ...cliOptions,
  /** `configured`: the rules below alone; what Copilot would ask about is denied. Default: `allow`, or `configured` with `allow` rules. */
  permission: z.enum(['allow', 'configured']).optional(),
  /** Rules of Copilot's, such as `shell(npm:*)` and `write`. */
  allow: z.array(z.string().min(1)).default([]),
  deny: z.array(z.string().min(1)).default([]),
  effort: z.string().min(1).optional(),
});

type Options = z.infer<typeof options>;

export const copilot: AgentCli<Options> = {
  name: 'github-copilot',
  description: 'GitHub Copilot CLI',
  program: 'copilot',
  install: 'npm install -g @github/copilot',
  allow:
    'driver.options.permission: allow lets it do all; driver.options.allow takes rules such as write and shell(npm:*)',
  options,
  keys: [
    ...['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN', 'GH_HOST', 'COPILOT_GH_HOST', 'COPILOT_HOME'],
    ...['COPILOT_MODEL', 'COPILOT_OFFLINE', 'COPILOT_AUTO_UPDATE', 'COPILOT_PROVIDER_BASE_URL'],
    ...['COPILOT_PROVIDER_TYPE', 'COPILOT_PROVIDER_API_KEY', 'COPILOT_PROVIDER_BEARER_TOKEN'],
    ...['COPILOT_PROVIDER_WIRE_API', 'COPILOT_PROVIDER_MODEL_ID', 'COPILOT_PROVIDER_WIRE_MODEL'],
    ...['COPILOT_PROVIDER_MAX_PROMPT_TOKENS', 'COPILOT_PROVIDER_MAX_OUTPUT_TOKENS'],
  ],
  native,
  login,
  // It refuses what is longer than the model's window, which is that of its smallest.
  prompt: { by: 'stdin', longest: 300_000 },
  namesSessions: true,
  unknownSession: /no session, task, or name matched/i,
  environment: () => ({ COPILOT_AUTO_UPDATE: 'false' }),
  args: (call) => {
    const { options: o, session, scratch } = call;
    return [
      ...['--output-format', 'json', '--no-color', '--no-ask-user', '--add-dir', scratch],
      ...['--usage-output-file', usageFile(call)],
      ...('resume' in session ? [`--resume=${session.resume}`] : ['--session-id', session.start]),
      ...((o.permission ?? (o.allow.length > 0 ? 'configured' : 'allow')) === 'allow'
        ? ['--allow-all-tools']
        : []),
      ...o.allow.map((rule) => `--allow-tool=${rule}`),
      ...o.deny.map((rule) => `--deny-tool=${rule}`),
      ...(o.model === undefined ? [] : ['--model', o.model]),
      ...(o.effort === undefined ? [] : ['--reasoning-effort', o.effort]),
    ];
  },
  read,
  report,
};

export const copilotDriver = agentDriver(copilot);

/** The package on npm starts its program as a child, which a signal to the wrapper alone would leave behind. */
function native(file: string): string | undefined {
  try {
    const real = realpathSync(file);
    if (!real.endsWith('npm-loader.js')) return undefined;
    const { resolve } = createRequire(real);
    const platforms = process.platform === 'linux' ? ['linux', 'linuxmusl'] : [process.platform];
    return platforms
      .map((name) => resolvedBy(resolve, `@github/copilot-${name}-${process.arch}`))
      .find(Boolean);
  } catch {
    return undefined;
  }
}

function resolvedBy(resolve: (name: string) => string, name: string): string | undefined {
  try {
    return resolve(name);
  } catch {
    return undefined;
  }
}

/** A token, an account that it remembers, that of `gh`, or a server of one's own. */
async function login(env: Environment): Promise<Login> {
  const variables = ['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN', 'COPILOT_PROVIDER_BASE_URL'];
  if (variables.some((name) => env[name])) return { login: 'yes' };
  const home = env['HOME'] ?? '';
  const own = await textIn(join(env['COPILOT_HOME'] ?? join(home, '.copilot'), 'config.json'));
  if (/"(?:last_?logged_?in_?user|logged_?in_?users)"\s*:\s*[{[]\s*["{]/i.test(own)) return { login: 'yes' };
  const gh = join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'gh', 'hosts.yml');
  if (await isThere(gh)) return { login: 'yes' };
  return {
    login: 'unknown',
    advice:
      'no log-in of Copilot was found: run "copilot login", or set GH_TOKEN, if its turns fail for that',
  };
}

function read(event: Fields): readonly Note[] {
  const data = at(event, 'data');
  switch (event['type']) {
    case 'assistant.turn_start':
      return [{ note: 'turn' }];
    case 'assistant.message': {
      const text = textAt(data, 'content');
      return text === undefined ? [] : [{ note: 'said', text }];
    }
    case 'tool.execution_start': {
      const tool = textAt(data, 'toolName') ?? 'tool';
      return [{ note: 'acted', tool, ...inputOf(at(data, 'arguments')), ...idOf(data) }];
    }
    case 'tool.execution_complete':
      return textAt(data, 'error', 'code') === 'denied' ? [{ note: 'denied', ...idOf(data) }] : [];
    case 'session.info':
      return textAt(data, 'infoType') === 'model_retry'
        ? [{ note: 'waiting', what: textAt(data, 'message') ?? '' }]
        : [];
    case 'assistant.turn_retry':
      return [{ note: 'waiting', what: `its model: ${textAt(data, 'reason') ?? 'asking again'}` }];
    case 'session.error':
      return [failure(data)];
    case 'result':
      return ending(event);
    default:
      return [];
  }
}

const idOf = (data: unknown) => known({ id: textAt(data, 'toolCallId') });

function failure(data: unknown): Note {
  const message = textAt(data, 'message') ?? 'an error without a message';
  return { note: 'failed', message, ...known({ status: numberAt(data, 'statusCode') }) };
}

function ending(event: Fields): readonly Note[] {
  const id = textAt(event, 'sessionId');
  return [
    ...(id === undefined ? [] : [{ note: 'session', id } as const]),
    { note: 'ended', as: 'completed' },
  ];
}

/** Counts over all of a session, so that a turn's are what was added to it. */
const usageFile = ({ scratch, session }: Call<Options>) =>
  join(scratch, `copilot-usage-${'resume' in session ? session.resume : session.start}.json`);

async function report(call: Call<Options>): Promise<readonly Note[]> {
  const file = usageFile(call);
  const counted = `${file}.counted`;
  const [now, before] = await Promise.all([totalsIn(file), totalsIn(counted)]);
  if (!now) return [];
  await rename(file, counted);
  // Where nobody has counted what came before, this turn's part is unknown.
  if (!before && 'resume' in call.session) return [];
  return [{ note: 'used-in-all', usage: difference(now, before) }];
}

async function totalsIn(file: string): Promise<Usage | undefined> {
  const models = Object.values(fieldsAt(fieldsIn(await textIn(file)), 'modelMetrics'));
  if (models.length === 0) return undefined;
  const sum = (key: string) => sumOf(...models.map((model) => numberAt(model, 'usage', key)));
  return known({ inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens') });
}

function difference(now: Usage, before: Usage = {}): Usage {
  const added = (key: 'inputTokens' | 'outputTokens') => {
    const value = now[key];
    return value === undefined ? undefined : Math.max(0, value - (before[key] ?? 0));
  };
  return known({ inputTokens: added('inputTokens'), outputTokens: added('outputTokens') });
}
