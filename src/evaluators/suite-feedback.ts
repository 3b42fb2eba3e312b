import type { TestResult } from '../core/check.ts';
import { count } from '../core/outcome.ts';
import { headAndTail, stripAnsi } from '../system/text.ts';
import type { SuiteReport } from './suite.ts';

/** How many ids are listed; the rest is counted. */
const LISTED = 30;

/** `12 passed, 1 failed, 2 skipped`. */
export function countsOf(tests: readonly TestResult[]): string {
  const groups = [
    ['passed', 'passed'],
    ['failed', 'failed'],
    ['error', 'with errors'],
    ['xpassed', 'unexpectedly passed'],
    ['skipped', 'skipped'],
    ['xfailed', 'expected to fail'],
    ['todo', 'todo'],
  ] as const;
  const parts = groups.flatMap(([status, word]) => {
    const many = tests.filter((test) => test.status === status && !test.known).length;
    return many > 0 ? [`${many} ${word}`] : [];
  });
  const known = tests.filter((test) => test.known).length;
  if (known > 0) parts.push(`${count(known, 'known failure')} excepted`);
  return parts.join(', ') || 'no tests';
}

/** Failing ids with their places, the first one's detail, then the end of the output. */
export function suiteFeedback(
  head: string,
  failing: readonly TestResult[],
  report: SuiteReport,
  output: string,
  maxChars: number,
): string {
  const first = failing[0];
  const detail = first?.detail ?? first?.message;
  const listed = failing.slice(0, LISTED).map(describeTest);
  if (failing.length > LISTED) listed.push(`… and ${failing.length - LISTED} more`);
  const parts = [
    head,
    ...report.problems,
    headAndTail(listed.join('\n'), Math.floor(maxChars / 2)),
    detail === undefined
      ? ''
      : `first failure, ${first?.id}:\n${headAndTail(stripAnsi(detail), Math.floor(maxChars / 2))}`,
  ];
  const told = parts.filter((part) => part !== '').join('\n\n');
  const left = Math.max(Math.floor(maxChars / 4), maxChars - told.length);
  return withOutput(told, output, left);
}

/** The text with the output of the command below it, cut to `maxChars`. */
export function withOutput(text: string, output: string, maxChars: number): string {
  const clean = stripAnsi(output).trim();
  return clean === '' ? text : `${text}\n\noutput:\n${headAndTail(clean, maxChars)}`;
}

function describeTest(test: TestResult): string {
  const place = test.place === undefined ? '' : `  (${test.place})`;
  const what = [test.errorType, test.message].filter(Boolean).join(': ');
  return `- ${test.id}${place}${what === '' ? '' : `\n    ${what}`}`;
}
