import { relative } from 'node:path';
import type { Turn } from '../core/plugin.ts';
import { excerpt } from '../core/shorten.ts';
import type { PermissionRequest, ToolCall, Update } from './acp-messages.ts';
import { type EndedAs, endedNote, enter, type Note, newAccount } from './agent-notes.ts';
import { textAt } from './fields.ts';
import { isAllowed, type Permission } from './permission.ts';

/** What an agent's request for permission is answered with. */
export interface PermissionAnswer {
  readonly outcome:
    | { readonly outcome: 'cancelled' }
    | { readonly outcome: 'selected'; readonly optionId: string };
}

const MAX_TOLD = 300;
/** Kept of a message; its end is what counts. */
const MAX_SAID = 100_000;

/** The protocol's reasons to end a turn. */
const ENDS: Readonly<Record<string, EndedAs>> = {
  end_turn: 'completed',
  max_tokens: 'truncated',
  max_turn_requests: 'max-turns',
  refusal: 'refused',
  cancelled: 'cancelled',
};

/** Follows one prompt: passes on what the agent does and says, answers what it asks, and keeps account. */
export class AcpTurn {
  readonly #turn: Turn;
  readonly #permission: Permission;
  readonly #calls = new Map<string, Call>();
  readonly #account = newAccount();
  #message: { readonly id: string | undefined; readonly text: string } | undefined;
  /** The last sum of cost that the agent told, in USD. */
  costSum: number | undefined;

  constructor(turn: Turn, permission: Permission) {
    this.#turn = turn;
    this.#permission = permission;
  }

  get account() {
    return this.#account;
  }

  note(note: Note): void {
    enter(this.#account, note);
    if (note.note === 'acted') this.#turn.acted(note.tool, note.input);
  }

  update(update: Update): void {
    const text = update.content?.text ?? '';
    if (update.cost?.currency === 'USD') this.costSum = update.cost.amount;
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        this.#say(text, update.messageId);
        break;
      case 'agent_thought_chunk':
        this.#turn.output(text);
        break;
      case 'tool_call':
      case 'tool_call_update':
        this.#call(update);
        break;
    }
  }

  /** `askedNone`: it tells of no tokens, though it can, so that no model was asked. */
  answered(answer: unknown, askedNone: boolean): void {
    const ended = endedNote(textAt(answer, 'stopReason'), ENDS);
    const { acts, said } = this.#account;
    const isWell = ended.note === 'ended' && ended.as === 'completed';
    this.note(isWell && askedNone && acts === 0 && said !== '' ? { note: 'failed', message: said } : ended);
  }

  permit({ toolCall, options }: PermissionRequest): PermissionAnswer {
    const call = this.#merged(toolCall);
    this.#tell(call);
    const allowed = isAllowed(this.#permission, call.kind);
    if (!allowed) {
      const subject = this.#subjectOf(call);
      this.note({ note: 'denied', what: `${nameOf(call)} (${subject})` });
      this.note({ note: 'acted', tool: `${nameOf(call)} denied`, input: subject });
    }
    // Once: what they may do always, agents keep, some of them in the workspace.
    const kinds = allowed ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
    const option = kinds.map((kind) => options.find((it) => it.kind === kind)).find((it) => it !== undefined);
    return {
      outcome: option ? { outcome: 'selected', optionId: option.optionId } : { outcome: 'cancelled' },
    };
  }

  /** Messages come in pieces; not every agent says where one ends. */
  #say(text: string, id: string | undefined): void {
    if (text === '') return;
    const before = this.#message?.id === id ? this.#message?.text : undefined;
    this.#message = { id, text: ((before ?? '') + text).slice(-MAX_SAID) };
    this.note({ note: 'said', text: this.#message.text });
    this.#turn.output(text);
  }

  #call(update: Update): void {
    this.#message = undefined;
    const call = this.#merged(update);
    // An agent that has only thought of a tool may not know yet what to use it on.
    const hasBegun = call.status !== undefined && call.status !== 'pending';
    if (hasBegun || subjectIn(call) !== undefined) this.#tell(call);
    if (update.status === 'failed')
      this.note({ note: 'acted', tool: `${nameOf(call)} failed`, input: this.#subjectOf(call) });
  }

  /** An update holds only what has changed. */
  #merged(update: ToolCall): Call {
    const id = update.toolCallId ?? '';
    const before = this.#calls.get(id);
    const call: Call = {
      title: update.title ?? before?.title,
      kind: update.kind ?? before?.kind,
      status: update.status ?? before?.status,
      rawInput: isEmpty(update.rawInput) ? before?.rawInput : update.rawInput,
      locations: update.locations.length > 0 ? update.locations : (before?.locations ?? []),
      told: before?.told ?? false,
    };
    this.#calls.set(id, call);
    return call;
  }

  #tell(call: Call): void {
    if (call.told) return;
    call.told = true;
    this.note({ note: 'acted', tool: nameOf(call), input: this.#subjectOf(call) });
  }

  #subjectOf(call: Call): string {
    const subject = subjectIn(call) ?? call.title ?? '';
    const inside = subject.startsWith('/') ? relative(this.#turn.workdir, subject) : '';
    return excerpt(inside === '' || inside.startsWith('..') ? subject : inside, MAX_TOLD);
  }
}

type Call = Omit<ToolCall, 'toolCallId'> & { told: boolean };

function nameOf({ kind, title }: Call): string {
  return kind === undefined || kind === 'other' ? excerpt(title ?? 'tool', MAX_TOLD) : kind;
}

const SUBJECTS = ['command', 'path', 'file_path', 'filePath', 'fileName', 'url', 'pattern', 'query'];

/** What a tool is used on, where the agent tells: a command line, a path, a search. */
function subjectIn({ rawInput, locations, kind }: Call): string | undefined {
  const told = SUBJECTS.map((key) => textAt(rawInput, key)).find((text) => text !== undefined);
  // The place of a command is only the folder that it runs in.
  return told ?? (kind === 'execute' ? undefined : locations[0]?.path);
}

function isEmpty(value: unknown): boolean {
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}
