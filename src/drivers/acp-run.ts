import type { AgentResult } from '../core/event.ts';
import type { OpenedDriver, PreflightContext, Turn } from '../core/plugin.ts';
import type { Usage } from '../core/usage.ts';
import { monotonicMs } from '../system/clock.ts';
import { firstCause, type StopCause, within } from '../system/deadline.ts';
import type { Ending } from '../system/exec.ts';
import { RpcError } from '../system/json-rpc.ts';
import { AcpAgent, AgentEnded } from './acp-agent.ts';
import {
  type AcpOptions,
  argsOf,
  environmentOf,
  factsOf,
  modelOf,
  modeOf,
  tokenSourceOf,
} from './acp-options.ts';
import { type AcpSession, isRefusal, newSession, takenUp } from './acp-session.ts';
import { AcpTurn } from './acp-turn.ts';
import { usageOf } from './acp-usage.ts';
import { type Ask, type Attempt, inAttempts } from './agent-attempts.ts';
import { didAnything } from './agent-notes.ts';
import { examine, locate } from './agent-program.ts';
import { findingOf } from './agent-result.ts';
import type { Counter } from './counter.ts';
import { textAt } from './fields.ts';

/** Where an agent works, and with what. */
type Place = Pick<Turn<AcpOptions>, 'workdir' | 'options' | 'env'>;

/** How one prompt came to its end, and what it used. */
interface Talked {
  readonly ending: Ending;
  readonly aside: string;
  readonly usage?: Usage | undefined;
}

/** How long the preflight waits for an agent that is slow to start. */
const READY_MS = 25_000;
/** For an agent to heed a cancel, which lets it end its own tools. */
const CANCEL_MS = 500;
const ALLOW = 'driver.options.permission says what is allowed';
const TURN_OVER: Ending = { ended: 'exited', code: 0 };

/** An agent over the turns of a run: one process as long as it lives, and one session as long as that is asked for. */
export class AcpRun implements OpenedDriver<AcpOptions> {
  #agent: Promise<AcpAgent> | undefined;
  /** The session of the living agent. */
  #session: Promise<AcpSession> | undefined;
  /** Sums of cost by session: they go on in the next process. */
  readonly #costs = new Map<string, Counter>();

  /** Starts the agent and a session, which cost nothing and show what is missing; the first turn goes on with them. */
  async preflight(context: PreflightContext<AcpOptions>): Promise<readonly string[]> {
    const { workdir, options, env } = context;
    const place = { workdir, options, env };
    const facts = factsOf(options);
    if (!locate(facts, { ...place, env: environmentOf(options, env) })) {
      const found = await examine(facts, context);
      return ['problem' in found ? found.problem : `${facts.program} cannot be found`];
    }
    const limit = firstCause({ timeoutMs: READY_MS, signal: context.signal });
    try {
      const first = await Promise.race([this.#begun(place).then(() => 'ready'), limit.cause]);
      if (first === 'timed-out') context.warn?.(`the agent was not ready within ${READY_MS / 1000} s`);
      return [];
    } catch (error) {
      return [await this.#advised(error, place)];
    } finally {
      limit.release();
    }
  }

  async run(turn: Turn<AcpOptions>): Promise<AgentResult> {
    const prompt = [turn.system, turn.prompt].filter(Boolean).join('\n\n');
    return await inAttempts(nameOf(turn.options), turn, prompt, (ask) => this.#attempt(turn, ask));
  }

  async close(): Promise<void> {
    const agent = await this.#current();
    this.#forget();
    await agent?.end();
  }

  /** One prompt, bounded by the clocks of the turn. */
  async #attempt(turn: Turn<AcpOptions>, ask: Ask): Promise<Attempt> {
    const { options, signal } = turn;
    const idleTimeoutMs = options.idleTimeoutMs ?? turn.idleTimeoutMs;
    const limits = firstCause({
      signal,
      ...(ask.timeoutMs !== undefined && { timeoutMs: ask.timeoutMs }),
      ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
    });
    const began = monotonicMs();
    const work = new AcpTurn(turn, options.permission);
    const talk = this.#talk(turn, ask, work, limits.activity);
    const first = await Promise.race([talk, limits.cause]);
    limits.release();
    const { ending, aside, usage } = typeof first === 'string' ? await this.#stop(first, talk) : first;
    const { account } = work;
    const ended = { account, ending: { ...ending, durationMs: monotonicMs() - began }, aside, signal };
    return {
      ...findingOf(ended, { ...factsOf(options), allow: ALLOW }),
      session: account.session,
      didAnything: didAnything(account),
      usage,
    };
  }

  /** Never rejects: what goes wrong is in the account of the turn, or in the ending. */
  async #talk(turn: Turn<AcpOptions>, ask: Ask, work: AcpTurn, activity: () => void): Promise<Talked> {
    const isOld = (await this.#current())?.isAlive === true;
    try {
      const agent = await this.#running(turn);
      agent.onActivity(activity);
      const session = await this.#sessionFor(turn, ask);
      work.note({ note: 'session', id: session.id });
      session.used = true;
      const answer = await agent.prompt(session.id, ask.prompt, work);
      await agent.endStrays();
      const source = tokenSourceOf(turn.options);
      const usage = usageOf(answer, source, work.costSum, session);
      work.answered(answer, source !== undefined && usage?.inputTokens === undefined);
      return { ending: TURN_OVER, aside: '', usage };
    } catch (error) {
      // It had died since its last turn, and so has not heard of this one.
      if (error instanceof AgentEnded && isOld && !didAnything(work.account))
        return await this.#talk(turn, ask, work, activity);
      if (error instanceof AgentEnded) return { ending: error.ending, aside: error.lastWords };
      const status = error instanceof RpcError ? error.code : 0;
      work.note({
        note: 'failed',
        message: await this.#advised(error, turn),
        ...(status >= 400 && status < 600 && { status }),
      });
      return { ending: TURN_OVER, aside: '' };
    }
  }

  /** Asks for the end of the prompt first, which lets the agent end its tools; then ends the agent. */
  async #stop(cause: StopCause, talk: Promise<Talked>): Promise<Talked> {
    const agent = await this.#current();
    agent?.cancel();
    await within(CANCEL_MS, talk);
    await this.close();
    const { usage, aside } = await talk;
    return { ending: { ended: cause }, aside, usage };
  }

  /** The living agent, or a new one. */
  async #running(place: Place): Promise<AcpAgent> {
    const current = await this.#current();
    if (current?.isAlive) return current;
    this.#forget();
    const { workdir, options } = place;
    const env = environmentOf(options, place.env);
    const [name = ''] = [options.command ?? factsOf(options).program].flat();
    const { file, args } = locate(factsOf(options), { workdir, options, env }) ?? { file: name, args: [] };
    this.#agent = AcpAgent.launch({ file, args: [...args, ...argsOf(options)], env, cwd: workdir });
    return await this.#agent;
  }

  async #current(): Promise<AcpAgent | undefined> {
    return await this.#agent?.catch(() => undefined);
  }

  #forget(): void {
    this.#agent = undefined;
    this.#session = undefined;
  }

  /** The open session, the one that is asked for, or a new one. */
  async #sessionFor(turn: Turn<AcpOptions>, { session: wanted, asides }: Ask): Promise<AcpSession> {
    const open = await this.#session?.catch(() => undefined);
    if (open && (wanted === undefined ? !open.used : wanted === open.id)) return open;
    if (wanted !== undefined) {
      try {
        const agent = await this.#running(turn);
        this.#session = takenUp(agent, wanted, wishOf(turn), this.#costs.get(wanted));
        return await this.#session;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        const [why] = describe(error).split('\n');
        asides.push(`session ${wanted} could not be taken up again (${why}), so a new one was begun`);
      }
    }
    return await this.#begun(turn);
  }

  async #begun(place: Place): Promise<AcpSession> {
    const agent = await this.#running(place);
    this.#session = newSession(agent, wishOf(place));
    const session = await this.#session;
    this.#costs.set(session.id, session.cost);
    return session;
  }

  /** What went wrong, with what mends it. */
  async #advised(error: unknown, { options, env }: Place): Promise<string> {
    const what = describe(error);
    if (error instanceof AgentEnded) return [what, error.lastWords].filter(Boolean).join(': ');
    if (!IS_ABOUT_LOGIN.test(what) && !(error instanceof RpcError && error.code === AUTH_REQUIRED))
      return what;
    const login = await factsOf(options).login(environmentOf(options, env));
    return 'advice' in login ? `${what}; ${login.advice}` : what;
  }
}

function nameOf({ preset, command }: AcpOptions): string {
  return preset ?? [command ?? 'the agent'].flat()[0] ?? '';
}

function wishOf({ workdir, options }: Place) {
  return { cwd: workdir, mode: modeOf(options), model: modelOf(options) };
}

const AUTH_REQUIRED = -32_000;
const IS_ABOUT_LOGIN = /authenticat|unauthori[sz]ed|\b401\b|log ?in|api.key/i;

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof RpcError)) return error.message;
  const { data } = error;
  const message = unwrapped(error.message);
  const more = typeof data === 'string' ? data : (textAt(data, 'details') ?? textAt(data, 'message'));
  return more === undefined || message.includes(more) ? message : `${message}: ${more}`;
}

/** Some hand on the JSON that a model's server answered. */
function unwrapped(message: string): string {
  try {
    const answer: unknown = JSON.parse(message);
    return textAt(answer, 'error', 'message') ?? textAt(answer, 'message') ?? message;
  } catch {
    return message;
  }
}
