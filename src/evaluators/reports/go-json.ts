import type { TestResult, TestStatus } from '../../core/check.ts';
import { NO_REPORT, type SuiteReport } from '../suite.ts';
import { BoundedText } from './bounded-text.ts';
import { isRecord, numberOf, textOf } from './report-file.ts';

type Line = Readonly<Record<string, unknown>>;

/** What is known of a test besides its events. */
export interface GoPlaces {
  /** The package's folder and the test's file, relative to the workspace. */
  readonly fileOf: (packagePath: string, test: string) => string | undefined;
  readonly folderOf: (packagePath: string) => string | undefined;
}

const ENDS: Readonly<Record<string, TestStatus>> = { pass: 'passed', fail: 'failed', skip: 'skipped' };
/** Two ends of one test: the worse one counts. */
const RANK: Readonly<Partial<Record<TestStatus, number>>> = { passed: 0, skipped: 1, failed: 2 };
const REFUSED_FLAG = /^flag provided but not defined: .*/m;
const NOT_BUILT = /^FAIL\t(\S+) \[(?:build|setup) failed\]/m;

interface GoTest {
  status?: TestStatus;
  paused: boolean;
  /** Whether the test binary itself told how it ended. */
  told: boolean;
  ms?: number;
  readonly output: BoundedText;
}

interface GoPackage {
  end?: 'pass' | 'fail' | 'skip';
  failedBuild?: string;
  readonly tests: Map<string, GoTest>;
  readonly output: BoundedText;
}

/**
 * Reads what `go test -json` prints, as it comes. There is no nonce in it: the
 * test binary speaks through the go command, which ends each package by its
 * exit code.
 */
export class GoReport {
  readonly #packages = new Map<string, GoPackage>();
  readonly #builds = new Map<string, BoundedText>();
  readonly #screen = new BoundedText(96_000);
  #rest = '';

  /** Takes a piece of standard output; lines may be split anywhere. */
  add(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#addLine(line);
  }

  /** Takes what a person would be told beside the report. */
  addNote(text: string): void {
    this.#screen.add(text);
  }

  report(places: GoPlaces): SuiteReport {
    if (this.#rest !== '') this.#addLine(this.#rest);
    this.#rest = '';
    const packages = [...this.#packages];
    const open = packages.filter(([, one]) => one.end === undefined);
    const running = open.flatMap(([path, one]) => unfinished(one).map((name) => idOf(path, name))).at(-1);
    return {
      ...NO_REPORT,
      begun: packages.length > 0 || this.#builds.size > 0,
      complete: packages.length > 0 && open.length === 0,
      tests: packages.flatMap(([path, one]) => testsOf(path, one, places)),
      unloadable: packages.flatMap(([path, one]) => this.#notBuilt(path, one)),
      ...(running !== undefined && { running }),
      problems: packages.flatMap(([, one]) => refusedFlag(one) ?? []).slice(0, 1),
      output: this.#screen.text(),
    };
  }

  #addLine(text: string): void {
    const line = parse(text);
    if (line === undefined) {
      // Older versions tell of a build that failed without JSON.
      const path = NOT_BUILT.exec(text)?.[1];
      if (path !== undefined) this.#package(path).end = 'fail';
      if (path !== undefined) this.#package(path).failedBuild = path;
      this.#screen.add(`${text}\n`);
      return;
    }
    const output = textOf(line['Output']);
    if (output !== undefined) this.#screen.add(output);
    const path = textOf(line['Package']);
    if (path === undefined) this.#addBuild(line, output);
    else this.#addEvent(this.#package(path), line, output);
  }

  #addBuild(line: Line, output: string | undefined): void {
    const path = textOf(line['ImportPath']) ?? '';
    const build = this.#builds.get(path) ?? new BoundedText(20_000);
    this.#builds.set(path, build);
    if (output !== undefined) build.add(output);
  }

  #package(path: string): GoPackage {
    const known = this.#packages.get(path);
    if (known) return known;
    const made: GoPackage = { tests: new Map(), output: new BoundedText(20_000) };
    this.#packages.set(path, made);
    return made;
  }

  #addEvent(one: GoPackage, line: Line, output: string | undefined): void {
    const name = textOf(line['Test']);
    if (name !== undefined) addTestEvent(one, name, line, output);
    else if (output !== undefined) one.output.add(output);
    else addPackageEnd(one, line);
  }

  #notBuilt(path: string, one: GoPackage): TestResult[] {
    const failed = one.failedBuild ?? (NOT_BUILT.test(one.output.text()) ? path : undefined);
    if (failed === undefined || one.tests.size > 0) return [];
    const detail = this.#builds.get(failed)?.text() ?? one.output.text();
    const [place, message] = firstProblem(detail);
    return [
      {
        id: path,
        status: 'error',
        ...(place !== undefined && { place }),
        errorType: 'BuildFailed',
        message,
        ...(detail !== '' && { detail }),
      },
    ];
  }
}

function parse(text: string): Line | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && typeof value['Action'] === 'string' ? value : undefined;
  } catch {
    // Not an event: something else was printed.
    return undefined;
  }
}

function addTestEvent(one: GoPackage, name: string, line: Line, output: string | undefined): void {
  const test = one.tests.get(name) ?? { paused: false, told: false, output: new BoundedText(20_000) };
  one.tests.set(name, test);
  if (output !== undefined) test.output.add(output);
  if (output !== undefined && /^\s*--- [A-Z]+: /.test(output)) test.told = true;
  const action = String(line['Action']);
  if (action === 'pause' || action === 'cont') test.paused = action === 'pause';
  const status = ENDS[action];
  if (status === undefined) return;
  // The process ended within the test: the end of the package is ascribed to it.
  if (!test.told) addPackageEnd(one, line);
  else if ((RANK[test.status ?? 'passed'] ?? 0) <= (RANK[status] ?? 0)) test.status = status;
  const seconds = numberOf(line['Elapsed']);
  if (seconds !== undefined) test.ms = Math.round(seconds * 1000);
}

function addPackageEnd(one: GoPackage, line: Line): void {
  const action = line['Action'];
  if (action !== 'pass' && action !== 'fail' && action !== 'skip') return;
  one.end = action;
  const build = textOf(line['FailedBuild']);
  if (build !== undefined) one.failedBuild = build;
}

function idOf(path: string, name: string): string {
  return `${path} > ${name}`;
}

/** A flag that the test binaries do not know: nothing was run. */
function refusedFlag(one: GoPackage): string | undefined {
  return one.tests.size === 0 && one.end === 'fail' ? REFUSED_FLAG.exec(one.output.text())?.[0] : undefined;
}

function unfinished(one: GoPackage): string[] {
  return [...one.tests].flatMap(([name, test]) => (test.status === undefined ? [name] : []));
}

function testsOf(path: string, one: GoPackage, places: GoPlaces): TestResult[] {
  const tests = [...one.tests].map(([name, test]) => resultOf(path, name, test, one, places));
  return [...tests, ...wholeOf(path, one, tests)];
}

function resultOf(path: string, name: string, test: GoTest, one: GoPackage, places: GoPlaces): TestResult {
  const file = places.fileOf(path, name);
  const common = {
    id: idOf(path, name),
    ...(file !== undefined && { file }),
    ...(test.ms !== undefined && { durationMs: test.ms }),
  };
  const output = test.output.text();
  if (test.status === undefined) return { ...common, ...lostTest(test, one) };
  if (test.status !== 'failed') return { ...common, status: test.status };
  const [place, message] = firstProblem(output, places.folderOf(path));
  return { ...common, status: 'failed', ...(place !== undefined && { place }), message, detail: output };
}

/** A test without an end: the package's limit was over, or the process ended beneath it. */
function lostTest(test: GoTest, one: GoPackage): Omit<TestResult, 'id'> {
  const detail = `${test.output.text()}${one.output.text()}`.slice(0, 20_000);
  if (!/panic: test timed out after/.test(detail)) {
    return { status: 'error', message: 'the process ended before the test did', detail };
  }
  return test.paused
    ? { status: 'error', message: 'it did not have its turn before the time limit of its package' }
    : {
        status: 'failed',
        errorType: 'HangingTest',
        message: 'it was still running at the time limit of its package',
        detail,
      };
}

/** What is to be said of a package besides its tests. */
function wholeOf(path: string, one: GoPackage, tests: readonly TestResult[]): TestResult[] {
  const output = one.output.text();
  const foreign = one.failedBuild !== undefined || NOT_BUILT.test(output) || refusedFlag(one) !== undefined;
  if (one.end === 'fail' && !foreign) {
    if (tests.some(({ status }) => status === 'failed' || status === 'error')) return [];
    const [, message] = firstProblem(output);
    return [
      {
        id: path,
        status: 'error',
        message: `the package failed outside of its tests: ${message}`,
        detail: output,
      },
    ];
  }
  // A main of the tests may leave them out for want of a service; but so may anything that ends the process.
  const silent = one.end === 'pass' && tests.length === 0 && !/\[?no tests to run\]?/.test(output);
  return silent ? [{ id: path, status: 'skipped', message: 'its process ended before any test' }] : [];
}

/** The first `file.go:12: message` of an output, else its first line that says something. */
function firstProblem(output: string, folder?: string): [place: string | undefined, message: string] {
  const lines = output.split('\n');
  for (const [i, line] of lines.entries()) {
    const [, file, number, rest = ''] = /^\s*([\w./-]+\.go):(\d+):(?:\d+:)? ?(.*)$/.exec(line) ?? [];
    if (file === undefined) continue;
    const place =
      folder === undefined || file.includes('/') ? file : [folder, file].filter(Boolean).join('/');
    const message = rest.trim() || (lines.slice(i + 1).find((next) => next.trim() !== '') ?? '').trim();
    return [`${place}:${number}`, message.slice(0, 300)];
  }
  const said = lines.find((line) => line.trim() !== '' && !/^(?:\s*(?:===|---)|FAIL\b|ok\b|#)/.test(line));
  return [undefined, (said ?? 'failed').trim().slice(0, 300)];
}
