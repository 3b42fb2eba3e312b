import { RpcError } from '../system/json-rpc.ts';
import type { AcpAgent } from './acp-agent.ts';
import { type Hello, type SessionAnswer, session } from './acp-messages.ts';
import type { Counters } from './acp-usage.ts';
import { Counter } from './counter.ts';

/** A session of an agent that runs. */
export interface AcpSession extends Counters {
  readonly id: string;
  /** False until its first prompt. */
  used: boolean;
}

export interface SessionWish {
  readonly cwd: string;
  readonly mode: string | undefined;
  readonly model: string | undefined;
}

/** A session that did not come about, or not as it was asked for. */
export class SessionProblem extends Error {
  override readonly name = 'SessionProblem';
}

/** Begins a session. Rejects with an `RpcError` or a `SessionProblem`. */
export async function newSession(agent: AcpAgent, wish: SessionWish): Promise<AcpSession> {
  await agent.greet();
  const answer = read(await agent.request('session/new', { cwd: wish.cwd, mcpServers: [] }));
  const id = answer?.sessionId;
  if (answer === undefined || id === undefined) throw new SessionProblem('the agent gave no session');
  await configure(agent, id, answer, wish);
  return { id, used: false, input: new Counter(0), output: new Counter(0), cost: new Counter(0) };
}

/** Takes up a session of an earlier process; `cost`: what is known of its cost so far. Rejects where the agent cannot. */
export async function takenUp(
  agent: AcpAgent,
  sessionId: string,
  wish: SessionWish,
  cost = new Counter(undefined),
): Promise<AcpSession> {
  const method = wayBack(await agent.greet());
  if (method === undefined) throw new SessionProblem('the agent cannot take up sessions');
  const answer = read(await agent.request(method, { sessionId, cwd: wish.cwd, mcpServers: [] }));
  if (answer) await configure(agent, sessionId, answer, wish);
  return { id: sessionId, used: true, input: new Counter(0), output: new Counter(0), cost };
}

function wayBack({ agentCapabilities }: Hello): string | undefined {
  if (agentCapabilities?.sessionCapabilities?.resume) return 'session/resume';
  return agentCapabilities?.loadSession ? 'session/load' : undefined;
}

function read(answer: unknown): SessionAnswer | undefined {
  return session.safeParse(answer).data;
}

async function configure(
  agent: AcpAgent,
  sessionId: string,
  offered: SessionAnswer,
  { mode, model }: SessionWish,
): Promise<void> {
  for (const setting of [modeSetting(offered, mode), modelSetting(offered, model)]) {
    if (setting) await agent.request(setting.method, { sessionId, ...setting.params });
  }
}

interface Setting {
  readonly method: string;
  readonly params: Readonly<Record<string, string>>;
}

function modeSetting(offered: SessionAnswer, wanted: string | undefined): Setting | undefined {
  if (wanted === undefined) return undefined;
  const modes = offered.modes?.availableModes.map(({ id, name }) => ({ value: id, name }));
  if (!modes) return configSetting(offered, 'mode', wanted);
  return { method: 'session/set_mode', params: { modeId: chosen('mode', wanted, modes) } };
}

function modelSetting(offered: SessionAnswer, wanted: string | undefined): Setting | undefined {
  if (wanted === undefined) return undefined;
  const models = offered.models?.availableModels.map(({ modelId, name }) => ({ value: modelId, name }));
  if (!models) return configSetting(offered, 'model', wanted);
  return { method: 'session/set_model', params: { modelId: chosen('model', wanted, models) } };
}

function configSetting(offered: SessionAnswer, category: 'mode' | 'model', wanted: string): Setting {
  const option = offered.configOptions.find((it) => it.category === category);
  if (!option) throw new SessionProblem(`driver.options.${category}: the agent offers no choice of it`);
  const choices = option.options.flatMap((choice) => ('options' in choice ? choice.options : [choice]));
  const value = chosen(category, wanted, choices);
  return { method: 'session/set_config_option', params: { configId: option.id, value } };
}

interface Choice {
  readonly value: string;
  readonly name?: string | undefined;
}

/** By its id, the end of an id that is a URL, or its name. */
function chosen(what: string, wanted: string, choices: readonly Choice[]): string {
  const found =
    choices.find(({ value }) => value === wanted) ??
    choices.find(({ value, name }) => value.endsWith(`#${wanted}`) || name === wanted);
  if (found) return found.value;
  const offered = choices.map(({ value }) => value).join(', ');
  throw new SessionProblem(`driver.options.${what}: the agent has no "${wanted}"; it offers ${offered}`);
}

/** True where the agent itself says no; false where it is gone. */
export function isRefusal(error: unknown): error is RpcError | SessionProblem {
  return error instanceof RpcError || error instanceof SessionProblem;
}
