import { z } from 'zod';
import type { EvaluationOutcome } from '../core/check.ts';
import type { Evaluator, EvaluatorContext } from '../core/plugin.ts';
import type { ExecResult } from '../system/exec.ts';
import { stripAnsi } from '../system/text.ts';
import { exitCodeOf, outcomeOfEnding, signalOf, unusable } from './endings.ts';
import { explainExit } from './exit-causes.ts';
import { commandShape, strictOptions } from './options.ts';
import { checkFolder, plainCall, runSuite, SUITE_RUNNERS } from './run-suite.ts';
import { startLine } from './start.ts';
import { withOutput } from './suite-feedback.ts';

const options = strictOptions({
  command: z.string().trim().min(1).describe('a shell line, run with pipefail'),
  ...commandShape,
  expectExitCode: z.int().min(0).max(255).default(0).describe('the exit code that is a pass'),
  timeoutMs: z.int().positive().optional().describe('the same as timeoutMs beside options'),
  scoreRegex: z
    .string()
    .refine(isRegex, 'is not a regular expression')
    .optional()
    .describe('the first group of its last match is the score'),
  scoreGte: z.number().optional().describe('the score must be at least this'),
  scoreLte: z.number().optional().describe('the score must be at most this'),
}).refine(hasRegexForScore, { path: ['scoreRegex'], message: 'is needed by scoreGte and scoreLte' });

type Options = z.output<typeof options>;

/** A shell line, judged by its exit code; one plain call of a known runner is judged as `tests` would. */
export const commandEvaluator: Evaluator<Options> = {
  type: 'command',
  description: 'a shell line, judged by its exit code',
  options,
  commands: ({ command }) => [command],
  evaluate: async (context) => (await asSuite(context)) ?? (await byExitCode(context)),
};

async function asSuite(context: EvaluatorContext<Options>): Promise<EvaluationOutcome | undefined> {
  const { command, cwd, env, feedbackChars, expectExitCode, scoreRegex } = context.options;
  const call = expectExitCode === 0 && scoreRegex === undefined ? plainCall(command) : undefined;
  const runner = SUITE_RUNNERS.find((name) => name === call?.runner.name);
  if (runner === undefined) return undefined;
  return await runSuite(context, { runner, line: command, cwd, env, feedbackChars, min: 1 });
}

async function byExitCode(context: EvaluatorContext<Options>): Promise<EvaluationOutcome> {
  const { command, cwd, feedbackChars } = context.options;
  const folder = await checkFolder(context.workdir, cwd);
  if (!('path' in folder)) return folder;
  const env = { ...context.env, ...context.options.env };
  const { seenAt, timeoutMs, logFile } = context;
  const run = await startLine(context, command, folder, env, { timeoutMs, logFile });
  const place = { line: command, cwd: folder.path, workdir: folder.workdir, seenAt, env };
  const ending = { command, timeoutMs, feedbackChars, path: env['PATH'] ?? '' };
  const outcome =
    outcomeOfEnding(run, ending) ?? expected(run, context.options) ?? unexpected(run, place, feedbackChars);
  return {
    judgedBy: 'exit-code',
    ...(context.canary && {
      canary: 'none' as const,
      canaryBecause: 'it is judged by the exit code of its command',
    }),
    ...exitCodeOf(run),
    ...(run.logFile !== undefined && { logFile: run.logFile }),
    ...outcome,
  };
}

/** The outcome where the exit code is the right one. */
function expected(run: ExecResult, chosen: Options): EvaluationOutcome | undefined {
  if (run.ended !== 'exited' || run.code !== chosen.expectExitCode) return undefined;
  const exit = `exit code ${run.code}, as expected`;
  if (chosen.scoreRegex === undefined) return { passed: true, feedback: exit };
  return scored(stripAnsi(run.output.text), chosen, chosen.scoreRegex, exit);
}

function scored(output: string, chosen: Options, pattern: string, exit: string): EvaluationOutcome {
  const { scoreGte, scoreLte, feedbackChars } = chosen;
  const limits = [
    ...(scoreGte === undefined ? [] : [`at least ${scoreGte}`]),
    ...(scoreLte === undefined ? [] : [`at most ${scoreLte}`]),
  ];
  const value = lastScore(output, pattern);
  if (value === undefined) {
    const text = withOutput(`${exit}, but the output holds no score (${pattern})`, output, feedbackChars);
    return limits.length === 0 ? { passed: true, feedback: text } : unusable('no-report', text);
  }
  const passed =
    value >= (scoreGte ?? Number.NEGATIVE_INFINITY) && value <= (scoreLte ?? Number.POSITIVE_INFINITY);
  const text = `score ${value}${limits.length > 0 ? `, wanted ${limits.join(' and ')}` : ''}`;
  return {
    passed,
    feedback: passed ? text : withOutput(text, output, feedbackChars),
    score: { value, better: scoreGte === undefined && scoreLte !== undefined ? 'down' : 'up' },
    judgedBy: limits.length > 0 ? 'metric' : 'exit-code',
  };
}

/** The first group (else the whole) of the last match, as a number. */
function lastScore(output: string, pattern: string): number | undefined {
  const match = [...output.matchAll(new RegExp(pattern, 'gm'))].at(-1);
  const text = match?.[1] ?? match?.[0];
  const value =
    text === undefined || text.trim() === '' ? Number.NaN : Number(text.replaceAll(/[,_](?=\d{3})/g, ''));
  return Number.isFinite(value) ? value : undefined;
}

function unexpected(
  run: ExecResult,
  place: Parameters<typeof explainExit>[1],
  feedbackChars: number,
): EvaluationOutcome {
  const tell = (text: string) => withOutput(text, run.output.text, feedbackChars);
  const explained = explainExit(run, place);
  if (explained) return { ...explained, feedback: tell(explained.feedback) };
  const signal = signalOf(run);
  if (signal !== undefined) {
    const hint = signal === 'SIGPIPE' ? ' (a later command of the pipe stopped reading)' : '';
    return unusable(
      'crash',
      tell(`the command was ended by ${signal}${hint}, so it says nothing about the code`),
    );
  }
  return { passed: false, feedback: tell(run.ended === 'exited' ? `exit code ${run.code}` : run.ended) };
}

function isRegex(text: string): boolean {
  try {
    new RegExp(text, 'gm');
    return true;
  } catch {
    // The message of the option says it.
    return false;
  }
}

function hasRegexForScore(chosen: {
  scoreRegex?: string | undefined;
  scoreGte?: number | undefined;
  scoreLte?: number | undefined;
}): boolean {
  return chosen.scoreRegex !== undefined || (chosen.scoreGte === undefined && chosen.scoreLte === undefined);
}
