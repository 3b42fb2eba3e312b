import { relative } from 'node:path';
import type { TestResult, TestStatus } from '../../core/check.ts';
import { NO_REPORT, type SuiteReport } from '../suite.ts';
import { describeJsError } from './js-stack.ts';
import { isRecord, numberOf, textOf } from './report-file.ts';

type Entry = Readonly<Record<string, unknown>>;

/** The statuses of the format; one that is not here is no pass. */
const STATUSES: Readonly<Record<string, TestStatus>> = {
  passed: 'passed',
  failed: 'failed',
  skipped: 'skipped',
  pending: 'todo',
  other: 'skipped',
};

/** Reads a report in the Common Test Report Format. `root` is the workspace, as the runner saw it. */
export function readCtrf(text: string, root: string): SuiteReport {
  const results = resultsOf(text);
  const entries = results?.['tests'];
  if (!isRecord(results) || !Array.isArray(entries)) return NO_REPORT;
  const tests = entries.filter(isRecord).map((entry) => ({ entry, test: readTest(entry, root) }));
  const summary = isRecord(results['summary']) ? results['summary'] : {};
  const failing = tests.some(({ test }) => test.status === 'failed' || test.status === 'error');
  const claimed = numberOf(summary['failed']) ?? 0;
  return {
    ...NO_REPORT,
    begun: true,
    complete: true,
    tests: tests.map(({ test }) => test),
    notRun: Math.max(0, (numberOf(summary['tests']) ?? 0) - tests.length),
    problems: claimed > 0 && !failing ? [`the summary counts ${claimed} failures, but none is listed`] : [],
    retried: tests.flatMap(({ entry, test }) => (isRetried(entry, test) ? [test.id] : [])),
  };
}

function resultsOf(text: string): Entry | undefined {
  try {
    const report: unknown = JSON.parse(text);
    const results = isRecord(report) ? report['results'] : undefined;
    return isRecord(results) ? results : undefined;
  } catch {
    // Not JSON, or broken off.
    return undefined;
  }
}

function readTest(entry: Entry, root: string): TestResult {
  const path = textOf(entry['filePath']);
  const file = path?.startsWith(`${root}/`) ? relative(root, path) : path;
  const suite = [entry['suite']].flat().filter((one) => typeof one === 'string' && one !== '');
  const names = [...suite, textOf(entry['name']) ?? '(no name)'];
  // Some reporters have the file as the outermost suite.
  const id = (file === undefined || names[0] === file ? names : [file, ...names]).join(' > ');
  const status = STATUSES[String(entry['status'])] ?? 'error';
  const ms = numberOf(entry['duration']);
  const isInside = file !== undefined && !file.startsWith('/');
  return {
    id,
    status,
    ...(isInside && { file }),
    ...(ms !== undefined && { durationMs: Math.round(ms) }),
    ...failureOf(entry, status, root, isInside ? file : undefined),
  };
}

function failureOf(
  entry: Entry,
  status: TestStatus,
  root: string,
  file: string | undefined,
): Partial<TestResult> {
  if (status !== 'failed' && status !== 'error') return {};
  const [message, trace] = [textOf(entry['message']), textOf(entry['trace'])];
  const line = numberOf(entry['line']);
  return {
    ...describeJsError(trace ?? message ?? 'failed', root),
    ...(message !== undefined && { message: (message.split('\n')[0] ?? '').slice(0, 300) }),
    ...(file !== undefined && line !== undefined && { place: `${file}:${line}` }),
  };
}

function isRetried(entry: Entry, test: TestResult): boolean {
  return test.status === 'passed' && (entry['flaky'] === true || (numberOf(entry['retries']) ?? 0) > 0);
}
