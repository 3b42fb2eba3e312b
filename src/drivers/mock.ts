import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../core/error.ts';
import type { AgentResult, StopReason } from '../core/event.ts';
import { count } from '../core/outcome.ts';
import type { AgentDriver, Turn } from '../core/plugin.ts';
import { exec } from '../system/exec.ts';
import { type Resolved, resolveInside } from '../system/files.ts';
import { describeEnding, tailOf } from './ending.ts';
import { strictOptions } from './options.ts';
import { abortedResult, NO_USAGE, ownTurnOf } from './turn.ts';

const STOP_REASONS = [
  'completed',
  'max-turns',
  'gave-up',
  'rate-limited',
  'truncated',
  'refused',
  'stalled',
  'timed-out',
  'aborted',
  'error',
] as const satisfies readonly StopReason[];

const usage = strictOptions({
  inputTokens: z.int().nonnegative().exactOptional(),
  outputTokens: z.int().nonnegative().exactOptional(),
  costUsd: z.number().nonnegative().exactOptional(),
  agentTurns: z.int().nonnegative().exactOptional(),
});

const step = strictOptions({
  /** Path → whole content. */
  files: z.record(z.string(), z.string()).default({}),
  deleteFiles: z.array(z.string()).default([]),
  /** A shell command, run in the workspace after the edits. */
  run: z.string().min(1).optional(),
  summary: z.string().optional(),
  /** What the turn says that it used. Default: nothing. `unknown`: it does not say. */
  usage: z.union([usage, z.literal('unknown')]).optional(),
  stopReason: z.enum(STOP_REASONS).default('completed'),
});

const options = strictOptions({
  /** One a turn. Beyond the last, it does nothing. */
  steps: z.array(step).default([]),
});

type Step = z.infer<typeof step>;

/**
 * A scripted agent with tools: works offline and writes straight into the
 * workspace, as real agents do, so that what the engine does about it is real too.
 */
export const mockDriver: AgentDriver<z.infer<typeof options>> = {
  name: 'mock',
  description: 'scripted edits, offline',
  kind: 'agent',
  options,
  async run(turn) {
    if (turn.signal.aborted) return abortedResult(turn.signal);
    const { steps } = turn.options;
    const current = steps[ownTurnOf(turn)];
    if (current) return await play(turn, current);
    const summary = `did nothing: the script has ${count(steps.length, 'step')}`;
    return { stopReason: 'completed', summary, usage: NO_USAGE };
  },
};

async function play(turn: Turn, step: Step): Promise<AgentResult> {
  const refused: string[] = [];
  for (const [path, content] of Object.entries(step.files)) {
    const place = await resolveInside(turn.workdir, path);
    const because = await edit(turn, 'write', path, place, (file) => writeWhole(file, content));
    if (because !== undefined) refused.push(`${path} was not written: ${because}`);
  }
  for (const path of step.deleteFiles) {
    const place = await entryInside(turn.workdir, path);
    const because = await edit(turn, 'delete', path, place, (file) => rm(file, { force: true }));
    if (because !== undefined) refused.push(`${path} was not deleted: ${because}`);
  }
  const ran = step.run === undefined ? undefined : await runCommand(turn, step.run);
  if (turn.signal.aborted) return abortedResult(turn.signal);
  const told = [step.summary ?? describeStep(step), ran, ...refused].filter((text) => text !== undefined);
  return {
    stopReason: step.stopReason,
    summary: told.join('; '),
    ...(step.usage !== 'unknown' && { usage: step.usage ?? NO_USAGE }),
    ...(refused.length > 0 && { problem: refused.join('\n') }),
  };
}

/** Why an edit was not made; `undefined` where it was. */
async function edit(
  turn: Turn,
  tool: string,
  path: string,
  place: Resolved,
  apply: (file: string) => Promise<void>,
): Promise<string | undefined> {
  if (!place.ok) return place.because;
  turn.acted(tool, path);
  try {
    await apply(place.path);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** The entry itself, so that a link is deleted and not what it points to. */
async function entryInside(root: string, path: string): Promise<Resolved> {
  const name = basename(path);
  if (name === '' || name === '.' || name === '..') return { ok: false, because: 'not the name of a file' };
  const folder = await resolveInside(root, dirname(path));
  return folder.ok ? { ok: true, path: join(folder.path, name) } : folder;
}

async function writeWhole(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

/** What is to be told of the command: nothing where it went well. */
async function runCommand(turn: Turn, command: string): Promise<string | undefined> {
  turn.acted('run', command);
  const result = await exec(
    { shell: command },
    { cwd: turn.workdir, env: turn.env, signal: turn.signal, graceMs: 2000, onOutput: turn.output },
  );
  if (result.ended === 'exited' && result.code === 0) return undefined;
  return [`"${command}" ${describeEnding(result)}`, tailOf(result.output.text)].filter(Boolean).join(': ');
}

function describeStep(step: Step): string {
  const parts = [
    ...Object.keys(step.files).map((path) => `write ${path}`),
    ...step.deleteFiles.map((path) => `delete ${path}`),
    ...(step.run === undefined ? [] : [`run ${step.run}`]),
  ];
  return parts.length > 0 ? parts.join(', ') : 'an empty step';
}
