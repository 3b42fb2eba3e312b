import { join } from 'node:path';
import { z } from 'zod';
import type { Environment } from '../core/plugin.ts';
import type { Usage } from '../core/usage.ts';
import type { AgentCli } from './agent-cli.ts';
import { agentDriver } from './agent-driver.ts';
import { isThere, textIn } from './agent-files.ts';
import { type EndedAs, endedNote, inputOf, type Note } from './agent-notes.ts';
import { cliOptions } from './agent-options.ts';
import type { Login } from './agent-program.ts';
import { at, type Fields, known, numberAt, sumOf, textAt } from './fields.ts';
import { strictOptions } from './options.ts';

const options = strictOptions({
  ...cliOptions,
  /** `configured`: the agent's own rules; what it would ask about is denied. Default: `allow`, or `configured` with `allow` rules. */
  permission: z.enum(['allow', 'configured']).optional(),
  /** Rules of Grok's, such as `Bash(npm test*)`. */
  allow: z.array(z.string().min(1)).default([]),
  deny: z.array(z.string().min(1)).default([]),
  effort: z.string().min(1).optional(),
});

type Options = z.infer<typeof options>;

export const grok: AgentCli<Options> = {
  name: 'grok',
  description: "xAI's Grok Build CLI",
  program: 'grok',
  install: 'npm install -g @xai-official/grok',
  allow:
    'driver.options.permission: allow lets it do all; driver.options.allow takes rules such as Bash(npm test*)',
  options,
  keys: [
    ...['XAI_API_KEY', 'GROK_HOME', 'GROK_SANDBOX', 'GROK_DISABLE_AUTOUPDATER', 'GROK_TURN_SUMMARY'],
    'GROK_TELEMETRY_ENABLED',
  ],
  login,
  prompt: { by: 'file' },
  namesSessions: true,
  unknownSession: /session\b.*\bnot found|no session|failed to authenticate for session restore/i,
  // The summary of a turn is one more call of the model, with tools.
  environment: () => ({ GROK_DISABLE_AUTOUPDATER: '1', GROK_TURN_SUMMARY: '0' }),
  args: ({ options: o, session, promptFile }) => [
    ...['--prompt-file', promptFile, '--output-format', 'streaming-json'],
    ...('resume' in session ? ['--resume', session.resume] : ['--session-id', session.start]),
    ...((o.permission ?? (o.allow.length > 0 ? 'configured' : 'allow')) === 'allow'
      ? ['--always-approve']
      : []),
    ...o.allow.flatMap((rule) => ['--allow', rule]),
    ...o.deny.flatMap((rule) => ['--deny', rule]),
    ...(o.model === undefined ? [] : ['--model', o.model]),
    ...(o.maxTurns === undefined ? [] : ['--max-turns', String(o.maxTurns)]),
    ...(o.effort === undefined ? [] : ['--reasoning-effort', o.effort]),
  ],
  read,
};

export const grokDriver = agentDriver(grok);

/** An account (`grok login`), a key, or a model of one's own in the configuration. */
async function login(env: Environment): Promise<Login> {
  const home = env['GROK_HOME'] ?? join(env['HOME'] ?? '', '.grok');
  if (env['XAI_API_KEY'] || (await isThere(join(home, 'auth.json')))) return { login: 'yes' };
  if (/^\s*\[(?:model|auth)\b/m.test(await textIn(join(home, 'config.toml')))) return { login: 'yes' };
  return { login: 'no', advice: 'grok is not logged in: run "grok login", or set XAI_API_KEY' };
}

function read(event: Fields): readonly Note[] {
  switch (event['type']) {
    case 'text':
      return [{ note: 'said', text: textAt(event, 'data') ?? '', piece: true }];
    case 'tool_call': {
      const tool = textAt(event, 'toolName') ?? textAt(event, 'title') ?? 'tool';
      return [{ note: 'acted', tool, ...inputOf(at(event, 'rawInput')), ...idOf(event) }];
    }
    case 'tool_call_update':
      return denial(event);
    case 'usage':
      return [{ note: 'turn' }, { note: 'used', usage: usageOf(event) }];
    case 'max_turns_reached':
      return [{ note: 'ended', as: 'max-turns' }];
    case 'error':
      return [{ note: 'failed', message: textAt(event, 'message') ?? 'an error without a message' }];
    case 'end':
      return ending(event);
    default:
      return [];
  }
}

const DENIED = /denied by permission|permission denied|user cancelled the execution|was not executed/i;

function denial(event: Fields): readonly Note[] {
  if (event['status'] !== 'failed') return [];
  const content = at(event, 'content');
  const because = Array.isArray(content) ? textAt(content[0], 'content', 'text') : undefined;
  return because !== undefined && DENIED.test(because) ? [{ note: 'denied', ...idOf(event) }] : [];
}

const idOf = (event: Fields) => known({ id: textAt(event, 'toolCallId') });

const ENDS: Readonly<Record<string, EndedAs>> = {
  end_turn: 'completed',
  max_tokens: 'truncated',
  max_turn_requests: 'max-turns',
  refusal: 'refused',
  cancelled: 'cancelled',
};

function ending(event: Fields): readonly Note[] {
  const id = textAt(event, 'sessionId');
  const turns = numberAt(event, 'num_turns');
  const usage = {
    ...usageOf(event),
    ...known({ agentTurns: turns, costUsd: numberAt(event, 'total_cost_usd') }),
  };
  return [
    ...(id === undefined ? [] : [{ note: 'session', id } as const]),
    ...(at(event, 'usage') === undefined ? [] : [{ note: 'used-in-all', usage } as const]),
    endedNote(textAt(event, 'stopReason'), ENDS),
  ];
}

/** What was read from the cache was sent all the same. */
function usageOf(event: Fields): Usage {
  const count = (key: string) => numberAt(event, 'usage', key);
  return known({
    inputTokens: sumOf(
      count('input_tokens'),
      count('cache_read_input_tokens'),
      count('cache_creation_input_tokens'),
    ),
    outputTokens: count('output_tokens'),
  });
}
