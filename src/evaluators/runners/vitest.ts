import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { EvaluationOutcome } from '../../core/check.ts';
import { quoteWord } from '../../core/shell-line.ts';
import { notFoundText, unusable } from '../endings.ts';
import { readJestJson } from '../reports/jest-json.ts';
import { readReportFile } from '../reports/report-file.ts';
import { NO_REPORT } from '../suite.ts';
import { type Adapter, insertAfter, type SuiteRun } from './adapter.ts';

/** Vitest, by its JSON report in a file of the engine's own; `run` is added, so that it never watches. */
export const vitestAdapter: Adapter = {
  wraps: false,
  async prepare(run) {
    const file = join(run.scratch, `${randomUUID()}.json`);
    const args = run.plain?.call.args ?? [];
    const reporters = args.some((arg) => /^--reporter\b/.test(arg)) ? [] : ['--reporter=default'];
    const options = [...reporters, '--reporter=json', `--outputFile.json=${file}`].map(quoteWord);
    const words =
      ['run', 'related'].includes(args[0] ?? '') || args.includes('--run') ? options : ['run', ...options];
    const nameAt = run.plain?.call.nameAt ?? 0;
    // The options follow the subcommand, so that they are not taken for its operands.
    const at = words === options && !args[0]?.startsWith('-') && args.length > 0 ? nameAt + 1 : nameAt;
    return {
      line: run.plain ? insertAfter(run.plain, at, words.join(' ')) : run.line,
      env: run.env,
      read: async () => {
        const report = await readReportFile(file);
        return report.kind === 'text' ? readJestJson(report.text, run.workdir) : NO_REPORT;
      },
      explain: async () => (isInstalled(run.cwd) || nameAt === 0 ? undefined : notInstalled(run)),
    };
  },
};

/** Whether a launcher such as npx finds vitest at or above the folder. */
function isInstalled(folder: string): boolean {
  if (existsSync(join(folder, 'node_modules', '.bin', 'vitest'))) return true;
  return dirname(folder) !== folder && isInstalled(dirname(folder));
}

function notInstalled({ cwd, env }: SuiteRun): EvaluationOutcome {
  return unusable('not-found', notFoundText(`vitest (at or above ${cwd}; npm install)`, env['PATH'] ?? ''));
}
