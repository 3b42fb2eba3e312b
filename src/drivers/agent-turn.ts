import { randomUUID } from 'node:crypto';
import type { AgentResult } from '../core/event.ts';
import type { Environment, Turn } from '../core/plugin.ts';
import { addUsage, type Usage } from '../core/usage.ts';
import type { AgentCli, Call } from './agent-cli.ts';
import { didAnything, enter, type OpenAccount } from './agent-notes.ts';
import type { CliOptions } from './agent-options.ts';
import { runAgent } from './agent-process.ts';
import { commandOf, locate, type Program } from './agent-program.ts';
import { handOver } from './agent-prompt.ts';
import { type Ended, type Finding, findingOf } from './agent-result.ts';
import { patiently, realClock } from './rate-limit.ts';
import { abortReason } from './turn.ts';

/** One process, and what came of it. */
interface Attempt extends Finding {
  readonly ended: Ended;
}

const GO_ON = 'You were stopped by a usage limit. Go on where you were.';

/** One turn of an agent CLI: as many processes as usage limits and a lost session make necessary. */
export class CliTurn<Options extends CliOptions> {
  readonly #cli: AgentCli<Options>;
  readonly #turn: Turn<Options>;
  readonly #env: Environment;
  readonly #program: Program;
  /** What the reader must know beside what the agent says. */
  readonly #asides: string[] = [];
  #prompt: string;
  /** The session to go on with. */
  #resume: string | undefined;
  #usage: Usage | undefined;
  #starts = 0;
  #ranMs = 0;

  constructor(cli: AgentCli<Options>, turn: Turn<Options>) {
    const { options, workdir } = turn;
    this.#cli = cli;
    this.#turn = turn;
    this.#env = { ...turn.env, ...cli.environment?.(options, turn.env), ...options.env };
    const [file, args] = commandOf(cli.program, options);
    this.#program = locate(cli, { workdir, options, env: this.#env }) ?? { file, args };
    this.#prompt = [turn.system, turn.prompt].filter(Boolean).join('\n\n');
    this.#resume = turn.sessionId;
  }

  async run(): Promise<AgentResult> {
    const { signal, waiting, options } = this.#turn;
    const { answer, gaveUp } = await patiently(
      { name: this.#cli.name, maxWaitMs: options.maxWaitMs, clock: realClock, signal, waiting },
      () => this.#attempt(),
      ({ limit }) => limit,
    );
    const outOfPatience = typeof gaveUp === 'object' ? [gaveUp.because] : [];
    const stopReason = gaveUp === 'aborted' ? abortReason(signal) : answer.stopReason;
    const { session } = answer.ended.account;
    return {
      stopReason,
      summary: [...this.#asides, answer.summary, ...outOfPatience].join('; '),
      ...(this.#usage && { usage: this.#usage }),
      ...(session !== undefined && { sessionId: session }),
      ...(answer.problem !== undefined && { problem: answer.problem }),
    };
  }

  async #attempt(): Promise<Attempt> {
    let attempt = await this.#start();
    if (this.#resume !== undefined && this.#isLost(attempt)) {
      this.#asides.push(
        `session ${this.#resume} is not known to ${this.#cli.name} any more, so a new one was begun`,
      );
      this.#resume = undefined;
      attempt = await this.#start();
    }
    const { session } = attempt.ended.account;
    if (attempt.limit && session !== undefined) {
      // What was begun is gone on with after the wait.
      this.#resume = session;
      this.#prompt = GO_ON;
    }
    return attempt;
  }

  #isLost({ ended: { account, aside } }: Attempt): boolean {
    if (didAnything(account)) return false;
    return this.#cli.unknownSession.test(`${account.failure?.message ?? ''}\n${aside}`);
  }

  async #start(): Promise<Attempt> {
    const { options, scratch, iteration, idleTimeoutMs } = this.#turn;
    const { by, longest } = this.#cli.prompt;
    const name = `prompt-${iteration}-${this.#starts++}`;
    const { input, file = '' } = await handOver({ prompt: this.#prompt, by, longest, scratch, name });
    const session = this.#resume === undefined ? { start: randomUUID() } : { resume: this.#resume };
    const call: Call<Options> = { options, session, promptFile: file, scratch };
    const ended = await runAgent({
      turn: this.#turn,
      file: this.#program.file,
      args: [...this.#program.args, ...this.#cli.args(call), ...options.args],
      env: this.#env,
      input,
      read: this.#cli.read,
      maxTurns: options.maxTurns,
      timeoutMs: options.timeoutMs && Math.max(1, options.timeoutMs - this.#ranMs),
      idleTimeoutMs: options.idleTimeoutMs ?? idleTimeoutMs,
    });
    this.#ranMs += ended.ending.durationMs;
    await this.#takeReport(call, ended.account);
    return { ended, ...findingOf(ended, this.#cli) };
  }

  /** Enters what is known only now: what was used, and the session of an agent that was stopped before it told it. */
  async #takeReport(call: Call<Options>, account: OpenAccount): Promise<void> {
    for (const note of (await this.#cli.report?.(call)) ?? []) enter(account, note);
    if (didAnything(account) && 'resume' in call.session) account.session ??= call.session.resume;
    if (didAnything(account) && 'start' in call.session && this.#cli.namesSessions === true) {
      account.session ??= call.session.start;
    }
    const { usage, turns } = account;
    if (usage) this.#usage = addUsage(this.#usage ?? {}, turns > 0 ? { agentTurns: turns, ...usage } : usage);
  }
}
