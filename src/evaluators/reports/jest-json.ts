import { relative } from 'node:path';
import type { TestResult, TestStatus } from '../../core/check.ts';
import { NO_REPORT, type SuiteReport } from '../suite.ts';
import { describeJsError } from './js-stack.ts';
import { isRecord, numberOf, textOf } from './report-file.ts';

/** The statuses of the format; one that is not here is no pass. `pending` is a test without a result. */
const STATUSES: Readonly<Record<string, TestStatus>> = {
  passed: 'passed',
  failed: 'failed',
  skipped: 'skipped',
  disabled: 'skipped',
  todo: 'todo',
};

/** Reads the JSON report that Jest defined and Vitest writes too. `root` is the workspace. */
export function readJestJson(text: string, root: string): SuiteReport {
  let report: unknown;
  try {
    report = JSON.parse(text);
  } catch {
    // Broken off, or no report at all: nothing in it can be relied on.
    return NO_REPORT;
  }
  if (!isRecord(report) || !Array.isArray(report['testResults'])) return NO_REPORT;
  const files = report['testResults'].filter(isRecord).map((file) => readFile(file, root));
  const found = numberOf(report['numTotalTests']);
  const tests = files.flatMap((file) => file.tests);
  return {
    ...NO_REPORT,
    begun: true,
    complete: found === undefined || typeof report['success'] === 'boolean',
    tests,
    unloadable: files.flatMap((file) => file.unloadable),
    notRun: Math.max(0, (found ?? 0) - tests.filter((test) => test.id.includes(' > ')).length),
  };
}

type FileReport = Pick<SuiteReport, 'tests' | 'unloadable'>;

function readFile(file: Record<string, unknown>, root: string): FileReport {
  const name = textOf(file['name']) ?? '(no name)';
  const path = name.startsWith(`${root}/`) ? relative(root, name) : name;
  const tests = (Array.isArray(file['assertionResults']) ? file['assertionResults'] : [])
    .filter(isRecord)
    .map((test) => readTest(test, path, root));
  const failedByItself = file['status'] === 'failed' && !tests.some((test) => test.status === 'failed');
  if (!failedByItself) return { tests, unloadable: [] };
  const failure: TestResult = {
    id: path,
    status: 'error',
    ...describeJsError(textOf(file['message']) ?? 'the file failed', root),
  };
  // With tests in it the file was loaded: a hook failed.
  return tests.length > 0 ? { tests: [...tests, failure], unloadable: [] } : { tests, unloadable: [failure] };
}

function readTest(test: Record<string, unknown>, path: string, root: string): TestResult {
  const ancestors = Array.isArray(test['ancestorTitles']) ? test['ancestorTitles'].map(String) : [];
  const title = textOf(test['title']) ?? textOf(test['fullName']) ?? '(no name)';
  const id = [path, ...ancestors, title].join(' > ');
  const status = STATUSES[String(test['status'])];
  const ms = numberOf(test['duration']);
  const duration = ms === undefined ? {} : { durationMs: Math.round(ms) };
  if (status === undefined) return { id, status: 'error', message: 'the test has no result', ...duration };
  const failures = Array.isArray(test['failureMessages']) ? test['failureMessages'].map(String) : [];
  const why = status === 'failed' ? describeJsError(failures.join('\n\n') || 'failed', root) : {};
  return { id, status, ...why, ...duration };
}
