import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { quoteWord } from '../../core/shell-line.ts';
import { type CanaryRule, canaryName } from '../canary.ts';
import { readJestLines } from '../reports/jest-json.ts';
import { linesOf, readReportFile } from '../reports/report-file.ts';
import {
  type Adapter,
  type CallLine,
  editLine,
  type LineEdit,
  notInstalled,
  placeAssets,
  placeInstalledCanary,
} from './adapter.ts';

const REPORTER = 'loopgen-jest-reporter.cjs';
const CANARY = 'loopgen-jest-canary.cjs';

/** Jest, by a reporter of the engine's own. */
export const jestAdapter: Adapter = {
  wraps: false,
  async prepare(run) {
    const folder = await placeAssets(run.scratch, [REPORTER]);
    const file = join(run.scratch, `${randomUUID()}.jsonl`);
    const rule: CanaryRule = { name: canaryName(), partOf: ({ id }) => id.split(' > ')[0] ?? '' };
    const canary = run.canary ? await placeInstalledCanary(run.scratch, CANARY, rule.name) : undefined;
    const nameAt = run.plain?.call.nameAt ?? 0;
    return {
      line: run.plain ? withReporter(run.plain, join(folder, REPORTER), run.canary) : run.line,
      env: {
        ...run.env,
        LOOPGEN_NONCE: run.nonce,
        LOOPGEN_REPORT: file,
        ...(canary !== undefined && { LOOPGEN_CANARY: canary }),
      },
      ...(run.canary && { canary: rule }),
      read: async () => {
        const report = await readReportFile(file);
        return readJestLines(report.kind === 'text' ? linesOf(report.text, run.nonce) : [], run.seenAt);
      },
      explain: async () => (nameAt === 0 ? undefined : notInstalled('jest', run)),
    };
  },
};

function withReporter(call: CallLine, reporter: string, canary: boolean): string {
  const { args, nameAt } = call.call;
  const screen = args.some((arg) => /^--reporters\b/.test(arg)) ? [] : ['--reporters=default'];
  const options = [
    ...screen,
    `--reporters=${reporter}`,
    // A list of reporters takes all words up to the next option. With this one, no tests is a report too.
    '--passWithNoTests',
    // Every file has a test that fails.
    ...(canary ? ['--no-bail'] : []),
  ];
  const end = call.words[nameAt]?.end ?? call.line.length;
  const added = { start: end, end, text: ` ${options.map(quoteWord).join(' ')}` };
  return editLine(call.line, [added, ...(canary ? withoutBail(call) : [])]);
}

function withoutBail({ words, call }: CallLine): LineEdit[] {
  return words
    .slice(call.nameAt + 1)
    .flatMap(({ text, start, end }) =>
      /^(?:--bail(?:=.*)?|-b)$/.test(text) ? [{ start, end, text: '' }] : [],
    );
}
