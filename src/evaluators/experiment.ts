import { realpathSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { z } from 'zod';
import type { EvaluationOutcome } from '../core/check.ts';
import type { Evaluator, EvaluatorContext } from '../core/plugin.ts';
import type { ExecResult } from '../system/exec.ts';
import { resolveInside } from '../system/files.ts';
import { type EndingContext, exitCodeOf, outcomeOfEnding, signalOf, unusable } from './endings.ts';
import { explainExit } from './exit-causes.ts';
import { describeLimits, meetsLimits, readMetric, scoreOf } from './metric.ts';
import { commandShape, strictOptions } from './options.ts';
import { readReportFile } from './reports/report-file.ts';
import { checkFolder } from './run-suite.ts';
import { startLine } from './start.ts';
import { withOutput } from './suite-feedback.ts';

/** More than this is not read: a metric cut in the middle would be another number. */
const LARGEST_JSON = 32 * 1024 * 1024;

const options = strictOptions({
  command: z.string().trim().min(1).optional().describe('a shell line that prints JSON, or writes `file`'),
  file: z.string().min(1).optional().describe('a JSON file, relative to the workspace'),
  metric: z.string().min(1).describe('where the number stands in the JSON, for example `latency.p95`'),
  minValue: z.number().optional().describe('the metric must be at least this'),
  maxValue: z.number().optional().describe('the metric must be at most this'),
  baseline: z.number().optional().describe('the number to be better than'),
  direction: z
    .enum(['increase', 'decrease'])
    .default('increase')
    .describe('which way is better than the baseline'),
  minDelta: z.number().min(0).optional().describe('by how much it must be better; default: by anything'),
  ...commandShape,
})
  .refine(({ command, file }) => command !== undefined || file !== undefined, {
    path: ['command'],
    message: 'one of command and file is needed',
  })
  .refine(({ baseline, minDelta }) => baseline !== undefined || minDelta === undefined, {
    path: ['minDelta'],
    message: 'needs a baseline',
  });

type Options = z.output<typeof options>;

/** A number out of JSON, against limits or a baseline. */
export const experimentEvaluator: Evaluator<Options> = {
  type: 'experiment',
  description: 'a number out of JSON, against limits or a baseline',
  options,
  commands: ({ command }) => (command === undefined ? [] : [command]),
  async evaluate(context) {
    const got = await obtainJson(context);
    const outcome = 'json' in got ? judge(got.json, context.options) : got.outcome;
    return { judgedBy: 'metric', ...got.run, ...outcome };
  },
};

type Obtained = { readonly run: Partial<EvaluationOutcome> } & (
  | { readonly json: string }
  | { readonly outcome: EvaluationOutcome }
);

async function obtainJson(context: EvaluatorContext<Options>): Promise<Obtained> {
  const { command, file } = context.options;
  const workdir = realpathSync(context.workdir);
  const resolved = file === undefined ? undefined : await resolveInside(workdir, file);
  if (resolved && !resolved.ok)
    return { run: {}, outcome: unusable('no-report', `file: ${resolved.because}`) };
  const before = resolved && (await stampOf(resolved.path));
  if (command === undefined) {
    const caveats = [`the number is read from ${file}, which no command of the check has written`];
    return { run: { caveats }, ...(await readJson(resolved?.path ?? '', file ?? '')) };
  }
  const ran = await runCommand(context, command);
  if (!resolved || 'outcome' in ran) return ran;
  if (before !== undefined && before === (await stampOf(resolved.path))) {
    return {
      run: ran.run,
      outcome: unusable('no-report', `the command did not write ${file}: it is from before`),
    };
  }
  return { run: ran.run, ...(await readJson(resolved.path, file ?? '')) };
}

/** Changes with every write of the file. */
async function stampOf(file: string): Promise<string | undefined> {
  return await stat(file, { bigint: true }).then(
    (entry) => `${entry.ino} ${entry.size} ${entry.mtimeNs} ${entry.ctimeNs}`,
    () => undefined,
  );
}

async function readJson(
  path: string,
  name: string,
): Promise<{ json: string } | { outcome: EvaluationOutcome }> {
  const read = await readReportFile(path, LARGEST_JSON);
  if (read.kind === 'text') return { json: read.text };
  const text =
    read.kind === 'missing'
      ? `${name} does not exist, or is no file`
      : `${name} is too large: ${read.bytes} bytes of at most ${LARGEST_JSON}`;
  return { outcome: unusable('no-report', text) };
}

async function runCommand(context: EvaluatorContext<Options>, command: string): Promise<Obtained> {
  const { cwd, feedbackChars } = context.options;
  const folder = await checkFolder(context.workdir, cwd);
  if (!('path' in folder)) return { run: {}, outcome: folder };
  const env = { ...context.env, ...context.options.env };
  const { seenAt, timeoutMs, logFile } = context;
  const stdout = new Collected();
  const onOutput = (text: string, stream: 'stdout' | 'stderr') => stdout.add(text, stream);
  const run = await startLine(context, command, folder, env, { timeoutMs, logFile, onOutput });
  const more = { ...exitCodeOf(run), ...(run.logFile !== undefined && { logFile: run.logFile }) };
  const ending = { command, timeoutMs, feedbackChars, path: env['PATH'] ?? '' };
  const place = { line: command, cwd: folder.path, workdir: folder.workdir, seenAt, env };
  const failed = failureOf(run, ending, place);
  if (failed) return { run: more, outcome: failed };
  const tooLong = `the command printed more than ${LARGEST_JSON} characters, so its JSON is not whole: let it write a smaller file`;
  return stdout.whole
    ? { run: more, json: stdout.text() }
    : { run: more, outcome: unusable('no-report', tooLong) };
}

function failureOf(
  run: ExecResult,
  ending: EndingContext,
  place: Parameters<typeof explainExit>[1],
): EvaluationOutcome | undefined {
  const tell = (text: string) => withOutput(text, run.output.text, ending.feedbackChars);
  const outcome = outcomeOfEnding(run, ending) ?? explainExit(run, place);
  if (outcome) return outcome;
  const signal = signalOf(run);
  if (signal !== undefined) return unusable('crash', tell(`the command was ended by ${signal}`));
  return run.ended === 'exited' && run.code !== 0
    ? { passed: false, feedback: tell(`the command that measures ended with exit code ${run.code}`) }
    : undefined;
}

/** Standard output as it comes, up to the limit. */
class Collected {
  whole = true;
  readonly #parts: string[] = [];
  #length = 0;

  add(text: string, stream: 'stdout' | 'stderr'): void {
    if (stream !== 'stdout' || !this.whole) return;
    this.#length += text.length;
    this.whole = this.#length <= LARGEST_JSON;
    if (this.whole) this.#parts.push(text);
  }

  text(): string {
    return this.#parts.join('');
  }
}

function judge(json: string, chosen: Options): EvaluationOutcome {
  const read = readMetric(json, chosen.metric);
  if ('problem' in read) return unusable('no-report', withOutput(read.problem, json, chosen.feedbackChars));
  const passed = meetsLimits(read.value, chosen);
  const limits = describeLimits(chosen);
  return {
    passed,
    feedback: `${chosen.metric} is ${read.value}${limits === '' ? '' : `, wanted ${limits}`}`,
    score: scoreOf(read.value, chosen),
  };
}
