import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** No honest report of a suite is larger; reading stays bounded whatever was written. */
const LARGEST_REPORT = 64 * 1024 * 1024;

export type ReportText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'too-large'; readonly bytes: number };

/** Reads a regular file up to `limit` bytes; never blocks on a pipe or a device. */
export async function readReportFile(file: string, limit = LARGEST_REPORT): Promise<ReportText> {
  try {
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const { size } = await handle.stat().then((s) => (s.isFile() ? s : { size: -1 }));
    if (size < 0) return { kind: 'missing' };
    if (size > limit) return { kind: 'too-large', bytes: size };
    return { kind: 'text', text: await handle.readFile('utf8') };
  } catch {
    // Whatever keeps it from being read, there is no report.
    return { kind: 'missing' };
  }
}

/** The JSON lines that carry the nonce of this run. Others were not written by the reporter. */
export function linesOf(text: string, nonce: string): Record<string, unknown>[] {
  return text.split('\n').flatMap((line) => {
    if (line === '') return [];
    try {
      const value: unknown = JSON.parse(line);
      return isRecord(value) && value['n'] === nonce ? [value] : [];
    } catch {
      // Half a line: the process ended while it wrote.
      return [];
    }
  });
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
