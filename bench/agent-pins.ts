/** A real agent, as it is tried: which packages at which versions, by which driver. */
export interface Pinned {
  /** As on the command line and in the table; also the name of its wiring to the scripted model. */
  readonly name: string;
  readonly driver: string;
  readonly via: 'native' | 'acp';
  /** Names the folder it is installed into; with the version, so that another pin is another folder. */
  readonly folder: string;
  readonly version: string;
  /** Packages for npm, with their versions. */
  readonly packages: readonly string[];
}

interface Program {
  readonly folder: string;
  readonly version: string;
  readonly packages: readonly string[];
}

const program = (folder: string, name: string, version: string, ...others: readonly string[]): Program => ({
  folder,
  version,
  packages: [`${name}@${version}`, ...others],
});

const claudeSdk = program('claude-agent-sdk', '@anthropic-ai/claude-agent-sdk', '0.3.332', 'zod@4.6.7');
// The last version that Node 20 can run.
const claudeAcp = program('claude-agent-acp', '@agentclientprotocol/claude-agent-acp', '0.49.0');
const codexAcp = program('codex-acp', '@agentclientprotocol/codex-acp', '2.6.0');
const copilot = program('copilot', '@github/copilot', '1.0.102');
const gemini = program('gemini', '@google/gemini-cli', '0.61.0');
const grok = program('grok', '@xai-official/grok', '1.0.41');
const openCode = program('opencode', 'opencode-ai', '1.18.33');

const native = (name: string, of: Program): Pinned => ({ name, driver: name, via: 'native', ...of });
const byAcp = (preset: string, of: Program): Pinned => ({
  name: `acp:${preset}`,
  driver: 'acp',
  via: 'acp',
  ...of,
});

/** The fast ones first. */
export const AGENTS: readonly Pinned[] = [
  native('grok', grok),
  native('github-copilot', copilot),
  native('claude-agent-sdk', claudeSdk),
  native('opencode', openCode),
  byAcp('codex', codexAcp),
  byAcp('gemini', gemini),
  byAcp('grok', grok),
  byAcp('copilot', copilot),
  byAcp('claude', claudeAcp),
  byAcp('opencode', openCode),
];

/** The agents of these names, `codex` for `acp:codex` too; all without a name. Throws for an unknown one. */
export function agentsNamed(names: readonly string[]): readonly Pinned[] {
  if (names.length === 0) return AGENTS;
  return names.map((name) => {
    const found = [name, `acp:${name}`].flatMap(
      (known) => AGENTS.find((agent) => agent.name === known) ?? [],
    );
    if (!found[0])
      throw new Error(`no agent "${name}"; there are ${AGENTS.map((one) => one.name).join(', ')}`);
    return found[0];
  });
}
