import type { ScenarioBrief } from './scenario.ts';

/** How the agent of a driver is made to ask a scripted model, with no account and no network. */
export interface Wiring {
  /** Options of the driver. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Files in its home, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** What is put over the options to have a write denied. Absent: not known. */
  readonly denying?: Readonly<Record<string, unknown>>;
  /** Scenarios that the agent itself cannot have, with the reason. */
  readonly skip: Readonly<Record<string, string>>;
}

interface Target {
  /** Address of the model server. */
  readonly url: string;
  /** A private home of the agent. */
  readonly home: string;
}

type Parts = Partial<Wiring> & { readonly env?: Readonly<Record<string, string>> };
type Wire = (target: Target) => Parts;

const MODEL = 'scripted-model';

/** `acp:PRESET` for an agent by its protocol. */
const WIRES: Readonly<Record<string, Wire>> = {
  'claude-agent-sdk': (target) => ({
    env: claudeEnv(target),
    options: { model: MODEL },
    denying: { permissionMode: 'default' },
  }),
  'github-copilot': (target) => ({
    env: copilotEnv(target),
    denying: { permission: 'configured' },
  }),
  grok: (target) => ({
    env: grokEnv(target),
    files: grokFiles(target),
    denying: { permission: 'configured' },
  }),
  opencode: (target) => ({
    env: openCodeEnv(target),
    options: { model: `scripted/${MODEL}`, dangerouslySkipPermissions: true },
    denying: { dangerouslySkipPermissions: false, permission: { '*': 'ask' } },
  }),
  ollama: ({ url }) => ({ options: { host: url, model: MODEL } }),
  'openai-compatible': ({ url }) => ({ options: { baseUrl: `${url}/v1`, model: MODEL } }),
  'acp:claude': (target) => ({ env: claudeEnv(target), options: { model: MODEL }, denying: ASKED }),
  'acp:codex': (target) => ({
    env: codexEnv(target),
    files: codexFiles(target),
    skip: {
      'tells-a-denied-permission': 'Codex asks for nothing: its sandbox refuses, and tells its model alone',
    },
  }),
  'acp:copilot': (target) => ({ env: copilotEnv(target), denying: ASKED }),
  'acp:gemini': (target) => ({
    env: geminiEnv(target),
    files: GEMINI_FILES,
    options: { model: MODEL },
    denying: ASKED,
  }),
  'acp:grok': (target) => ({ env: grokEnv(target), files: grokFiles(target), denying: ASKED }),
  'acp:opencode': (target) => ({
    env: openCodeEnv(target),
    denying: ASKED,
    skip: { 'reports-usage': 'OpenCode tells by this protocol the tokens of its last call alone' },
  }),
};

const ASKED = { permission: 'deny' };

/** Names that `wiringOf` knows. */
export const WIRED: readonly string[] = Object.keys(WIRES);

/** For a driver by name, or `acp:PRESET`; `undefined` where it is not known how. */
export function wiringOf(name: string, target: Target): Wiring | undefined {
  const parts = WIRES[name]?.(target);
  if (!parts) return undefined;
  const preset = name.startsWith('acp:') ? { preset: name.slice('acp:'.length) } : {};
  const env = parts.env === undefined ? {} : { env: { ...parts.env, HOME: target.home } };
  return {
    options: { ...preset, ...parts.options, ...env },
    files: parts.files ?? {},
    ...(parts.denying && { denying: parts.denying }),
    skip: parts.skip ?? {},
  };
}

/** `optionsFor` of the conformance run, with options of the user's own over those of the wiring. */
export function wiredOptions(
  { options, denying }: Wiring,
  own: Readonly<Record<string, unknown>>,
): (brief: ScenarioBrief) => unknown {
  return ({ id }) => {
    const given = { ...options, ...own };
    if (id === 'tells-a-denied-permission') return denying && { ...given, ...denying };
    return id === 'tells-a-rate-limit' ? { ...given, maxWaitMs: 0 } : given;
  };
}

function claudeEnv({ url }: Target) {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'scripted',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '1',
    IS_SANDBOX: '1',
  };
}

function copilotEnv({ url, home }: Target) {
  return {
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
    COPILOT_HOME: `${home}/.copilot`,
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_API_KEY: 'scripted',
    COPILOT_MODEL: MODEL,
    // It takes the window of an unknown model for a small one.
    COPILOT_PROVIDER_MAX_PROMPT_TOKENS: '1000000',
  };
}

function grokEnv({ home }: Target) {
  return {
    GROK_HOME: `${home}/.grok`,
    SCRIPTED_KEY: 'scripted',
    GROK_DISABLE_AUTOUPDATER: '1',
    GROK_TURN_SUMMARY: '0',
    GROK_TELEMETRY_ENABLED: '0',
  };
}

function grokFiles({ url }: Target) {
  const lines = [
    ...['[cli]', 'auto_update = false', '[models]', 'default = "scripted"', '[model.scripted]'],
    ...[`model = "${MODEL}"`, `base_url = "${url}/v1"`, 'name = "Scripted"', 'env_key = "SCRIPTED_KEY"'],
    ...['[marketplace]', 'default_skills_installs_purged = true'],
    ...['[features]', 'telemetry = false', 'turn_summary = false', '[telemetry]', 'trace_upload = false', ''],
  ];
  return { '.grok/config.toml': lines.join('\n') };
}

function openCodeEnv({ url }: Target) {
  const model = {
    name: 'Scripted',
    limit: { context: 2_000_000, output: 8000 },
    cost: { input: 1, output: 2 },
  };
  const provider = {
    npm: '@ai-sdk/openai-compatible',
    name: 'Scripted',
    options: { baseURL: `${url}/v1`, apiKey: 'scripted' },
    models: { [MODEL]: model },
  };
  const config = {
    model: `scripted/${MODEL}`,
    small_model: `scripted/${MODEL}`,
    autoupdate: false,
    share: 'disabled',
    provider: { scripted: provider },
  };
  return {
    OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
  };
}

function codexEnv({ home }: Target) {
  return { CODEX_HOME: `${home}/.codex`, SCRIPTED_KEY: 'scripted' };
}

function codexFiles({ url }: Target) {
  const lines = [
    ...[`model = "${MODEL}"`, 'model_provider = "scripted"', 'check_for_update_on_startup = false'],
    ...['[analytics]', 'enabled = false', '[features]', 'plugins = false', 'apps = false'],
    ...['[model_providers.scripted]', 'name = "Scripted"', `base_url = "${url}/v1"`],
    ...['env_key = "SCRIPTED_KEY"', 'wire_api = "responses"', 'request_max_retries = 0'],
    ...['stream_max_retries = 0', ''],
  ];
  return { '.codex/config.toml': lines.join('\n') };
}

function geminiEnv({ url }: Target) {
  return { GEMINI_API_KEY: 'scripted', GOOGLE_GEMINI_BASE_URL: url };
}

const GEMINI_FILES = {
  '.gemini/settings.json': JSON.stringify({
    security: { auth: { selectedType: 'gemini-api-key' } },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 1 },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
  }),
};
