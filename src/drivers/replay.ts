import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import { LoopgenError, messageOf } from '../core/error.ts';
import type { AgentDriver } from '../core/plugin.ts';
import type { Model } from './model.ts';
import { askOnce, oneShotOptions } from './one-shot.ts';
import { strictOptions } from './options.ts';
import { NO_USAGE } from './turn.ts';

/** One recorded reply. A missing or null `code` is a reply that proposed nothing. */
const recordedAttempt = z.object({
  reasoning: z.string().nullish(),
  code: z.string().nullish(),
});

/** `summary.json` of an earlier run. Results and times in it are ignored: the checks run again. */
const recording = z.object({
  model: z.string().optional(),
  attempts: z.array(recordedAttempt),
});

export type Recording = z.infer<typeof recording>;

/** Reads a recording. Throws `LoopgenError` `bad-recording` that names the file and what is wrong in it. */
export async function readRecording(file: string): Promise<Recording> {
  const parsed = recording.safeParse(parseJson(file, await readText(file)));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue?.path.length ? `${issue.path.join('.')}: ` : '';
  throw badRecording(file, `${where}${issue?.message ?? 'wrong shape'}`);
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw badRecording(file, isMissing(error) ? 'there is no such file' : messageOf(error));
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw badRecording(file, `not JSON: ${messageOf(error)}`);
  }
}

function badRecording(file: string, what: string): LoopgenError {
  return new LoopgenError('bad-recording', `${file} cannot be replayed: ${what}`, {
    hint: 'a recording is the summary.json of an earlier run: {"attempts": [{"reasoning": "…", "code": "…"}]}',
  });
}

/** A model that gives the recorded replies, one an iteration, and has nothing more to say after the last. */
export function replayModel({ model, attempts }: Recording): Model {
  return {
    name: `recording of ${model ?? 'a model'}`,
    generate: async ({ iteration, onText }) => {
      const attempt = attempts[iteration];
      if (!attempt) {
        return { failed: 'exhausted', message: `the recording has no reply beyond its ${attempts.length}` };
      }
      const text = JSON.stringify({ reasoning: attempt.reasoning ?? '', code: attempt.code ?? undefined });
      onText(text);
      return { text, doneReason: 'stop', usage: NO_USAGE };
    },
  };
}

const options = strictOptions({
  /** `summary.json` of an earlier run: absolute, or relative to the workspace. */
  file: z.string().min(1),
  target: oneShotOptions.target.unwrap().default('solution.py'),
});

/** Plays the replies of an earlier run in place of a model. */
export const replayDriver: AgentDriver<z.infer<typeof options>> = {
  name: 'replay',
  description: 'replies of an earlier run (its summary.json) in place of a model',
  kind: 'one-shot',
  options,
  async preflight({ workdir, options: { file } }) {
    try {
      await readRecording(resolve(workdir, file));
      return [];
    } catch (error) {
      const hint = error instanceof LoopgenError && error.hint !== undefined ? ` (${error.hint})` : '';
      return [messageOf(error) + hint];
    }
  },
  async run(turn) {
    const { file, target } = turn.options;
    const model = replayModel(await readRecording(resolve(turn.workdir, file)));
    return await askOnce(turn, { model, target, context: [] });
  },
};
