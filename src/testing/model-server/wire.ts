import type { Asked, AskedTurn, Tool, WireName } from './asked.ts';
import type { Fields } from './fields.ts';
import type { ModelStep, ModelUsage } from './script.ts';

/** A tool with the arguments that it is called with. */
export interface ToolCall {
  readonly tool: Tool;
  readonly args: Fields;
  /** Free text, for tools of the kind `custom`. */
  readonly input?: string;
}

/** An answer of the model, whatever its protocol. */
export interface Reply {
  readonly model: string;
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly usage: ModelUsage;
  readonly stop: NonNullable<ModelStep['stop']>;
}

/** One protocol. */
export interface Wire {
  readonly name: WireName;
  /** Whether a path is that of its route. */
  readonly isMine: (path: string) => boolean;
  readonly read: (body: Fields, path: string) => Omit<Asked, 'wire' | 'answers'>;
  /** The answer in one piece. */
  readonly whole: (reply: Reply) => unknown;
  /** The answer as a stream, as the text that goes over the wire. */
  readonly frames: (reply: Reply) => readonly string[];
  readonly error: (status: number, message: string) => unknown;
}

/** One server-sent event. */
export function sse(data: unknown, event?: string): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`;
}

const PIECES = 8;

/** A text in a few pieces, as models stream it. */
export function piecesOf(text: string): readonly string[] {
  const size = Math.max(4, Math.ceil(text.length / PIECES));
  const pieces: string[] = [];
  for (let from = 0; from < text.length; from += size) pieces.push(text.slice(from, from + size));
  return pieces;
}

export function newId(prefix: string): string {
  return prefix + crypto.randomUUID().replaceAll('-', '').slice(0, 24);
}

export function secondsNow(): number {
  return Math.floor(Date.now() / 1000);
}

/** Answers that stand side by side are one: some protocols take a text and its calls apart. */
export function countAnswers(turns: readonly AskedTurn[]): number {
  return turns.filter(({ role }, i) => role === 'assistant' && turns[i - 1]?.role !== 'assistant').length;
}
