import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { EvaluationOutcome } from '../../core/check.ts';
import { quoteWord } from '../../core/shell-line.ts';
import { type CanaryRule, canaryName } from '../canary.ts';
import { notFoundText, unusable } from '../endings.ts';
import { readJestJson } from '../reports/jest-json.ts';
import { linesOf, readReportFile, textOf } from '../reports/report-file.ts';
import type { SuiteReport } from '../suite.ts';
import {
  type Adapter,
  type CallLine,
  insertAfter,
  placeAssets,
  placeCanarySettings,
  type SuiteRun,
} from './adapter.ts';

const REPORTER = 'loopgen-vitest-reporter.mjs';
const CANARY = 'loopgen-vitest-canary.mjs';

/** Vitest, by a reporter of the engine's own; `run` is added, so that it never watches. */
export const vitestAdapter: Adapter = {
  wraps: false,
  async prepare(run) {
    const folder = await placeAssets(run.scratch, [REPORTER, CANARY]);
    const file = join(run.scratch, `${randomUUID()}.jsonl`);
    const rule: CanaryRule = { name: canaryName(), partOf: ({ id }) => id.split(' > ')[0] ?? '' };
    if (run.canary) await placeCanarySettings(folder, { name: rule.name, root: run.seenAt });
    const lines = async () => {
      const report = await readReportFile(file);
      return report.kind === 'text' ? linesOf(report.text, run.nonce) : [];
    };
    const nameAt = run.plain?.call.nameAt ?? 0;
    return {
      line: run.plain ? withReporter(run.plain, join(folder, REPORTER)) : run.line,
      env: {
        ...run.env,
        LOOPGEN_NONCE: run.nonce,
        LOOPGEN_REPORT: file,
        ...(run.canary && { LOOPGEN_CANARY: join(folder, CANARY) }),
      },
      ...(run.canary && { canary: rule }),
      read: async () => readLines(await lines(), run.seenAt),
      explain: async () => (isInstalled(run) || nameAt === 0 ? undefined : notInstalled(run)),
    };
  },
};

function withReporter(call: CallLine, reporter: string): string {
  const { args, nameAt } = call.call;
  const reporters = args.some((arg) => /^--reporter\b/.test(arg)) ? [] : ['--reporter=default'];
  const options = [...reporters, `--reporter=${reporter}`].map(quoteWord);
  const words =
    ['run', 'related'].includes(args[0] ?? '') || args.includes('--run') ? options : ['run', ...options];
  // The options follow the subcommand, so that they are not taken for its operands.
  const at = words === options && !args[0]?.startsWith('-') && args.length > 0 ? nameAt + 1 : nameAt;
  return insertAfter(call, at, words.join(' '));
}

function readLines(lines: readonly Record<string, unknown>[], root: string): SuiteReport {
  const report = readJestJson(lines.find((line) => line['e'] === 'report')?.['report'], root);
  const told = (event: string, key: string) =>
    lines.flatMap((line) => (line['e'] === event ? [textOf(line[key]) ?? event] : []));
  const [noCanary] = told('no-canary', 'because');
  return {
    ...report,
    begun: lines.length > 0,
    problems: told('problem', 'message'),
    ...(noCanary !== undefined && { noCanary }),
  };
}

/** Whether a launcher such as npx finds vitest at or above the folder. */
function isInstalled({ cwd, workdir, seenAt }: SuiteRun): boolean {
  // A room may have its dependencies only where the command sees them.
  return isAtOrAbove(cwd) || isAtOrAbove(join(seenAt, relative(workdir, cwd)));
}

function isAtOrAbove(folder: string): boolean {
  if (existsSync(join(folder, 'node_modules', '.bin', 'vitest'))) return true;
  return dirname(folder) !== folder && isAtOrAbove(dirname(folder));
}

function notInstalled({ cwd, env }: SuiteRun): EvaluationOutcome {
  return unusable('not-found', notFoundText(`vitest (at or above ${cwd}; npm install)`, env['PATH'] ?? ''));
}
