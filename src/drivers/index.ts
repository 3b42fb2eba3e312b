import type { AgentDriver } from '../core/plugin.ts';
import type { LazyPlugin } from '../core/registry.ts';

/** The drivers that come with loopgen; each is loaded when it is used. */
export const builtInDrivers: readonly LazyPlugin<AgentDriver>[] = [
  {
    name: 'acp',
    description: 'any agent that speaks the Agent Client Protocol',
    load: async () => (await import('./acp.ts')).acpDriver,
  },
  {
    name: 'claude-agent-sdk',
    description: "Claude Code by Anthropic's SDK",
    needsPackage: '@anthropic-ai/claude-agent-sdk',
    load: async () => (await import('./claude-agent-sdk.ts')).claudeAgentSdkDriver,
  },
  {
    name: 'command',
    description: 'any agent CLI as a command line',
    load: async () => (await import('./command.ts')).commandDriver,
  },
  {
    name: 'github-copilot',
    description: 'GitHub Copilot CLI',
    needs: 'copilot',
    load: async () => (await import('./github-copilot.ts')).copilotDriver,
  },
  {
    name: 'grok',
    description: "xAI's Grok Build CLI",
    needs: 'grok',
    load: async () => (await import('./grok.ts')).grokDriver,
  },
  {
    name: 'mock',
    description: 'scripted edits, offline',
    load: async () => (await import('./mock.ts')).mockDriver,
  },
  {
    name: 'none',
    description: 'changes nothing; stands in where no driver is configured',
    load: async () => (await import('./none.ts')).noneDriver,
  },
  {
    name: 'ollama',
    description: 'a local model that proposes whole files, by an Ollama server',
    load: async () => (await import('./ollama.ts')).ollamaDriver,
  },
  {
    name: 'openai-compatible',
    description: 'a model behind a server like LM Studio, llama.cpp or vLLM, that proposes whole files',
    load: async () => (await import('./openai-compatible.ts')).openAiCompatibleDriver,
  },
  {
    name: 'opencode',
    description: 'OpenCode, local models included',
    needs: 'opencode',
    load: async () => (await import('./opencode.ts')).opencodeDriver,
  },
  {
    name: 'replay',
    description: 'replies of an earlier run (its summary.json) in place of a model',
    load: async () => (await import('./replay.ts')).replayDriver,
  },
];
