import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EvaluationOutcome } from '../../core/check.ts';
import type { Environment } from '../../core/plugin.ts';
import type { Runner, RunnerCall } from '../../core/runners.ts';
import type { Word } from '../../core/shell-line.ts';
import type { ExecResult } from '../../system/exec.ts';
import type { CanaryPlan } from '../canary.ts';
import { notFoundText, unusable } from '../endings.ts';
import type { SuiteReport } from '../suite.ts';
import { withOutput } from '../suite-feedback.ts';

/** A command line that is one plain call of a runner. */
export interface CallLine {
  readonly line: string;
  /** The `NAME=value` words before it. */
  readonly assignments: readonly Word[];
  readonly words: readonly Word[];
  readonly call: RunnerCall;
}

/** One run of a suite, as an adapter gets it. */
export interface SuiteRun {
  /** The user's command. `call` is set where it is one plain call of the runner. */
  readonly line: string;
  readonly plain?: CallLine;
  /** Absolute, real path of the workspace's place in the tree, as this process sees it. */
  readonly workdir: string;
  /** The same place as the processes of the run see it. */
  readonly seenAt: string;
  /** Absolute folder in which the command runs, as this process sees it. */
  readonly cwd: string;
  readonly env: Environment;
  /** An empty folder outside the workspace. */
  readonly scratch: string;
  /** Told only to the reporter, and found on every line that it writes. */
  readonly nonce: string;
  /** Limit of what the runner can bound: a test or a file. */
  readonly boundMs: number;
  /** Whether tests that have to fail are to be added. */
  readonly canary: boolean;
  /** Runs another line in the same folder and environment. */
  readonly ask: (line: string) => Promise<ExecResult>;
  /** The report file that the user names; `junit` only. */
  readonly report?: string;
}

/** What to run, and how to read what comes of it. */
export interface PreparedRun {
  readonly line: string;
  readonly env: Environment;
  /** Takes the output as it comes, for runners whose report is their output. */
  readonly onOutput?: (text: string, stream: 'stdout' | 'stderr') => void;
  /** The report, with the canaries among its tests. */
  read(): Promise<SuiteReport>;
  /** Set where the run was to have canaries. */
  readonly canary?: CanaryPlan;
  /** What a missing or broken report means, where the adapter knows more than that. */
  explain?(run: ExecResult, report: SuiteReport): Promise<EvaluationOutcome | undefined>;
}

/** Puts a reporter of the engine's own into the call of a runner. */
export interface Adapter {
  /** True where the reporter gets in through the environment, so that any wrapper command serves. */
  readonly wraps: boolean;
  prepare(run: SuiteRun): Promise<PreparedRun>;
}

/** What a runner's `testTimeoutMs` bounds by default: a test 30 s at most, a file or suite as long as it may take. */
export function defaultBoundMs(runner: Runner | undefined, timeoutMs: number): number {
  const third = Math.floor(timeoutMs / 3);
  return runner?.capabilities.bound === 'test' ? Math.min(30_000, third) : third;
}

const ASSETS = fileURLToPath(new URL('../assets/', import.meta.url));

/** Copies reporter files into the scratch folder, so that nothing of the run touches the package itself. */
export async function placeAssets(scratch: string, names: readonly string[]): Promise<string> {
  const folder = join(scratch, 'reporter');
  for (const name of names) await cp(join(ASSETS, name), join(folder, name));
  return folder;
}

/** Puts what a canary written in JavaScript has to know beside it: nothing of it is in the environment. */
export async function placeCanarySettings(
  folder: string,
  settings: { readonly name: string; readonly root: string },
): Promise<void> {
  const lines = Object.entries(settings).map(
    ([key, value]) => `export const ${key} = ${JSON.stringify(value)};`,
  );
  await writeFile(join(folder, 'canary-settings.mjs'), `${lines.join('\n')}\n`);
}

/**
 * The canary for runners that would transform a set-up file: with its name in its text, in a place that they take
 * for an installed package and leave as it is. Returns its path.
 */
export async function placeInstalledCanary(scratch: string, asset: string, name: string): Promise<string> {
  const folder = join(scratch, 'reporter', 'node_modules', 'loopgen-canary');
  await mkdir(folder, { recursive: true });
  const text = await readFile(join(ASSETS, asset), 'utf8');
  await writeFile(join(folder, asset), text.replace('CANARY_NAME', name));
  return join(folder, asset);
}

/** Whether a launcher such as npx finds the program at or above the folder; if not, that is what is wrong. */
export function notInstalled(
  program: string,
  { cwd, workdir, seenAt, env }: SuiteRun,
): EvaluationOutcome | undefined {
  const isAtOrAbove = (folder: string): boolean =>
    existsSync(join(folder, 'node_modules', '.bin', program)) ||
    (dirname(folder) !== folder && isAtOrAbove(dirname(folder)));
  // A room may have its dependencies only where the command sees them.
  if (isAtOrAbove(cwd) || isAtOrAbove(join(seenAt, relative(workdir, cwd)))) return undefined;
  const text = notFoundText(`${program} (at or above ${cwd}; npm install)`, env['PATH'] ?? '');
  return unusable('not-found', text);
}

/** A stretch of a line and what stands in its place. */
export interface LineEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The line with stretches replaced, which do not overlap. */
export function editLine(line: string, edits: readonly LineEdit[]): string {
  return [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((text, edit) => `${text.slice(0, edit.start)}${edit.text}${text.slice(edit.end)}`, line);
}

/** The line with `text` put behind one of its words. */
export function insertAfter({ line, words }: CallLine, index: number, text: string): string {
  const at = words[index]?.end ?? line.length;
  return `${line.slice(0, at)} ${text}${line.slice(at)}`;
}

/** The line with one of its words replaced. */
export function replaceWord({ line, words }: CallLine, index: number, text: string): string {
  const word = words[index];
  return word === undefined ? line : `${line.slice(0, word.start)}${text}${line.slice(word.end)}`;
}

/** An option or a configuration that the runner does not take: nothing that the agent's code could mend. */
export function refusedArguments(
  runner: string,
  code: number,
  run: ExecResult,
  report: SuiteReport,
): EvaluationOutcome | undefined {
  const before = report.tests.length === 0 && report.unloadable.length === 0 && report.running === undefined;
  if (run.ended !== 'exited' || run.code !== code || !before) return undefined;
  const text = `${runner} refused its arguments or its configuration (exit code ${code}), so the check cannot run`;
  return unusable('not-found', withOutput(text, run.output.text, 3000));
}
