import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { quoteWord } from '../../core/shell-line.ts';
import { type CanaryRule, canaryName } from '../canary.ts';
import { readJestLines } from '../reports/jest-json.ts';
import { linesOf, readReportFile } from '../reports/report-file.ts';
import {
  type Adapter,
  type CallLine,
  insertAfter,
  notInstalled,
  placeAssets,
  placeCanarySettings,
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
      read: async () => readJestLines(await lines(), run.seenAt),
      explain: async () => (nameAt === 0 ? undefined : notInstalled('vitest', run)),
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
