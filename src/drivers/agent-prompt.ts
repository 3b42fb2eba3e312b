import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A prompt as an agent is given it: as stdin, or in a file that an argument names. */
export interface HandedOver {
  readonly input?: string;
  readonly file?: string;
}

export interface HandOver {
  readonly prompt: string;
  /** A prompt is never an argument: one argument holds 128 KiB. */
  readonly by: 'stdin' | 'file';
  /** Bytes; of a longer prompt the agent is told where it lies. Absent: any length goes in. */
  readonly longest?: number | undefined;
  /** Folder for the file. */
  readonly scratch: string;
  /** Names the file. */
  readonly name: string;
}

export async function handOver({ prompt, by, longest, scratch, name }: HandOver): Promise<HandedOver> {
  const bytes = Buffer.byteLength(prompt);
  const text =
    longest === undefined || bytes <= longest
      ? prompt
      : toldWhere(prompt, bytes, await written(scratch, `${name}-whole.md`, prompt));
  return by === 'stdin' ? { input: text } : { file: await written(scratch, `${name}.md`, text) };
}

async function written(folder: string, name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text, { mode: 0o600 });
  return file;
}

const HEAD_CHARS = 20_000;

/** What the agent reads first says what to do; the rest is long reports of what fails. */
function toldWhere(prompt: string, bytes: number, file: string): string {
  return (
    `Your task is in the file ${file} (${Math.ceil(bytes / 1000)} kB, too long for one message). ` +
    `Read it piece by piece, to its end, before you begin, and then do what it says. It begins like this:\n\n` +
    prompt.slice(0, HEAD_CHARS)
  );
}
