import type { StopReason } from '../core/event.ts';
import { excerpt } from '../core/shorten.ts';
import { addUsage, type Usage } from '../core/usage.ts';
import { at, textAt } from './fields.ts';

/** One thing that an event of an agent says. An event may say several, or nothing. */
export type Note =
  /**
   * One more call of the model: where it begins. An agent that tells of a call only when it is over has it there, once a
   * call, in the same event as what the call used.
   */
  | { readonly note: 'turn' }
  /** `id` is the agent's own for this call of a tool. */
  | { readonly note: 'acted'; readonly tool: string; readonly input?: string; readonly id?: string }
  /** A message of the agent's: the whole, or a `piece` of it as it comes. */
  | { readonly note: 'said'; readonly text: string; readonly piece?: boolean }
  | { readonly note: 'session'; readonly id: string }
  /** What one call of the model used: these are added up. */
  | { readonly note: 'used'; readonly usage: Usage }
  /** What the whole turn used: stands in place of the sum. */
  | { readonly note: 'used-in-all'; readonly usage: Usage }
  /** A call of a tool that was not allowed: that of the `id`, else `what`. */
  | { readonly note: 'denied'; readonly id?: string; readonly what?: string }
  | { readonly note: 'waiting'; readonly what: string }
  | ({ readonly note: 'failed' } & Failure)
  /** The agent ended its turn. */
  | { readonly note: 'ended'; readonly as: EndedAs };

/** `cancelled`: it broke its turn off by itself. */
export type EndedAs = Extract<StopReason, 'completed' | 'max-turns' | 'truncated' | 'refused'> | 'cancelled';

export interface Failure {
  readonly message: string;
  /** HTTP status of the model's server. */
  readonly status?: number;
  readonly retryAfterMs?: number;
}

/** What the notes of one process add up to. */
export interface Account {
  session?: string;
  /** Calls of the model. */
  turns: number;
  acts: number;
  /** The last message. */
  said: string;
  usage?: Usage;
  /** Calls of tools that were not allowed, in words. */
  readonly denied: string[];
  failure?: Failure;
  ended?: EndedAs;
}

/** An account that is being kept. */
export interface OpenAccount extends Account {
  /** Further pieces belong to the last message. */
  isOpen: boolean;
  /** `usage` is that of the whole turn. */
  isWhole: boolean;
  /** Calls of tools by the agent's own ids. */
  readonly calls: Map<string, string>;
}

export const newAccount = (): OpenAccount => ({
  turns: 0,
  acts: 0,
  said: '',
  denied: [],
  isOpen: false,
  isWhole: false,
  calls: new Map(),
});

/** Enters a note. What the agent does after a failure or an end shows that it went on. */
export function enter(account: OpenAccount, note: Note): void {
  switch (note.note) {
    case 'turn':
      account.turns++;
      goesOn(account);
      break;
    case 'acted':
      account.acts++;
      if (note.id !== undefined) account.calls.set(note.id, inWords(note.tool, note.input));
      goesOn(account);
      break;
    case 'said':
      account.said = note.piece === true && account.isOpen ? account.said + note.text : note.text;
      account.isOpen = note.piece === true;
      break;
    case 'session':
      account.session = note.id;
      break;
    case 'used':
    case 'used-in-all':
      enterUsage(account, note);
      break;
    case 'denied':
      account.denied.push(account.calls.get(note.id ?? '') ?? note.what ?? 'a tool');
      break;
    case 'failed':
      account.failure ??= note;
      break;
    case 'ended':
      account.ended ??= note.as;
      break;
    case 'waiting':
      break;
  }
}

function goesOn(account: OpenAccount): void {
  account.isOpen = false;
  delete account.failure;
  delete account.ended;
}

function enterUsage(account: OpenAccount, { note, usage }: Extract<Note, { usage: Usage }>): void {
  const isWhole = note === 'used-in-all';
  if (account.isWhole && !isWhole) return;
  account.usage = isWhole ? usage : addUsage(account.usage ?? {}, usage);
  account.isWhole = isWhole;
}

/** True where the model did something at all. */
export function didAnything({ turns, acts, said }: Account): boolean {
  return turns > 0 || acts > 0 || said !== '';
}

const TELLING = ['command', 'cmd', 'path', 'file_path', 'filePath', 'target_file', 'pattern', 'query', 'url'];
const MAX_INPUT = 500;

/** What a tool was called with, in one line: its command or path where it has one. */
export function inputOf(args: unknown): { input?: string } {
  const telling = TELLING.map((key) => textAt(args, key)).find((text) => text !== undefined);
  const text = telling ?? (typeof args === 'string' ? args : JSON.stringify(args)) ?? '';
  if (text === '' || text === '{}') return {};
  return { input: excerpt(text, MAX_INPUT) };
}

function inWords(tool: string, input: string | undefined): string {
  return input === undefined ? tool : `${tool} (${excerpt(input.replace(/\s+/g, ' '), 200)})`;
}

/** A failure as servers send it: `{message, statusCode, responseHeaders}`. */
export function failedNote(data: unknown, message: string): Note {
  const status = at(data, 'statusCode');
  const seconds = Number(textAt(data, 'responseHeaders', 'retry-after') ?? Number.NaN);
  return {
    note: 'failed',
    message,
    ...(typeof status === 'number' && { status }),
    ...(seconds >= 0 && { retryAfterMs: seconds * 1000 }),
  };
}

/** How a turn ended that an agent names `reason`. One that is not known is no good end. */
export function endedNote(reason: string | undefined, ends: Readonly<Record<string, EndedAs>>): Note {
  const as = ends[reason ?? ''];
  if (as !== undefined) return { note: 'ended', as };
  const message = `the agent ended its turn with "${reason ?? 'nothing'}", which is not known`;
  return { note: 'failed', message };
}
