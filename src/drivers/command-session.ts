import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { fill } from './command-prompt.ts';
import { strictOptions } from './options.ts';

/** A shell line, or a program with its arguments (no shell). */
export const commandLine = z.union([z.string().trim().min(1), z.array(z.string()).min(1)], {
  error: 'must be a shell line, or a list of a program and its arguments',
});

type CommandLine = z.infer<typeof commandLine>;

const PLACEHOLDER = '{session_id}';

const takesId = (command: CommandLine) => [command].flat().some((part) => part.includes(PLACEHOLDER));

const pattern = z.string().superRefine((text, context) => {
  try {
    new RegExp(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'is no regular expression' });
  }
});

/** How an agent's session goes on in the next turn. */
export const session = strictOptions({
  /** The command of a turn that goes on; `{session_id}` stands for the id. */
  resume: commandLine.refine(takesId, { error: `must hold ${PLACEHOLDER}` }),
  /** Finds the id in what the agent prints: its first group. Needed unless `command` holds `{session_id}` and so is given one. */
  pattern: pattern.refine(hasGroup, { error: 'needs a group ( ) around the id' }).optional(),
  /** What the agent prints where it does not know the session: the turn then begins a new one, once. */
  unknown: pattern.optional(),
});

export type Session = z.infer<typeof session>;

function hasGroup(text: string): boolean {
  try {
    return (new RegExp(`${text}|`).exec('')?.length ?? 0) > 1;
  } catch {
    return true;
  }
}

/** True where nothing would tell the id of a new session. */
export function isNameless(command: CommandLine, { pattern }: Session): boolean {
  return pattern === undefined && !takesId(command);
}

/** A command with its session, if it has one already. */
export interface Sessioned {
  readonly command: CommandLine;
  readonly id?: string;
}

export function newSession(command: CommandLine): Sessioned {
  return takesId(command) ? filled(command, randomUUID()) : { command };
}

export function resumed({ resume }: Session, id: string): Sessioned {
  return filled(resume, id);
}

function filled(command: CommandLine, id: string): Sessioned {
  return { command: fill(command, PLACEHOLDER, id), id };
}

/** The id that an agent printed; what could be taken for an option of a program is none. */
export function idIn({ pattern }: Session, printed: string): string | undefined {
  const id = pattern === undefined ? undefined : new RegExp(pattern, 'm').exec(printed)?.[1]?.trim();
  return id !== undefined && /^[\w.:@/+=][\w.:@/+=-]*$/.test(id) ? id : undefined;
}

export function isUnknown({ unknown }: Session, printed: string): boolean {
  return unknown !== undefined && new RegExp(unknown, 'm').test(printed);
}
