import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { quoteWord } from '../../core/shell-line.ts';
import { type CanaryRule, canaryName } from '../canary.ts';
import { readMochaLines } from '../reports/mocha.ts';
import { linesOf, readReportFile } from '../reports/report-file.ts';
import {
  type Adapter,
  type CallLine,
  editLine,
  type LineEdit,
  notInstalled,
  placeAssets,
} from './adapter.ts';

const SETUP = 'loopgen-mocha-setup.cjs';
const REPORTER = 'loopgen-mocha-reporter.cjs';
const CANARY = 'loopgen-mocha-canary.cjs';

/** mocha, by a reporter of the engine's own, which prints what the `spec` reporter prints. */
export const mochaAdapter: Adapter = {
  wraps: false,
  async prepare(run) {
    const folder = await placeAssets(run.scratch, [SETUP, REPORTER, CANARY]);
    const file = join(run.scratch, `${randomUUID()}.jsonl`);
    // All files share one process.
    const rule: CanaryRule = { name: canaryName(), partOf: () => '' };
    if (run.canary) await writeFile(join(folder, 'canary.json'), JSON.stringify({ name: rule.name }));
    const options = [`--require=${join(folder, SETUP)}`, `--reporter=${join(folder, REPORTER)}`];
    const nameAt = run.plain?.call.nameAt ?? 0;
    return {
      line: run.plain ? withOptions(run.plain, options) : run.line,
      env: {
        ...run.env,
        LOOPGEN_NONCE: run.nonce,
        LOOPGEN_REPORT: file,
        ...(run.canary && { LOOPGEN_CANARY: join(folder, CANARY) }),
      },
      ...(run.canary && { canary: rule }),
      read: async () => {
        const report = await readReportFile(file);
        return readMochaLines(report.kind === 'text' ? linesOf(report.text, run.nonce) : [], run.seenAt);
      },
      explain: async () => (nameAt === 0 ? undefined : notInstalled('mocha', run)),
    };
  },
};

function withOptions(call: CallLine, options: readonly string[]): string {
  const end = call.words[call.call.nameAt]?.end ?? call.line.length;
  const added = { start: end, end, text: ` ${options.map(quoteWord).join(' ')}` };
  return editLine(call.line, [added, ...withoutReporter(call)]);
}

/** mocha takes one reporter only. */
function withoutReporter({ words, call }: CallLine): LineEdit[] {
  const first = call.nameAt + 1;
  return words.slice(first).flatMap(({ text, start, end }, i) => {
    if (/^(?:--reporter|-R)=/.test(text)) return [{ start, end, text: '' }];
    if (!/^(?:--reporter|-R)$/.test(text)) return [];
    return [{ start, end: words[first + i + 1]?.end ?? end, text: '' }];
  });
}
