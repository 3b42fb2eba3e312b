import { z } from 'zod';
import type { AgentResult, StopReason } from '../core/event.ts';
import type { Turn } from '../core/plugin.ts';
import { readContext } from './context.ts';
import type { Answer, Generated, Model, ModelFailure, ModelFailureKind } from './model.ts';
import { oneShotPrompt } from './one-shot-prompt.ts';
import { workspacePath } from './options.ts';
import { parseReply, type ReplyShape, schemaOf } from './reply.ts';
import { abortedResult, applyProposal, describeApplied, ownTurnOf } from './turn.ts';

/** Options that every driver has which asks a model once a turn. */
export const oneShotOptions = {
  /** The one file that the model writes. Absent: it names its files itself. */
  target: workspacePath.optional(),
  /** Paths and globs of files that the prompt shows, relative to the workspace. */
  context: z.array(workspacePath).default([]),
};

export interface OneShot {
  readonly model: Model;
  readonly target?: string | undefined;
  readonly context: readonly string[];
  /** The model's window, and the option that widens it. Absent: no limit. */
  readonly window?: { readonly tokens: number; readonly option: string };
}

// Code and tracebacks have about three characters a token; a quarter of the window is for the answer.
const CHARS_PER_TOKEN = 3;
const SHARE_OF_PROMPT = 0.75;

/** One turn of a one-shot proposer: ask, read the reply strictly, write through the guard. */
export async function askOnce(turn: Turn, ask: OneShot): Promise<AgentResult> {
  if (turn.signal.aborted) return abortedResult(turn.signal);
  const shape: ReplyShape =
    ask.target === undefined ? { type: 'files' } : { type: 'code', target: ask.target };
  const prompt = oneShotPrompt({
    task: turn.prompt,
    files: await readContext(turn.workdir, [
      ...ask.context,
      ...(ask.target === undefined ? [] : [ask.target]),
    ]),
    feedback: turn.feedback,
    shape,
    maxChars: ask.window && ask.window.tokens * SHARE_OF_PROMPT * CHARS_PER_TOKEN - turn.system.length,
    fence: crypto.randomUUID().slice(0, 8),
  });
  const generated = await generate(turn, ask.model, prompt.text, shape);
  // A reply that arrives after the abort must not be written any more.
  if (turn.signal.aborted) return withUsage(abortedResult(turn.signal), generated);
  const result = await resultOf(turn, ask, shape, generated);
  const note = prompt.leftOut > 0 ? cutNote(prompt.leftOut, ask) : '';
  return withUsage({ ...result, summary: [result.summary, note].filter(Boolean).join(' — ') }, generated);
}

function generate(turn: Turn, model: Model, prompt: string, shape: ReplyShape): Promise<Generated> {
  turn.acted('generate', model.name);
  turn.waiting(`waiting for ${model.name}`);
  return model.generate({
    prompt,
    system: turn.system,
    schema: schemaOf(shape),
    iteration: ownTurnOf(turn),
    signal: turn.signal,
    ...(turn.idleTimeoutMs !== undefined && { idleTimeoutMs: turn.idleTimeoutMs }),
    onProgress: turn.waiting,
    onText: turn.output,
  });
}

async function resultOf(
  turn: Turn,
  ask: OneShot,
  shape: ReplyShape,
  generated: Generated,
): Promise<AgentResult> {
  if ('failed' in generated) return failedResult(generated);
  if (generated.doneReason === 'length') return truncatedResult(generated, ask);
  const reply = parseReply(generated.text, shape);
  // Not `error`: the driver works; the reply is bad work, which the next prompt explains.
  if (!reply.ok) return { stopReason: 'completed', summary: reply.problem, problem: reply.problem };
  const applied = await applyProposal(turn, reply.proposal);
  const problem = [...(reply.note === undefined ? [] : [reply.note]), ...applied.refused].join('\n');
  return {
    stopReason: 'completed',
    summary: [reply.proposal.reasoning.trim(), describeApplied(applied)].filter(Boolean).join(' — '),
    proposal: reply.proposal,
    ...(problem !== '' && { problem }),
  };
}

function truncatedResult(answer: Answer, ask: OneShot): AgentResult {
  const mend = ask.window ? `: raise driver.options.${ask.window.option} (now ${ask.window.tokens})` : '';
  return {
    stopReason: 'truncated',
    summary: `the token limit cut the reply after ${answer.text.length} characters, so nothing was written${mend}`,
    problem:
      'the reply was cut off by the token limit, so nothing of it was written: answer more briefly, with short reasoning and only the files that must change',
  };
}

const STOP_REASONS: Readonly<Record<ModelFailureKind, StopReason>> = {
  unreachable: 'error',
  'model-missing': 'error',
  'server-error': 'error',
  'bad-reply': 'error',
  refused: 'refused',
  'rate-limited': 'rate-limited',
  'timed-out': 'stalled',
  stalled: 'stalled',
  aborted: 'aborted',
  exhausted: 'gave-up',
};

function failedResult({ failed, message }: ModelFailure): AgentResult {
  return { stopReason: STOP_REASONS[failed], summary: message };
}

function cutNote(leftOut: number, { window }: OneShot): string {
  const mend = window ? ` (driver.options.${window.option}: ${window.tokens})` : '';
  return `${leftOut} characters of the prompt were left out to fit the model's window${mend}`;
}

function withUsage(result: AgentResult, generated: Generated): AgentResult {
  if (generated.usage === undefined) return result;
  return { ...result, usage: generated.usage };
}
