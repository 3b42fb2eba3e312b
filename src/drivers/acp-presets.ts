import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../core/plugin.ts';
import type { Login, ProgramFacts } from './agent-program.ts';
import { copilot } from './github-copilot.ts';
import { grok } from './grok.ts';
import { opencode } from './opencode.ts';
import { isAllowed, type Permission } from './permission.ts';

/** What is known of one agent that speaks the Agent Client Protocol. */
export interface Preset extends ProgramFacts {
  readonly args: readonly string[];
  /** Arguments that come last, after those of the options. */
  readonly lastArgs?: readonly string[];
  /** What makes it ask for nothing, added where everything is allowed. */
  readonly unattended?: readonly string[];
  /** The mode that fits. Absent: its own default, in which it asks. */
  readonly mode?: (permission: Permission) => string;
  readonly env?: Readonly<Record<string, string>>;
  /** Variables for where not everything is allowed. */
  readonly askingEnv?: Readonly<Record<string, string>>;
  /** How it takes its model. Absent: by the protocol. */
  readonly model?: (model: string) => Pick<Partial<Preset>, 'args' | 'env'>;
  /** Where its answer to a prompt tells tokens, and what they count. Absent: nowhere that can be relied upon. */
  readonly tokens?: TokenSource;
  /** Variables that hold its keys and its settings. */
  readonly keys: readonly string[];
}

export interface TokenSource {
  /** Path of keys in the answer. */
  readonly at: readonly string[];
  /** `prompt`: this turn. `process`: all of the session since the process began. */
  readonly counts: 'prompt' | 'process';
  /** Whether the input counts what came from the cache. */
  readonly cached: 'included' | 'apart';
}

/** By name; measured with the versions that `docs/drivers.md` names. */
export const PRESETS = {
  claude: {
    program: 'claude-agent-acp',
    args: [],
    model: (model) => ({ env: { ANTHROPIC_MODEL: model } }),
    tokens: { at: ['usage'], counts: 'prompt', cached: 'apart' },
    keys: [
      ...['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_MODEL'],
      ...[
        'CLAUDE_CODE_OAUTH_TOKEN',
        'CLAUDE_CONFIG_DIR',
        'CLAUDE_CODE_EXECUTABLE',
        'CLAUDE_CODE_MAX_RETRIES',
      ],
      ...['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC'],
      ...[
        'AWS_REGION',
        'AWS_PROFILE',
        'AWS_BEARER_TOKEN_BEDROCK',
        'AWS_ACCESS_KEY_ID',
        'AWS_SECRET_ACCESS_KEY',
      ],
      ...['AWS_SESSION_TOKEN', 'ANTHROPIC_VERTEX_PROJECT_ID', 'CLOUD_ML_REGION', 'IS_SANDBOX'],
      'GOOGLE_APPLICATION_CREDENTIALS',
    ],
    install: 'npm install -g @agentclientprotocol/claude-agent-acp',
    login: loggedIn({
      keys: [
        'ANTHROPIC_API_KEY',
        'ANTHROPIC_AUTH_TOKEN',
        'CLAUDE_CODE_OAUTH_TOKEN',
        'CLAUDE_CODE_USE_BEDROCK',
      ],
      home: ['CLAUDE_CONFIG_DIR', '.claude', '.credentials.json'],
      advice: 'log in: run "claude" and type /login, or set ANTHROPIC_API_KEY',
    }),
  },
  codex: {
    program: 'codex-acp',
    args: [],
    mode: codexMode,
    model: (model) => ({ env: { CODEX_CONFIG: JSON.stringify({ model }) } }),
    tokens: { at: ['usage'], counts: 'prompt', cached: 'apart' },
    keys: ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'CODEX_API_KEY', 'CODEX_HOME', 'CODEX_CONFIG', 'CODEX_PATH'],
    install: 'npm install -g @agentclientprotocol/codex-acp',
    login: loggedIn({
      keys: ['OPENAI_API_KEY', 'CODEX_API_KEY'],
      home: ['CODEX_HOME', '.codex', 'auth.json'],
      advice: 'log in: run "codex login", or set OPENAI_API_KEY',
    }),
  },
  copilot: {
    program: 'copilot',
    args: ['--acp'],
    unattended: ['--allow-all-tools'],
    model: (model) => ({ args: ['--model', model] }),
    tokens: { at: ['usage'], counts: 'process', cached: 'included' },
    keys: [
      ...[
        'GH_TOKEN',
        'GITHUB_TOKEN',
        'COPILOT_GITHUB_TOKEN',
        'COPILOT_HOME',
        'COPILOT_MODEL',
        'COPILOT_OFFLINE',
      ],
      ...['COPILOT_AUTO_UPDATE', 'COPILOT_PROVIDER_BASE_URL', 'COPILOT_PROVIDER_API_KEY'],
      ...['COPILOT_PROVIDER_TYPE', 'COPILOT_PROVIDER_WIRE_API', 'COPILOT_PROVIDER_BEARER_TOKEN'],
    ],
    install: copilot.install,
    login: copilot.login,
  },
  gemini: {
    program: 'gemini',
    args: ['--acp', '--skip-trust'],
    unattended: ['--approval-mode', 'yolo'],
    // Otherwise it starts itself anew as a child, and does not heed SIGTERM.
    env: { GEMINI_CLI_NO_RELAUNCH: 'true' },
    model: (model) => ({ args: ['-m', model] }),
    tokens: { at: ['_meta', 'quota', 'token_count'], counts: 'prompt', cached: 'included' },
    keys: [
      ...['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GEMINI_BASE_URL', 'GOOGLE_GENAI_USE_VERTEXAI'],
      ...['GOOGLE_CLOUD_PROJECT', 'GOOGLE_CLOUD_LOCATION', 'GOOGLE_APPLICATION_CREDENTIALS'],
    ],
    install: 'npm install -g @google/gemini-cli',
    login: loggedIn({
      keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENAI_USE_VERTEXAI'],
      home: ['', '.gemini', 'oauth_creds.json'],
      advice: 'log in: run "gemini", or set GEMINI_API_KEY',
    }),
  },
  grok: {
    program: 'grok',
    args: ['agent', '--no-leader'],
    lastArgs: ['stdio'],
    unattended: ['--always-approve'],
    model: (model) => ({ args: ['--model', model] }),
    tokens: { at: ['_meta', 'usage'], counts: 'prompt', cached: 'included' },
    keys: [
      'XAI_API_KEY',
      'GROK_HOME',
      'GROK_DISABLE_AUTOUPDATER',
      'GROK_TURN_SUMMARY',
      'GROK_TELEMETRY_ENABLED',
    ],
    install: grok.install,
    login: grok.login,
  },
  opencode: {
    program: 'opencode',
    args: ['acp'],
    // It allows everything by itself, and its configuration may as well.
    askingEnv: { OPENCODE_PERMISSION: '{"*":"ask"}' },
    // Its `usage` is that of the last model call, so that only the cost is known.
    keys: [
      ...['OPENCODE_CONFIG', 'OPENCODE_CONFIG_CONTENT', 'OPENCODE_API_KEY'],
      ...['OPENCODE_DISABLE_MODELS_FETCH', 'OPENCODE_DISABLE_AUTOUPDATE'],
      ...['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY', 'GEMINI_API_KEY'],
    ],
    install: opencode.install,
    login: opencode.login,
  },
} as const satisfies Readonly<Record<string, Preset>>;

export type PresetName = keyof typeof PRESETS;

export const PRESET_NAMES = Object.keys(PRESETS) as [PresetName, ...PresetName[]];

/** It asks for little: what it must not do, its own sandbox keeps it from. */
function codexMode(permission: Permission): string {
  if (permission === 'allow') return 'agent-full-access';
  return isAllowed(permission, 'edit') ? 'workspace-write' : 'read-only';
}

interface Traces {
  /** Variables that stand for a log-in. */
  readonly keys: readonly string[];
  /** The variable that moves the agent's home, that home, and the file in it that a log-in leaves. */
  readonly home?: readonly [string, string, string];
  readonly advice: string;
}

/** Told from variables and files alone. An agent may have its log-in elsewhere: in a key ring, or in a setting. */
function loggedIn({ keys, home, advice }: Traces): (env: Environment) => Promise<Login> {
  return async (env) => {
    const [variable = '', folder = '', file = ''] = home ?? [];
    const place = env[variable] ?? join(env['HOME'] ?? '/', folder);
    const isThere = keys.some((key) => env[key]) || (home !== undefined && existsSync(join(place, file)));
    return isThere ? { login: 'yes' } : { login: 'unknown', advice };
  };
}
