import { randomUUID } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import type { EvaluationOutcome } from '../core/check.ts';
import type { Environment, EvaluatorContext } from '../core/plugin.ts';
import { type Runner, recogniseRunner, runnerNamed } from '../core/runners.ts';
import { readShellLine } from '../core/shell-line.ts';
import { resolveInside } from '../system/files.ts';
import { sortOut } from './canary.ts';
import { unusable } from './endings.ts';
import { explainExit } from './exit-causes.ts';
import { judgeSuite } from './judge.ts';
import { type Adapter, type CallLine, defaultBoundMs } from './runners/adapter.ts';
import { cargoTestAdapter } from './runners/cargo-test.ts';
import { ctrfAdapter, junitAdapter, tapAdapter } from './runners/formats.ts';
import { goTestAdapter } from './runners/go-test.ts';
import { jestAdapter } from './runners/jest.ts';
import { mavenAdapter } from './runners/maven.ts';
import { mochaAdapter } from './runners/mocha.ts';
import { nodeTestAdapter } from './runners/node-test.ts';
import { pytestAdapter, unittestAdapter } from './runners/python.ts';
import { vitestAdapter } from './runners/vitest.ts';
import { type CheckFolder, startLine } from './start.ts';
import { withOutput } from './suite-feedback.ts';

const ADAPTERS: Readonly<Record<string, Adapter>> = {
  pytest: pytestAdapter,
  unittest: unittestAdapter,
  'node-test': nodeTestAdapter,
  vitest: vitestAdapter,
  jest: jestAdapter,
  mocha: mochaAdapter,
  'go-test': goTestAdapter,
  'cargo-test': cargoTestAdapter,
  maven: mavenAdapter,
  junit: junitAdapter,
  tap: tapAdapter,
  ctrf: ctrfAdapter,
};

/** File formats, for any runner that writes them. */
export const REPORT_FORMATS = ['junit', 'tap', 'ctrf'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** The names that `tests` takes as its `runner`. */
export const SUITE_RUNNERS = [
  ...([
    'pytest',
    'unittest',
    'node-test',
    'vitest',
    'jest',
    'mocha',
    'go-test',
    'cargo-test',
    'maven',
  ] as const),
  ...REPORT_FORMATS,
] as const;
export type SuiteRunner = (typeof SUITE_RUNNERS)[number];

/** One suite to run, with every default filled in. */
export interface Suite {
  readonly runner: SuiteRunner;
  readonly line: string;
  readonly cwd: string;
  readonly env: Environment;
  readonly feedbackChars: number;
  readonly min: number;
  readonly testTimeoutMs?: number;
  readonly report?: string;
  /** What a test is that passes only when tried again; default: a caveat, and a failure in a run with a canary. */
  readonly retries?: 'caveat' | 'fail';
}

/** The line as one plain call of a runner that loopgen has a report for; undefined for any other line. */
export function plainCall(line: string): (CallLine & { readonly runner: Runner }) | undefined {
  const read = readShellLine(line);
  const command = read?.plain ? read.commands[0] : undefined;
  const call = command && recogniseRunner(command.words.map((word) => word.text));
  if (!command || call?.runner.judged !== 'test-ids') return undefined;
  // What the shell puts in place of a word may not be what names the runner.
  const named = command.words.slice(0, call.nameAt + 1).every((word) => word.literal);
  const { assignments, words } = command;
  return named ? { line, assignments, words, call, runner: call.runner } : undefined;
}

/** True where the reporter of this runner gets into this line. */
export function canReport(runner: SuiteRunner, line: string): boolean {
  return ADAPTERS[runner]?.wraps === true || plainCall(line)?.runner.name === runner;
}

/** The folder of a check, or why there is none. */
export async function checkFolder(given: string, cwd: string): Promise<CheckFolder | EvaluationOutcome> {
  const workdir = realpathSync(given);
  const inside = cwd === '.' ? { ok: true as const, path: workdir } : await resolveInside(workdir, cwd);
  if (!inside.ok) return unusable('not-found', `cwd: ${inside.because}`);
  if (statSync(inside.path, { throwIfNoEntry: false })?.isDirectory()) return { workdir, path: inside.path };
  return {
    passed: false,
    feedback: `the folder ${cwd} does not exist`,
    missingScript: true,
    judgedBy: 'exit-code',
  };
}

/** For what an adapter asks the tools of the project before or after the run. */
const ASK = { timeoutMs: 60_000, keepBytes: 16 * 1024 * 1024 };

/** Runs a suite with a report of the engine's own, and judges it by that. */
export async function runSuite(context: EvaluatorContext, suite: Suite): Promise<EvaluationOutcome> {
  const folder = await checkFolder(context.workdir, suite.cwd);
  if (!('path' in folder)) return folder;
  const { workdir, path: cwd } = folder;
  const { seenAt, timeoutMs, logFile } = context;
  const adapter = ADAPTERS[suite.runner] ?? junitAdapter;
  const call = plainCall(suite.line);
  const env = { ...context.env, ...suite.env };
  const prepared = await adapter.prepare({
    line: suite.line,
    ...(call?.runner.name === suite.runner && { plain: call }),
    workdir,
    seenAt,
    cwd,
    env,
    scratch: context.scratch,
    nonce: randomUUID(),
    boundMs: suite.testTimeoutMs ?? defaultBoundMs(runnerNamed(suite.runner), timeoutMs),
    canary: context.canary === true,
    ask: async (line) =>
      await startLine(context, line, folder, env, { ...ASK, timeoutMs: Math.min(timeoutMs, ASK.timeoutMs) }),
    ...(suite.report !== undefined && { report: suite.report }),
  });
  const { onOutput } = prepared;
  const options = { timeoutMs, logFile, ...(onOutput && { onOutput }) };
  const run = await startLine(context, prepared.line, folder, prepared.env, options);
  const { report, canary } = sortOut(await prepared.read(), prepared.canary);
  const { line, feedbackChars, min } = suite;
  return await judgeSuite(run, report, {
    runner: suite.runner,
    min,
    command: line,
    timeoutMs,
    feedbackChars,
    path: env['PATH'] ?? '',
    ...(canary && { canary }),
    ...(context.markKnown && { markKnown: context.markKnown }),
    refuseRetries: (suite.retries ?? (canary ? 'fail' : 'caveat')) === 'fail',
    explain: async (result, read) => {
      const explained = explainExit(result, { line, cwd, workdir, seenAt, env });
      if (!explained) return await prepared.explain?.(result, read);
      return { ...explained, feedback: withOutput(explained.feedback, result.output.text, feedbackChars) };
    },
  });
}
