import { XMLParser, XMLValidator } from 'fast-xml-parser';
import type { TestResult, TestStatus } from '../../core/check.ts';
import { NO_REPORT, type SuiteReport } from '../suite.ts';
import { isRecord, textOf } from './report-file.ts';

type Element = Readonly<Record<string, unknown>>;

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  htmlEntities: true,
  processEntities: { enabled: true, maxTotalExpansions: 5_000_000, maxExpandedLength: 64_000_000 },
  isArray: (_name, path) =>
    /(?:^|\.)(?:testsuite|testcase|failure|error|rerunFailure|flakyFailure)$/.test(String(path)),
});

/** Reads JUnit XML as the runners write it: `testsuites`, nested or alone, or a bare `testsuite`. */
export function readJUnit(text: string, _place?: unknown): SuiteReport {
  if (XMLValidator.validate(text) !== true) return NO_REPORT;
  let root: unknown;
  try {
    root = parser.parse(text);
  } catch {
    // More than the parser accepts (entities without end): nothing in it can be relied on.
    return NO_REPORT;
  }
  if (!isRecord(root) || !('testsuites' in root || 'testsuite' in root)) return NO_REPORT;
  const suites = suitesIn(root);
  const cases = suites.flatMap((suite) => elements(suite, 'testcase').map((one) => ({ one, suite })));
  return {
    ...NO_REPORT,
    begun: true,
    complete: true,
    tests: cases.map(({ one, suite }) => readCase(one, suite)),
    notRun: suites.reduce((sum, suite) => sum + missingIn(suite), 0),
    problems: suites.flatMap(problemsOf),
    retried: cases
      .filter(({ one }) => 'rerunFailure' in one || 'flakyFailure' in one)
      .map(({ one, suite }) => readCase(one, suite).id),
  };
}

function suitesIn(element: Element): Element[] {
  const own = elements(element, 'testsuite');
  const whole = element['testsuites'];
  // Some runners list tests beside the suites.
  const inner = isRecord(whole) ? [whole, ...suitesIn(whole)] : [];
  return [...own, ...own.flatMap(suitesIn), ...inner];
}

function readCase(test: Element, suite: Element): TestResult {
  const name = attribute(test, 'name') ?? '(no name)';
  const owner = attribute(test, 'classname') ?? attribute(test, 'file') ?? attribute(suite, 'name');
  const id = owner === undefined || owner === '' ? name : `${owner} > ${name}`;
  const seconds = Number(attribute(test, 'time'));
  const status = statusOf(test);
  const why = status === 'failed' || status === 'error' ? failureOf(test) : {};
  return { id, status, ...why, ...(seconds > 0 && { durationMs: Math.round(seconds * 1000) }) };
}

function statusOf(test: Element): TestStatus {
  if ('error' in test) return 'error';
  if ('failure' in test) return 'failed';
  if ('skipped' in test) return 'skipped';
  // Google Test says `notrun`; any status but the known good ones is no pass.
  const status = attribute(test, 'status');
  if (status === undefined || /^(?:run|passed|pass|success|ok|completed)$/i.test(status)) return 'passed';
  return /fail|error/i.test(status) ? 'failed' : 'skipped';
}

function failureOf(test: Element): Partial<TestResult> {
  const failure = [...children(test, 'error'), ...children(test, 'failure')][0];
  const body =
    typeof failure === 'string' ? failure : isRecord(failure) ? textOf(failure['#text']) : undefined;
  const attributes = isRecord(failure) ? failure : {};
  const message = attribute(attributes, 'message') ?? body?.trim().split('\n')[0];
  const errorType = attribute(attributes, 'type');
  const [file, line] = [attribute(test, 'file'), attribute(test, 'line')];
  return {
    ...(message !== undefined && { message: (message.split('\n')[0] ?? '').slice(0, 300) }),
    ...(errorType !== undefined && { errorType }),
    ...(file !== undefined && { place: line === undefined ? file : `${file}:${line}` }),
    ...((body ?? message) !== undefined && { detail: (body ?? message ?? '').slice(0, 20_000) }),
  };
}

/** Tests that a suite counts without listing them. */
function missingIn(suite: Element): number {
  const claimed = Number(attribute(suite, 'tests') ?? 0);
  const listed = [suite, ...suitesIn(suite)].reduce((n, one) => n + elements(one, 'testcase').length, 0);
  return claimed > listed ? claimed - listed : 0;
}

/** Failures that a suite counts without listing them, and errors outside of any test. */
function problemsOf(suite: Element): string[] {
  const claimed = Number(attribute(suite, 'failures') ?? 0) + Number(attribute(suite, 'errors') ?? 0);
  const listed = [suite, ...suitesIn(suite)].flatMap((one) => elements(one, 'testcase'));
  const failing = listed.filter((test) => 'failure' in test || 'error' in test).length;
  if (!(claimed > 0 && failing === 0)) return [];
  return [`suite ${attribute(suite, 'name') ?? ''} counts ${claimed} failures, but lists none`];
}

function elements(parent: Element, name: string): Element[] {
  return children(parent, name).map((child) => (isRecord(child) ? child : {}));
}

function children(parent: Element, name: string): unknown[] {
  const value = parent[name];
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function attribute(element: Element, name: string): string | undefined {
  const value = element[`@${name}`];
  return typeof value === 'string' ? value : undefined;
}
