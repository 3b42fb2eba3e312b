import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TestResult } from '../../core/check.ts';
import { quoteWord } from '../../core/shell-line.ts';
import type { ExecResult } from '../../system/exec.ts';
import { type CanaryPlan, canaryName } from '../canary.ts';
import { type FileKind, readNodeReport } from '../reports/node-test.ts';
import { linesOf, readReportFile } from '../reports/report-file.ts';
import { NO_REPORT, type SuiteReport } from '../suite.ts';
import {
  type Adapter,
  insertAfter,
  placeAssets,
  placeCanarySettings,
  refusedArguments,
  type SuiteRun,
} from './adapter.ts';

const REPORTER = 'loopgen-node-reporter.mjs';
const CANARY = 'loopgen-node-canary.mjs';
const BAD_OPTION = 9;

/** `node --test` (Node 20 and later), by a reporter of the engine's own beside the user's. */
export const nodeTestAdapter: Adapter = {
  wraps: true,
  async prepare(run) {
    const folder = await placeAssets(run.scratch, [REPORTER, CANARY]);
    const canary = run.canary ? planFor(run) : undefined;
    if (canary && 'name' in canary)
      await placeCanarySettings(folder, { name: canary.name, root: run.seenAt });
    const file = join(run.scratch, `${randomUUID()}.jsonl`);
    const options = [
      `--test-reporter=${pathToFileURL(join(folder, REPORTER)).href}`,
      `--test-reporter-destination=${file}`,
    ];
    const env = {
      ...run.env,
      LOOPGEN_NONCE: run.nonce,
      LOOPGEN_ROOT: run.seenAt,
      // The reporter hands it on to the processes of the test files.
      ...(canary && 'name' in canary && { LOOPGEN_IMPORT: pathToFileURL(join(folder, CANARY)).href }),
    };
    const common = { ...(canary && { canary }) };
    const read = async () => {
      const report = await readReportFile(file);
      if (report.kind !== 'text') return NO_REPORT;
      const kind = (path: string) => kindOf(resolve(run.workdir, path));
      return readNodeReport(linesOf(report.text, run.nonce), kind, hasOption(run, FILTERS));
    };
    if (run.plain) {
      const words = [...options, ...remainingOptions(run.plain.call.args, run), ...namePattern(run, canary)];
      const args = words.map(quoteWord).join(' ');
      const explain = async (result: ExecResult, report: SuiteReport) =>
        report.begun ? undefined : refusedArguments('node', BAD_OPTION, result, report);
      return { line: insertAfter(run.plain, run.plain.call.nameAt, args), env, read, ...common, explain };
    }
    const before = run.env['NODE_OPTIONS'] ?? '';
    const screen = ['--test-reporter=spec', '--test-reporter-destination=stdout'];
    return {
      line: run.line,
      env: {
        ...env,
        NODE_OPTIONS: [before, ...[...options, ...screen].map(inNodeOptions)].join(' ').trim(),
        LOOPGEN_NODE_OPTIONS: before,
      },
      read,
      ...common,
    };
  },
};

/** With these the end of a file's process, or its tests, are out of the canary's reach. */
const WITHOUT_CANARY = /^--(?:test-force-exit|(?:experimental-)?test-isolation(?:=none)?)$/;

function planFor({ plain }: SuiteRun): CanaryPlan {
  const option = plain?.call.args.find((arg) => WITHOUT_CANARY.test(arg));
  if (option !== undefined) return { none: `none can be added with ${option}` };
  const name = canaryName();
  // Its own name ends with the file in whose process it ran.
  const partOf = ({ id }: TestResult) => id.slice(id.indexOf(name) + name.length + 1);
  return { name, partOf };
}

/** With these a file may have no test left. */
const FILTERS = /^--test-(?:name-pattern|skip-pattern|only)(?:=|$)/;

function hasOption({ plain }: SuiteRun, pattern: RegExp): boolean {
  return plain?.call.args.some((arg) => pattern.test(arg)) ?? false;
}

/** A test whose name is not asked for does not run. */
function namePattern(run: SuiteRun, canary: CanaryPlan | undefined): string[] {
  return hasOption(run, /^--test-name-pattern(?:=|$)/) && canary && 'name' in canary
    ? [`--test-name-pattern=${canary.name}`]
    : [];
}

/** `NODE_OPTIONS` is split at spaces outside of double quotes. */
function inNodeOptions(option: string): string {
  return option.includes(' ') ? `"${option}"` : option;
}

/** Each reporter needs a destination of its own; the bound is left to the user where they set one. */
function remainingOptions(args: readonly string[], run: SuiteRun): string[] {
  const has = (name: string) => args.some((arg) => arg === name || arg.startsWith(`${name}=`));
  const bound = has('--test-timeout') ? [] : [`--test-timeout=${run.boundMs}`];
  if (!has('--test-reporter')) {
    return [...bound, '--test-reporter=spec', '--test-reporter-destination=stdout'];
  }
  return has('--test-reporter-destination') ? bound : [...bound, '--test-reporter-destination=stdout'];
}

const TEST_FILE = /(?:^|[./_-])test\.[cm]?[jt]s$|(?:^|\/)test-[^/]+$/;
/** A call with a name, not inside of a function: a test or a suite. */
const CALLS = /^(?:await )?[\w$.]+\(\s*['"`]/m;

/** Tests of node:test, a script that asserts by itself, or a helper that lies among the tests. */
function kindOf(file: string): FileKind {
  try {
    const text = readFileSync(file, 'utf8');
    if (/['"](?:node:)?test['"]/.test(text))
      return TEST_FILE.test(file) || CALLS.test(text) ? 'node-test' : 'helper';
    return /\bassert\b/.test(text) ? 'script' : 'helper';
  } catch {
    // Gone or unreadable now: nothing can be said in its favour.
    return 'node-test';
  }
}
