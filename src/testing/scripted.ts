import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { EvaluationOutcome } from '../core/check.ts';
import type { AgentResult } from '../core/event.ts';
import type { AgentDriver, Evaluator, EvaluatorContext, Turn } from '../core/plugin.ts';

/** What a scripted agent does in one turn. */
export interface ScriptedStep {
  /** Path → whole content. */
  readonly write?: Readonly<Record<string, string>>;
  readonly remove?: readonly string[];
  /** Over `{stopReason: 'completed', summary: ''}` and a usage of nothing. */
  readonly result?: Partial<AgentResult>;
}

/** A step, or what makes one of the turn: it may look at the prompt, wait, or throw. */
export type Scripted =
  | ScriptedStep
  | ((turn: Turn) => ScriptedStep | undefined | Promise<ScriptedStep | undefined>);

export interface ScriptedDriverOptions {
  /** Default: `scripted`. */
  readonly name?: string;
  /** `agent` (default) edits the tree behind the engine's back; `one-shot` writes through `Turn.write`. */
  readonly kind?: 'agent' | 'one-shot';
  /** The tree to edit, of a memory workspace. Default: the files in `Turn.workdir`. */
  readonly files?: Map<string, string>;
}

/** A driver that plays one step a turn; beyond the last it does nothing. */
export function scriptedDriver(
  steps: readonly Scripted[],
  options: ScriptedDriverOptions = {},
): AgentDriver<unknown> {
  const kind = options.kind ?? 'agent';
  return {
    name: options.name ?? 'scripted',
    description: 'plays a script',
    kind,
    async run(turn) {
      const entry = steps[turn.ownTurn ?? turn.iteration];
      const step = (typeof entry === 'function' ? await entry(turn) : entry) ?? {};
      const edit = editOf(turn, kind, options.files);
      for (const [path, content] of Object.entries(step.write ?? {})) await edit(path, content);
      for (const path of step.remove ?? []) await edit(path, undefined);
      const usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
      return { stopReason: 'completed', summary: '', usage, ...step.result };
    },
  };
}

type Edit = (path: string, content: string | undefined) => Promise<unknown>;

function editOf(turn: Turn, kind: AgentDriver['kind'], files: Map<string, string> | undefined): Edit {
  if (kind === 'one-shot')
    return (path, content) => (content === undefined ? turn.remove(path) : turn.write(path, content));
  if (files)
    return async (path, content) => (content === undefined ? files.delete(path) : files.set(path, content));
  return async (path, content) => {
    const file = join(turn.workdir, path);
    if (content === undefined) return await rm(file, { force: true });
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  };
}

/** The content of a file of the workspace; undefined where there is none. */
export type ReadFile = (path: string) => Promise<string | undefined>;

/** `true` and `false` say nothing else: the check is silent. */
export type Judge = (
  read: ReadFile,
  context: EvaluatorContext,
) => boolean | EvaluationOutcome | Promise<boolean | EvaluationOutcome>;

export interface ScriptedEvaluatorOptions {
  /** Default: `scripted`. */
  readonly type?: string;
  /** The tree to read, of a memory workspace. Default: the files in `EvaluatorContext.workdir`. */
  readonly files?: ReadonlyMap<string, string>;
}

/** An evaluator that reads the files, so that only work changes its verdict. */
export function scriptedEvaluator(judge: Judge, options: ScriptedEvaluatorOptions = {}): Evaluator<unknown> {
  return {
    type: options.type ?? 'scripted',
    description: 'reads files',
    async evaluate(context) {
      const outcome = await judge(readerOf(context.workdir, options.files), context);
      return typeof outcome === 'boolean' ? { passed: outcome, feedback: '' } : outcome;
    },
  };
}

function readerOf(workdir: string, files: ReadonlyMap<string, string> | undefined): ReadFile {
  if (files) return async (path) => files.get(path);
  return async (path) => {
    try {
      return await readFile(join(workdir, path), 'utf8');
    } catch {
      // Not there yet, or no file: for a check that is one and the same.
      return undefined;
    }
  };
}
