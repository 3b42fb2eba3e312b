import { accessSync, constants, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { LoopgenError, messageOf } from '../core/error.ts';
import type { Observer } from '../core/plugin.ts';
import type { Report } from '../core/report.ts';
import { jsonlObserver } from '../observers/jsonl.ts';
import { transcriptObserver } from '../observers/transcript.ts';
import { writeAtomically } from '../system/files.ts';
import type { Context, Flags } from './context.ts';
import { isLive, styleFor } from './style.ts';

/** The observers that the flags of every run ask for: the transcript and the trace. */
export function observersFor(context: Context, flags: Flags): readonly Observer[] {
  const { stderr, env, cwd } = context;
  const observers: Observer[] = [];
  if (flags['logLevel'] !== 'quiet') {
    observers.push(
      transcriptObserver({
        screen: stderr,
        style: styleFor(stderr, env),
        live: isLive(stderr, env),
        verbose: flags['verbose'] === true || flags['logLevel'] === 'debug',
      }),
    );
  }
  const trace = flags['trace'];
  if (typeof trace === 'string') observers.push(jsonlObserver(resolve(cwd, trace)));
  return observers;
}

/** Sets the end of a run off from its transcript, wherever the two go. */
export function endTranscript({ stderr }: Context, flags: Flags): void {
  if (flags['logLevel'] !== 'quiet') stderr.write('\n');
}

/** Says on standard error what belongs to no run. */
export function noticesTo(context: Context): (message: string) => void {
  return (message) => context.stderr.write(`loopgen: ${message}\n`);
}

/** Files of the flags, absolute: they never count as the agent's work. */
export function ownFilesOf(context: Context, flags: Flags): readonly string[] {
  return ['report', 'trace', 'patch']
    .map((flag) => flags[flag])
    .filter((file) => typeof file === 'string')
    .map((file) => resolve(context.cwd, file));
}

/** A file that will be written at the end can be written: told before anything is spent. Makes its folder. */
export function requireWritable(context: Context, flags: Flags): void {
  for (const file of ownFilesOf(context, flags)) {
    try {
      mkdirSync(dirname(file), { recursive: true });
      const there = statSync(file, { throwIfNoEntry: false });
      if (there?.isDirectory()) throw new Error('it is a folder; name a file in it');
      accessSync(there ? file : dirname(file), constants.W_OK);
    } catch (error) {
      throw new LoopgenError('bad-path', `${file} cannot be written: ${messageOf(error)}`);
    }
  }
}

/** `--report FILE` and `--json`; what is left is the text for a person. */
export async function deliver(
  context: Context,
  flags: Flags,
  report: Report,
  text: () => string,
): Promise<void> {
  const json = `${JSON.stringify(report, null, 2)}\n`;
  const file = flags['report'];
  if (typeof file === 'string') await writeReport(resolve(context.cwd, file), json);
  context.stdout.write(flags['json'] === true ? json : `${text()}\n`);
}

/** A device or a pipe (`/dev/stdout`) is written to; only a file is replaced as a whole. */
async function writeReport(file: string, text: string): Promise<void> {
  const there = statSync(file, { throwIfNoEntry: false });
  if (there && !there.isFile()) writeFileSync(file, text);
  else await writeAtomically(file, text);
}
