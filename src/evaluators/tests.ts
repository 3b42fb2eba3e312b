import { z } from 'zod';
import type { Evaluator } from '../core/plugin.ts';
import { runnerNamed } from '../core/runners.ts';
import { quoteWord } from '../core/shell-line.ts';
import { commandShape, strictOptions } from './options.ts';
import {
  canReport,
  plainCall,
  REPORT_FORMATS,
  type ReportFormat,
  runSuite,
  SUITE_RUNNERS,
  type SuiteRunner,
} from './run-suite.ts';

const shape = {
  command: z
    .string()
    .trim()
    .min(1)
    .optional()
    .describe('the command that runs the suite; default: by the runner'),
  args: z.array(z.string()).optional().describe('arguments for the default command of the runner'),
  ...commandShape,
  testTimeoutMs: z
    .int()
    .positive()
    .optional()
    .describe(
      'limit of one test (of one file with node-test, of one package with go-test); default: 30 s, at most a third of timeoutMs',
    ),
  min: z.int().positive().default(1).describe('how many tests must pass at least'),
  retries: z
    .enum(['caveat', 'fail'])
    .optional()
    .describe(
      'what a test is that passed only when tried again; default: a caveat, and a failure where the green is confirmed',
    ),
  report: z
    .string()
    .min(1)
    .optional()
    .describe(
      'file of the format that the command writes; default: $LOOPGEN_REPORT, and standard output with tap',
    ),
};

const runnerName = z
  .string()
  .refine((name) => SUITE_RUNNERS.some((known) => known === name), {
    error: ({ input }) =>
      `"${input}" is not a runner (${SUITE_RUNNERS.join(', ')}): let it write JUnit XML and use \`format: junit\`, or use \`command\``,
  })
  .transform((name) => SUITE_RUNNERS.find((known) => known === name) ?? 'junit');

function isFormat(runner: SuiteRunner): runner is ReportFormat {
  return REPORT_FORMATS.some((format) => format === runner);
}

interface Chosen {
  readonly runner?: SuiteRunner | undefined;
  readonly format?: ReportFormat | undefined;
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly report?: string | undefined;
}

type Issue = { readonly path: string[]; readonly message: string };

/** The runner that the options mean: named, or seen in the command. */
function runnerOf(chosen: Chosen): SuiteRunner | undefined {
  if (chosen.format !== undefined) return chosen.format;
  if (chosen.runner !== undefined) return chosen.runner;
  const seen = chosen.command === undefined ? undefined : plainCall(chosen.command)?.runner.name;
  return SUITE_RUNNERS.find((name) => name === seen);
}

function lineOf(runner: SuiteRunner, { command, args }: Chosen): string {
  return command ?? [runnerNamed(runner)?.command ?? '', ...(args ?? []).map(quoteWord)].join(' ');
}

function problemOf(chosen: Chosen): Issue | undefined {
  const runner = runnerOf(chosen);
  const { command, args, report } = chosen;
  if (runner === undefined) {
    return {
      path: ['runner'],
      message: `is not known from the command: name one of ${SUITE_RUNNERS.join(', ')}`,
    };
  }
  if (command !== undefined && args !== undefined)
    return { path: ['args'], message: 'are for the default command: write them into command' };
  if (isFormat(runner))
    return command === undefined ? { path: ['command'], message: `is needed by ${runner}` } : undefined;
  if (report !== undefined)
    return {
      path: ['report'],
      message: `is for ${REPORT_FORMATS.join(', ')}: ${runner} has a report of the engine's own`,
    };
  if (canReport(runner, lineOf(runner, chosen))) return undefined;
  return { path: ['command'], message: `is not one plain call of ${runner}, so that its report gets in` };
}

function withProblems<Schema extends z.ZodType<Chosen>>(schema: Schema, runner?: SuiteRunner): Schema {
  return schema.superRefine((chosen, context) => {
    const problem = problemOf({ ...chosen, ...(runner !== undefined && { runner }) });
    if (problem) context.addIssue({ code: 'custom', path: problem.path, message: problem.message });
  });
}

function suiteEvaluator(
  type: string,
  description: string,
  options: z.ZodType<Chosen & z.output<ReturnType<typeof strictOptions<typeof shape>>>>,
  fixed?: SuiteRunner,
): Evaluator<z.output<typeof options>> {
  const resolve = (chosen: Chosen) => {
    const runner = fixed ?? runnerOf(chosen) ?? 'junit';
    return { runner, line: lineOf(runner, chosen) };
  };
  return {
    type,
    description,
    options,
    commands: (chosen) => [resolve(chosen).line],
    evaluate: async (context) => {
      const { cwd, env, feedbackChars, min, testTimeoutMs, retries, report } = context.options;
      return await runSuite(context, {
        ...resolve(context.options),
        cwd,
        env,
        feedbackChars,
        min,
        ...(testTimeoutMs !== undefined && { testTimeoutMs }),
        ...(retries !== undefined && { retries }),
        ...(report !== undefined && { report }),
      });
    },
  };
}

/** A suite of tests, each known by its id. */
export const testsEvaluator = suiteEvaluator(
  'tests',
  'a suite of tests, each known by its id',
  withProblems(
    strictOptions({ runner: runnerName.optional(), format: z.enum(REPORT_FORMATS).optional(), ...shape }),
  ),
);

/** `tests` with its runner named: `uses: pytest`. */
export function runnerEvaluator(runner: SuiteRunner): Evaluator {
  return suiteEvaluator(runner, DESCRIPTIONS[runner], withProblems(strictOptions(shape), runner), runner);
}

const DESCRIPTIONS: Readonly<Record<SuiteRunner, string>> = {
  pytest: 'tests by pytest',
  unittest: 'tests by unittest',
  'node-test': 'tests by node --test',
  vitest: 'tests by Vitest',
  jest: 'tests by Jest',
  mocha: 'tests by mocha',
  'go-test': 'tests by go test',
  'cargo-test': 'tests by cargo test',
  maven: 'tests by Maven with Surefire',
  junit: 'tests of any runner that writes JUnit XML',
  tap: 'tests of any runner that prints TAP',
  ctrf: 'tests of any runner that writes a CTRF report',
};
