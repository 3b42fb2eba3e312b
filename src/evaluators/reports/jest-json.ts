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
  xfailed: 'xfailed',
};

/** Reads a report in the shape that Jest defined. `root` is the workspace, as the runner saw it. */
export function readJestJson(report: unknown, root: string): SuiteReport {
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
    retried: files.flatMap((file) => file.retried),
    notRun: Math.max(0, (found ?? 0) - tests.filter((test) => test.id.includes(' > ')).length),
  };
}

/** Reads the lines of our reporters for Vitest, Jest and mocha: the report is one of them. */
export function readJestLines(lines: readonly Record<string, unknown>[], root: string): SuiteReport {
  const last = lines.find((line) => line['e'] === 'report');
  const report = readJestJson(last?.['report'], root);
  const failedCode = numberOf(last?.['failedCode']);
  const told = (event: string, key: string) =>
    lines.flatMap((line) => (line['e'] === event ? [textOf(line[key]) ?? event] : []));
  const [noCanary] = told('no-canary', 'because');
  const done = new Set(told('done', 'file'));
  const running = report.complete ? undefined : told('start', 'file').find((file) => !done.has(file));
  return {
    ...report,
    begun: lines.length > 0,
    problems: told('problem', 'message'),
    ...(noCanary !== undefined && { noCanary }),
    ...(failedCode !== undefined && { failedCode }),
    ...(running !== undefined && { running: inside(running, root) ?? running }),
  };
}

function inside(path: string, root: string): string | undefined {
  return path.startsWith(`${root}/`) ? relative(root, path) : undefined;
}

type FileReport = Pick<SuiteReport, 'tests' | 'unloadable' | 'retried'>;

function readFile(file: Record<string, unknown>, root: string): FileReport {
  const name = textOf(file['name']) ?? '(no name)';
  const own = inside(name, root);
  const path = own ?? name;
  const results = (Array.isArray(file['assertionResults']) ? file['assertionResults'] : []).filter(isRecord);
  const tests = results.map((test) => ({
    ...readTest(test, path, root),
    ...(own !== undefined && { file: path }),
  }));
  const retried = tests.flatMap(({ id, status }, i) =>
    status === 'passed' && (numberOf(results[i]?.['invocations']) ?? 1) > 1 ? [id] : [],
  );
  const wrong = ownFailure(file, tests);
  if (wrong === undefined) return { tests, unloadable: [], retried };
  const failure: TestResult = {
    id: path,
    status: 'error',
    ...(own !== undefined && { file: path }),
    ...describeJsError(wrong, root),
  };
  // With tests in it the file was loaded: a hook failed.
  return tests.length > 0
    ? { tests: [...tests, failure], unloadable: [], retried }
    : { tests, unloadable: [failure], retried };
}

/** What failed in the file beside its tests: told apart by our own reporter, else where no test of it failed. */
function ownFailure(file: Record<string, unknown>, tests: readonly TestResult[]): string | undefined {
  const told = textOf(file['ownFailure']);
  if (told !== undefined) return told;
  const failed = file['status'] === 'failed' && !tests.some((test) => test.status === 'failed');
  return failed ? (textOf(file['message']) ?? 'the file failed') : undefined;
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
