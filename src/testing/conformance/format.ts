import type { ConformanceReport, ScenarioResult } from './scenario.ts';

const SIGNS = { passed: '✓', failed: '✗', skipped: '-' } as const;
const TITLE = 28;
const INDENT = 6;

/** The report for a person: a line for each scenario, reasons below, as wide as asked. Default: 80 columns. */
export function formatConformanceReport(report: ConformanceReport, width = 80): string {
  const { driver, missing, scenarios, durationMs } = report;
  const head = `driver ${driver}: ${summaryOf(report)}, ${seconds(durationMs)}`;
  const lines = missing.length > 0 ? missing.flatMap((text) => indented(`- ${text}`, width)) : [];
  return [head, '', ...lines, ...scenarios.flatMap((scenario) => rows(scenario, width))].join('\n');
}

function summaryOf({ missing, scenarios }: ConformanceReport): string {
  if (missing.length > 0) return 'cannot run here';
  const count = (status: ScenarioResult['status']) =>
    scenarios.filter((scenario) => scenario.status === status).length;
  return `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`;
}

function rows({ title, status, because, durationMs }: ScenarioResult, width: number): readonly string[] {
  const time = status === 'skipped' ? 'skipped' : seconds(durationMs);
  const row = `  ${SIGNS[status]} ${title.padEnd(TITLE)} ${time.padStart(8)}`;
  return because === undefined ? [row] : [row, ...indented(because, width)];
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

function indented(text: string, width: number): readonly string[] {
  const room = Math.max(20, width - INDENT);
  const lines: string[] = [];
  for (const word of text.split(/\s+/).flatMap((part) => chunks(part, room))) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= room)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => ' '.repeat(INDENT) + line);
}

function chunks(word: string, size: number): readonly string[] {
  const pieces: string[] = [];
  for (let from = 0; from < word.length; from += size) pieces.push(word.slice(from, from + size));
  return pieces;
}
