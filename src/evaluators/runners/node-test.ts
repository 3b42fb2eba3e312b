import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { quoteWord } from '../../core/shell-line.ts';
import type { ExecResult } from '../../system/exec.ts';
import { type FileKind, readNodeReport } from '../reports/node-test.ts';
import { linesOf, readReportFile } from '../reports/report-file.ts';
import { NO_REPORT, type SuiteReport } from '../suite.ts';
import { type Adapter, insertAfter, placeAssets, refusedArguments, type SuiteRun } from './adapter.ts';

const REPORTER = 'loopgen-node-reporter.mjs';
const BAD_OPTION = 9;

/** `node --test` (Node 20 and later), by a reporter of the engine's own beside the user's. */
export const nodeTestAdapter: Adapter = {
  wraps: true,
  async prepare(run) {
    const folder = await placeAssets(run.scratch, [REPORTER]);
    const file = join(run.scratch, `${randomUUID()}.jsonl`);
    const options = [
      `--test-reporter=${pathToFileURL(join(folder, REPORTER)).href}`,
      `--test-reporter-destination=${file}`,
    ];
    const env = { ...run.env, LOOPGEN_NONCE: run.nonce, LOOPGEN_ROOT: run.workdir };
    const read = async () => {
      const report = await readReportFile(file);
      if (report.kind !== 'text') return NO_REPORT;
      return readNodeReport(linesOf(report.text, run.nonce), (path) => kindOf(resolve(run.workdir, path)));
    };
    if (run.plain) {
      const args = [...options, ...remainingOptions(run.plain.call.args, run)].map(quoteWord).join(' ');
      const explain = async (result: ExecResult, report: SuiteReport) =>
        report.begun ? undefined : refusedArguments('node', BAD_OPTION, result, report);
      return { line: insertAfter(run.plain, run.plain.call.nameAt, args), env, read, explain };
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
    };
  },
};

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

/** Tests of node:test, a script that asserts by itself, or a helper that lies among the tests. */
function kindOf(file: string): FileKind {
  try {
    const text = readFileSync(file, 'utf8');
    if (/['"](?:node:)?test['"]/.test(text)) return 'node-test';
    return /\bassert\b/.test(text) ? 'script' : 'helper';
  } catch {
    // Gone or unreadable now: nothing can be said in its favour.
    return 'node-test';
  }
}
