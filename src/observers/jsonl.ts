import { access, constants, type FileHandle, open, stat } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../core/error.ts';
import type { Observer, ObserverFactory } from '../core/plugin.ts';
import { createTracer } from './trace.ts';

const options = z.strictObject({
  file: z
    .string()
    .min(1)
    .default('loopgen-trace.jsonl')
    .describe("where the trace is written, relative to the spec's folder; an older one is replaced"),
});

/** `uses: jsonl`: the trace of the run, one JSON object a line. */
export const jsonl: ObserverFactory<z.output<typeof options>> = {
  type: 'jsonl',
  description: 'writes the run as JSON lines: run.start, agent.event, iteration.end, signal, run.end',
  options,
  create: ({ file }, { specDir }) => jsonlObserver(resolve(specDir, file)),
};

/**
 * Appends each record to `file` (absolute) as it happens. A run that begins
 * replaces what an earlier run left there; one that goes on is added to it.
 */
export function jsonlObserver(file: string): Observer {
  const trace = createTracer();
  let opened: Promise<FileHandle> | undefined;
  return {
    name: 'jsonl',
    files: [file],
    preflight: () => preflight(file),
    async onEvent(event) {
      opened ??= open(file, event.type === 'run.started' ? 'w' : 'a');
      const handle = await opened;
      const text = trace(event).map(lineOf).join('');
      if (text !== '') await handle.appendFile(text);
    },
    async close() {
      const handle = await opened?.catch(() => undefined);
      await handle?.close();
    },
  };
}

/** JSON escapes NUL and lone surrogates by itself; some readers also break lines at the ones escaped here. */
function lineOf(value: unknown): string {
  const json = JSON.stringify(value);
  return `${json.replace(/[\u0085\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}

async function preflight(file: string): Promise<string[]> {
  const folder = dirname(file);
  try {
    await access(`${folder}${sep}.`, constants.W_OK | constants.X_OK);
  } catch (error) {
    return [
      `the trace cannot be written to ${folder}: ${reasonOf(error)}; make the folder or name another file`,
    ];
  }
  const there = await stat(file).catch(() => undefined);
  if (there?.isDirectory())
    return [`the trace cannot be written to ${file}: it is a folder; name a file in it`];
  if (!there) return [];
  try {
    await access(file, constants.W_OK);
    return [];
  } catch (error) {
    return [
      `the trace cannot be written to ${file}: ${reasonOf(error)}; make it writable or name another file`,
    ];
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  EACCES: 'no permission',
  EROFS: 'the disk is read-only',
  ENOTDIR: 'a part of the path is no folder',
};

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? messageOf(error);
}
