import { messageOf } from '../core/error.ts';
import type { AgentResult } from '../core/event.ts';
import type { OpenedDriver, Turn } from '../core/plugin.ts';
import { monotonicMs } from '../system/clock.ts';
import { ConnectedChild } from '../system/connected-child.ts';
import { firstCause, within } from '../system/deadline.ts';
import type { Ending } from '../system/exec.ts';
import { type Ask, type Attempt, inAttempts } from './agent-attempts.ts';
import { didAnything, enter, newAccount, type OpenAccount } from './agent-notes.ts';
import { findingOf } from './agent-result.ts';
import { costSumOf, deltaOf, readMessage } from './claude-messages.ts';
import type { ClaudeOptions } from './claude-options.ts';
import { type ClaudeSdk, findClaudeSdk, INSTALL_SDK, loadClaudeSdk } from './claude-sdk.ts';
import { Counter } from './counter.ts';
import { reasonIn } from './ending.ts';
import { textAt } from './fields.ts';

/** Between asking Claude Code to end and killing it. */
const STOP_GRACE_MS = 1500;
/** For it to end by itself after its turn, and to write its session. */
const END_MS = 3000;
const KEPT_BYTES = 16_384;
const UNKNOWN_SESSION = /no conversation found/i;
const TURN_OVER: Ending = { ended: 'exited', code: 0 };
const ADVICE = {
  install: INSTALL_SDK,
  allow: 'driver.options.permissionMode and allowedTools say what is allowed',
};

/** What the SDK asks to be started. */
interface Wanted {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** One query of the SDK, as it goes. */
interface Query {
  readonly account: OpenAccount;
  readonly stop: AbortController;
  readonly activity: () => void;
  child?: ConnectedChild;
  /** The last message of all. */
  result?: unknown;
}

/** Claude Code over the turns of a run: a process for each; what lasts are the SDK and the sums of cost by session. */
export class ClaudeRun implements OpenedDriver<ClaudeOptions> {
  /** Loaded once: what an agent does to its files later is of no account. */
  #sdk: Promise<ClaudeSdk> | undefined;
  readonly #costs = new Map<string, Counter>();

  /** Rejects where there is none, or it cannot be loaded. */
  load(workdir: string): Promise<ClaudeSdk> {
    const found = this.#sdk ? undefined : findClaudeSdk(workdir);
    this.#sdk ??= found ? loadClaudeSdk(found) : Promise.reject(new Error(`it is not there: ${INSTALL_SDK}`));
    return this.#sdk;
  }

  async run(turn: Turn<ClaudeOptions>): Promise<AgentResult> {
    return await inAttempts('Claude Code', turn, turn.prompt, (ask) => this.#attempt(turn, ask));
  }

  async close(): Promise<void> {
    // Nothing lives on between turns.
  }

  async #attempt(turn: Turn<ClaudeOptions>, ask: Ask): Promise<Attempt> {
    const attempt = await this.#query(turn, ask);
    if (ask.session === undefined || attempt.didAnything || !UNKNOWN_SESSION.test(attempt.summary))
      return attempt;
    ask.asides.push(`session ${ask.session} is not known to Claude Code any more, so a new one was begun`);
    return await this.#query(turn, { ...ask, session: undefined });
  }

  /** One process, bounded by the clocks of the turn. */
  async #query(turn: Turn<ClaudeOptions>, ask: Ask): Promise<Attempt> {
    const { options, signal } = turn;
    const idleTimeoutMs = options.idleTimeoutMs ?? turn.idleTimeoutMs;
    const limits = firstCause({
      signal,
      ...(ask.timeoutMs !== undefined && { timeoutMs: ask.timeoutMs }),
      ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
    });
    const began = monotonicMs();
    const query: Query = { account: newAccount(), stop: new AbortController(), activity: limits.activity };
    const talk = this.#talk(turn, ask, query);
    const first = await Promise.race([talk, limits.cause]);
    limits.release();
    const ending = first === undefined ? TURN_OVER : { ended: first };
    if (first !== undefined) query.stop.abort();
    else if (query.child) await within(END_MS, query.child.ended);
    query.child?.kill();
    const process = await query.child?.ended;
    await within(END_MS, talk);
    this.#enterCost(query, ask.session);
    const { account } = query;
    const aside = reasonIn(process?.stderr.text ?? '');
    if (account.failure && !query.result && aside !== '')
      account.failure = { ...account.failure, message: `${account.failure.message}; last it said: ${aside}` };
    const finding = findingOf(
      {
        account,
        // Without a result, it is the process that has a story to tell.
        ending: {
          ...(first === undefined && !query.result && process ? process : ending),
          durationMs: monotonicMs() - began,
        },
        aside,
        signal,
      },
      ADVICE,
    );
    const isSpent = textAt(query.result, 'subtype') === 'error_max_budget_usd';
    return {
      ...finding,
      ...(isSpent && { stopReason: 'max-turns' }),
      session: account.session,
      usage: account.usage,
      didAnything: didAnything(account),
    };
  }

  /** Never rejects: what goes wrong is in the account. */
  async #talk(turn: Turn<ClaudeOptions>, ask: Ask, query: Query): Promise<undefined> {
    try {
      const sdk = await this.load(turn.workdir);
      for await (const message of sdk.query({
        prompt: ask.prompt,
        options: queryOptions(turn, ask, query),
      })) {
        query.activity();
        hear(turn, query, message);
      }
    } catch (error) {
      // After an error result the SDK throws besides, as it does when it is stopped.
      if (query.result === undefined && !query.stop.signal.aborted)
        enter(query.account, { note: 'failed', message: messageOf(error) });
    }
  }

  #enterCost({ account, result }: Query, resumed: string | undefined): void {
    const { session } = account;
    if (session === undefined) return;
    const counter = this.#costs.get(session) ?? new Counter(resumed === session ? undefined : 0);
    this.#costs.set(session, counter);
    const sum = costSumOf(result);
    const costUsd = sum === undefined ? undefined : counter.added(sum);
    if (costUsd !== undefined) account.usage = { ...account.usage, costUsd };
  }
}

function hear(turn: Turn, query: Query, message: unknown): void {
  const { account } = query;
  const session = textAt(message, 'session_id');
  if (session !== undefined) enter(account, { note: 'session', id: session });
  if (textAt(message, 'type') === 'result') query.result = message;
  const piece = deltaOf(message);
  if (piece !== undefined) turn.output(piece);
  for (const note of readMessage(message)) {
    enter(account, note);
    if (note.note === 'acted') turn.acted(note.tool, note.input);
    if (note.note === 'waiting') turn.waiting(note.what);
  }
}

function queryOptions(turn: Turn<ClaudeOptions>, ask: Ask, query: Query): Record<string, unknown> {
  const { env, executable, timeoutMs: _t, idleTimeoutMs: _i, maxWaitMs: _w, ...options } = turn.options;
  return {
    ...options,
    cwd: turn.workdir,
    // Replaces the environment of this process, which is not passed on.
    env: { ...turn.env, ...env },
    allowDangerouslySkipPermissions: options.permissionMode === 'bypassPermissions',
    systemPrompt: {
      type: 'preset',
      preset: 'claude_code',
      ...(turn.system !== '' && { append: turn.system }),
    },
    includePartialMessages: true,
    abortController: query.stop,
    ...(ask.session !== undefined && { resume: ask.session }),
    ...(executable !== undefined && { pathToClaudeCodeExecutable: executable }),
    spawnClaudeCodeProcess: ({ command, args, cwd = turn.workdir, env: variables }: Wanted) => {
      const set = Object.entries(variables).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      );
      query.child = new ConnectedChild(
        { file: command, args },
        {
          cwd,
          env: Object.fromEntries(set),
          graceMs: STOP_GRACE_MS,
          keepBytes: KEPT_BYTES,
          onOutput: query.activity,
        },
      );
      return query.child;
    },
  };
}
