import type { TestResult } from '../../core/check.ts';
import { NO_REPORT, type SuiteReport } from '../suite.ts';
import { readJUnit } from './junit.ts';

/** One file of Surefire's or Failsafe's. */
export interface SurefireFile {
  /** The module's folder, relative to the workspace; empty for the workspace itself. */
  readonly module: string;
  readonly text: string;
}

/** The source file of a class of that module, relative to the workspace. */
export type FindClass = (module: string, name: string) => string | undefined;

const FRAME = /\bat (?:[\w.@-]*\/\/?)?([\w.$]+)\.[\w$<>]+\([\w$]+\.\w+:(\d+)\)/g;
/** `[ERROR] /path/App.java:[3,5] cannot find symbol` */
const COMPILER = /^\[ERROR\] (?:file:\/\/)?(\/[^\n:]+\.\w+):\[?(\d+)[,:]\d+\]? (.*)$/gm;

/** Reads the XML files of one run, whose names and classes have `suffix` in them. */
export function readSurefire(files: readonly SurefireFile[], suffix: string, find: FindClass): SuiteReport {
  const reports = files.map(({ module, text }) => ({ module, report: readJUnit(text) }));
  const named = (module: string, id: string) =>
    [module, id.replaceAll(`(${suffix})`, '')].filter((part) => part !== '').join(' > ');
  return {
    ...NO_REPORT,
    begun: reports.length > 0,
    complete: reports.length > 0 && reports.every(({ report }) => report.complete),
    tests: reports.flatMap(({ module, report }) =>
      report.tests.map((test) => {
        const plain = test.id.replaceAll(`(${suffix})`, '');
        return { ...test, id: named(module, plain), ...placesOf(test, plain, (name) => find(module, name)) };
      }),
    ),
    notRun: reports.reduce((sum, { report }) => sum + report.notRun, 0),
    problems: reports.flatMap(({ report }) =>
      report.problems.map((text) => text.replaceAll(`(${suffix})`, '')),
    ),
    retried: reports.flatMap(({ module, report }) => report.retried.map((id) => named(module, id))),
  };
}

function placesOf(
  test: TestResult,
  id: string,
  find: (name: string) => string | undefined,
): Pick<TestResult, 'file' | 'place'> {
  const file = find(id.split(' > ')[0] ?? '');
  const frames = [...(test.detail ?? '').matchAll(FRAME)].flatMap(([, name = '', line]) => {
    const path = find(name);
    return path === undefined ? [] : [`${path}:${line}`];
  });
  const place = frames.find((frame) => file !== undefined && frame.startsWith(`${file}:`)) ?? frames[0];
  return { ...(file !== undefined && { file }), ...(place !== undefined && { place }) };
}

/** What the compiler complained of, by file. */
export function compilerErrors(output: string, inside: (path: string) => string | undefined): TestResult[] {
  const errors = [...output.matchAll(COMPILER)].map(([, path = '', line, message = '']): TestResult => {
    const file = inside(path) ?? path;
    return {
      id: file,
      status: 'error',
      file,
      place: `${file}:${line}`,
      errorType: 'BuildFailed',
      message: message.slice(0, 300),
    };
  });
  return errors.filter((one, i) => errors.findIndex(({ id }) => id === one.id) === i);
}
