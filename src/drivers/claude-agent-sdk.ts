import { messageOf } from '../core/error.ts';
import type { AgentDriver, Installation, Machine, PreflightContext } from '../core/plugin.ts';
import { PRESETS } from './acp-presets.ts';
import { type ClaudeOptions, claudeOptions } from './claude-options.ts';
import { ClaudeRun } from './claude-run.ts';
import { CLAUDE_SDK, findClaudeSdk, INSTALL_SDK } from './claude-sdk.ts';

/** Claude Code by Anthropic's SDK, which is no dependency of loopgen: who uses it installs it. */
export const claudeAgentSdkDriver: AgentDriver<ClaudeOptions> = {
  name: 'claude-agent-sdk',
  description: "Claude Code by Anthropic's SDK",
  kind: 'agent',
  env: PRESETS.claude.keys,
  options: claudeOptions,
  inspect,
  open: () => {
    const run = new ClaudeRun();
    return {
      preflight: (context) => preflight(run, context),
      run: (turn) => run.run(turn),
      close: () => run.close(),
    };
  },
  preflight: (context) => preflight(new ClaudeRun(), context),
  run: (turn) => new ClaudeRun().run(turn),
};

const MISSING = `${CLAUDE_SDK} is not installed: ${INSTALL_SDK}`;

async function inspect({ workdir, environment }: Machine): Promise<readonly Installation[]> {
  const login = await PRESETS.claude.login(environment(PRESETS.claude.keys));
  const about = { login: login.login, advice: 'advice' in login ? [login.advice] : [] };
  const found = findClaudeSdk(workdir);
  if (!found) return [{ ...about, problem: `not installed: npm install ${CLAUDE_SDK}` }];
  return [{ program: found.file, version: found.version, ...about }];
}

async function preflight(
  run: ClaudeRun,
  context: PreflightContext<ClaudeOptions>,
): Promise<readonly string[]> {
  const { workdir, options, env } = context;
  if (!findClaudeSdk(workdir)) return [MISSING];
  try {
    await run.load(workdir);
  } catch (error) {
    return [`${CLAUDE_SDK} cannot be loaded: ${messageOf(error)}`];
  }
  const login = await PRESETS.claude.login({ ...env, ...options.env });
  if ('advice' in login) context.warn?.(login.advice);
  return refusedAsRoot(context);
}

/** Claude Code does not bypass permissions for root, unless it is told that the machine may be lost. */
function refusedAsRoot({ options, env }: PreflightContext<ClaudeOptions>): readonly string[] {
  const isRefused =
    process.getuid?.() === 0 &&
    options.permissionMode === 'bypassPermissions' &&
    { ...env, ...options.env }['IS_SANDBOX'] !== '1';
  if (!isRefused) return [];
  return [
    'Claude Code does not bypass permissions as root: set driver.options.env.IS_SANDBOX to "1" where this is a ' +
      'container or machine that you can lose, or driver.options.permissionMode to acceptEdits with allowedTools',
  ];
}
