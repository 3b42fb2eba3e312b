import { randomUUID } from 'node:crypto';
import type { AgentResult } from '../core/event.ts';
import type { Environment, Turn } from '../core/plugin.ts';
import { type Ask, type Attempt, inAttempts } from './agent-attempts.ts';
import type { AgentCli, Call } from './agent-cli.ts';
import { didAnything, enter, type OpenAccount } from './agent-notes.ts';
import type { CliOptions } from './agent-options.ts';
import { runAgent } from './agent-process.ts';
import { commandOf, locate, type Program } from './agent-program.ts';
import { handOver } from './agent-prompt.ts';
import { brokeDownAtStart, type Ended, findingOf } from './agent-result.ts';

/** One process, and what came of it. */
interface Started extends Attempt {
  readonly ended: Ended;
}

/** One turn of an agent CLI: as many processes as usage limits and a lost session make necessary. */
export class CliTurn<Options extends CliOptions> {
  readonly #cli: AgentCli<Options>;
  readonly #turn: Turn<Options>;
  readonly #env: Environment;
  readonly #program: Program;
  #starts = 0;

  constructor(cli: AgentCli<Options>, turn: Turn<Options>) {
    const { options, workdir } = turn;
    this.#cli = cli;
    this.#turn = turn;
    this.#env = { ...turn.env, ...cli.environment?.(options, turn.env), ...options.env };
    const [file, args] = commandOf(cli.program, options);
    this.#program = locate(cli, { workdir, options, env: this.#env }) ?? { file, args };
  }

  async run(): Promise<AgentResult> {
    const prompt = [this.#turn.system, this.#turn.prompt].filter(Boolean).join('\n\n');
    return await inAttempts(this.#cli.name, this.#turn, prompt, (ask) => this.#attempt(ask));
  }

  async #attempt(ask: Ask): Promise<Attempt> {
    const attempt = await this.#start(ask);
    const why = ask.session === undefined ? undefined : this.#whyAnew(attempt);
    if (why === undefined) return attempt;
    ask.asides.push(`session ${ask.session} ${why}, so a new one was begun`);
    return await this.#start({ ...ask, session: undefined });
  }

  /** Why its session cannot be gone on with; `undefined` where it can, or where another would fare no better. */
  #whyAnew({ ended, ...finding }: Started): string | undefined {
    const { account, aside } = ended;
    if (didAnything(account)) return undefined;
    if (this.#cli.unknownSession.test(`${account.failure?.message ?? ''}\n${aside}`))
      return `is not known to ${this.#cli.name} any more`;
    return brokeDownAtStart(ended, finding) ? `could not be gone on with (${finding.summary})` : undefined;
  }

  async #start(ask: Ask): Promise<Started> {
    const { options, scratch, iteration, idleTimeoutMs } = this.#turn;
    const { by, longest } = this.#cli.prompt;
    const name = `prompt-${iteration}-${this.#starts++}`;
    const { input, file = '' } = await handOver({ prompt: ask.prompt, by, longest, scratch, name });
    const session = ask.session === undefined ? { start: randomUUID() } : { resume: ask.session };
    const call: Call<Options> = { options, session, promptFile: file, scratch };
    const ended = await runAgent({
      turn: this.#turn,
      file: this.#program.file,
      args: [...this.#program.args, ...this.#cli.args(call), ...options.args],
      env: this.#env,
      input,
      read: this.#cli.read,
      maxTurns: options.maxTurns,
      timeoutMs: ask.timeoutMs,
      idleTimeoutMs: options.idleTimeoutMs ?? idleTimeoutMs,
    });
    const { account } = ended;
    await this.#takeReport(call, account);
    const { usage, turns } = account;
    return {
      ended,
      ...findingOf(ended, this.#cli),
      session: account.session,
      usage: usage && (turns > 0 ? { agentTurns: turns, ...usage } : usage),
      didAnything: didAnything(account),
    };
  }

  /** Enters what is known only now: what was used, and the session of an agent that was stopped before it told it. */
  async #takeReport(call: Call<Options>, account: OpenAccount): Promise<void> {
    for (const note of (await this.#cli.report?.(call)) ?? []) enter(account, note);
    if (didAnything(account) && 'resume' in call.session) account.session ??= call.session.resume;
    if (didAnything(account) && 'start' in call.session && this.#cli.namesSessions === true) {
      account.session ??= call.session.start;
    }
  }
}
