import type { Fields } from './fields.ts';

export type WireName =
  | 'openai-chat'
  | 'openai-responses'
  | 'anthropic'
  | 'gemini'
  | 'ollama-chat'
  | 'ollama-generate';

/** A tool that the agent offers to the model. */
export interface Tool {
  readonly name: string;
  readonly namespace?: string;
  /** JSON schema of its arguments. */
  readonly schema: Fields;
  /** `function`, or what else the protocol has. */
  readonly kind: string;
}

export interface AskedTurn {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
}

/** A request to the model, whatever its protocol. */
export interface Asked {
  readonly wire: WireName;
  readonly model: string;
  readonly stream: boolean;
  readonly tools: readonly Tool[];
  readonly turns: readonly AskedTurn[];
  /** How many answers of the model it already holds. */
  readonly answers: number;
}
