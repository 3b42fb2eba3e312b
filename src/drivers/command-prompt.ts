import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from '../system/exec.ts';

/** How an agent CLI is given its prompt. */
export type PromptBy = 'stdin' | 'file' | 'argument';

/** What to start, and what goes in beside it; or why it cannot be given. */
export type Invocation =
  | { readonly command: Command; readonly input?: string; readonly env: Readonly<Record<string, string>> }
  | { readonly refused: string };

export interface Asked {
  /** A shell line, or a program with its arguments. */
  readonly command: string | readonly string[];
  readonly by: PromptBy;
  readonly prompt: string;
  /** Folder for the prompt file. */
  readonly scratch: string;
  readonly iteration: number;
}

// Linux takes at most 128 KiB in one argument, the whole shell line included.
const MAX_ARGUMENT_BYTES = 100_000;

/** Puts the prompt where the agent will look for it. */
export async function invocationOf(asked: Asked): Promise<Invocation> {
  switch (asked.by) {
    case 'stdin':
      return { command: commandOf(asked.command), input: asked.prompt, env: {} };
    case 'file': {
      const file = join(asked.scratch, `prompt-${asked.iteration}.md`);
      await writeFile(file, asked.prompt, { mode: 0o600 });
      const command = fill(asked.command, '{prompt_file}', file);
      return { command: commandOf(command), env: { LOOPGEN_PROMPT_FILE: file } };
    }
    case 'argument':
      return asArgument(asked);
  }
}

function asArgument({ command, prompt }: Asked): Invocation {
  // An argument ends at a NUL, so it is shown instead.
  const text = prompt.replaceAll('\0', '\\0');
  const filled = fill(withPlaceholder(command), '{prompt}', text);
  const longest = Math.max(...[filled].flat().map((part) => Buffer.byteLength(part)));
  if (longest <= MAX_ARGUMENT_BYTES) return { command: commandOf(filled), env: {} };
  const kb = (bytes: number) => `${Math.ceil(bytes / 1000)} kB`;
  return {
    refused: `the prompt makes an argument of ${kb(longest)}, more than a command line holds (${kb(MAX_ARGUMENT_BYTES)}): set driver.options.prompt to file or stdin`,
  };
}

function withPlaceholder(command: string | readonly string[]): string | readonly string[] {
  if (typeof command === 'string') return command.includes('{prompt}') ? command : `${command} {prompt}`;
  return command.some((part) => part.includes('{prompt}')) ? command : [...command, '{prompt}'];
}

/** The command with a value in place of every `name`: quoted where a shell reads it. */
export function fill<C extends string | readonly string[]>(command: C, name: string, value: string): C;
export function fill(command: string | readonly string[], name: string, value: string) {
  // Replaced by a function: `$&` and the like in a prompt are no patterns.
  if (typeof command === 'string') return command.replaceAll(name, () => quote(value));
  return command.map((part) => part.replaceAll(name, () => value));
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function commandOf(command: string | readonly string[]): Command {
  if (typeof command === 'string') return { shell: command };
  const [file = '', ...args] = command;
  return { file, args };
}
