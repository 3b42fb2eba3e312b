import type { TestResult, TestStatus } from '../../core/check.ts';
import type { SuiteReport } from '../suite.ts';
import { described, fileOf } from './python.ts';
import { numberOf, textOf } from './report-file.ts';

type Line = Readonly<Record<string, unknown>>;

/** What a test file is by its text. Decides what it means that the file reported no test of its own. */
export type FileKind = 'node-test' | 'script' | 'helper';

/**
 * Folds the lines that `loopgen-node-reporter.mjs` writes. `kindOf` is asked for files that reported no test;
 * `filtered`: the command chooses tests by name, so that a file may have none left.
 */
export function readNodeReport(
  lines: readonly Line[],
  kindOf: (file: string) => FileKind,
  filtered = false,
): SuiteReport {
  const fold = new Fold(kindOf, filtered);
  for (const line of lines) fold.add(line);
  return fold.report();
}

class Fold {
  readonly #kindOf: (file: string) => FileKind;
  readonly #filtered: boolean;
  readonly #tests: TestResult[] = [];
  readonly #unloadable: TestResult[] = [];
  readonly #caveats: string[] = [];
  /** Tests that began to run, by file, nesting and name, without an end so far. */
  readonly #open = new Map<string, string>();
  /** Files whose own process reported tests. */
  readonly #files = new Set<string>();
  #begun = false;
  #ended = false;
  /** Names of the tests that enclose the one being reported, and the one being started. */
  #reported: string[] = [];
  #started: string[] = [];

  constructor(kindOf: (file: string) => FileKind, filtered: boolean) {
    this.#kindOf = kindOf;
    this.#filtered = filtered;
  }

  add(line: Line): void {
    switch (line['e']) {
      case 'begin':
        this.#begun = true;
        break;
      case 'end':
        this.#ended = true;
        break;
      case 'dequeue':
        this.#started = pathTo(this.#started, line);
        if (line['whole'] !== true) this.#open.set(keyOf(line), idOf(line, this.#started));
        else this.#files.add(textOf(line['file']) ?? '');
        break;
      case 'complete':
        this.#open.delete(keyOf(line));
        break;
      case 'start':
        this.#reported = pathTo(this.#reported, line);
        break;
      case 'pass':
      case 'fail':
        this.#open.delete(keyOf(line));
        this.#addResult(line);
        break;
    }
  }

  #addResult(line: Line): void {
    if (line['whole'] === true) {
      this.#addFile(line);
      return;
    }
    const status = statusOf(line);
    // A suite is no test of its own; it is told where it failed by itself (a hook) or was left out.
    if (line['suite'] === true && (status === 'passed' || line['failure'] === 'subtestsFailed')) return;
    this.#tests.push(result(idOf(line, pathTo(this.#reported, line)), status, line));
  }

  #addFile(line: Line): void {
    const file = textOf(line['file']) ?? '';
    this.#files.delete(file);
    const kind = this.#kindOf(file);
    if (line['e'] === 'fail') this.#addFailedFile(file, kind, line);
    else if (kind === 'node-test') {
      if (this.#filtered) return;
      this.#tests.push({
        id: file,
        status: 'error',
        message: 'the file ended before any of its tests was reported',
      });
    } else if (kind === 'script') {
      this.#tests.push(result(file, 'passed', line));
      this.#caveats.push(`${file} is a plain script: its exit code alone was judged`);
    }
  }

  #addFailedFile(file: string, kind: FileKind, line: Line): void {
    if (line['failure'] === 'testTimeoutFailure') {
      const seconds = Math.round(numberOf(line['ms']) ?? 0) / 1000;
      const message = `the file was still running after ${seconds} s`;
      this.#tests.push({ id: file, status: 'failed', errorType: 'HangingFile', message });
    } else if (textOf(line['signal']) !== undefined) {
      const message = `the file's process was ended by ${line['signal']}`;
      this.#tests.push({ id: file, status: 'error', errorType: String(line['signal']), message });
    } else if (kind === 'node-test' && !this.#tests.some((test) => test.id.startsWith(`${file} > `))) {
      this.#unloadable.push({ id: file, status: 'error', message: 'the file did not load' });
    } else {
      this.#tests.push({
        id: file,
        status: 'failed',
        message: `the file ended with exit code ${line['exit'] ?? '?'}`,
      });
    }
  }

  report(): SuiteReport {
    const unfinished = [...this.#open.values()];
    const lost = unfinished.map((id) => ({ id, status: 'error', message: 'the test never ended' }) as const);
    const running = unfinished.at(-1);
    return {
      begun: this.#begun,
      complete: this.#ended,
      tests: [...this.#tests, ...lost],
      unloadable: this.#unloadable,
      notRun: 0,
      ...(running !== undefined && { running }),
      problems: [],
      retried: [],
      caveats: this.#caveats,
      parts: [...this.#files],
    };
  }
}

function statusOf(line: Line): TestStatus {
  if (line['skip'] === true) return 'skipped';
  if (line['todo'] === true) return 'todo';
  return line['e'] === 'pass' ? 'passed' : 'failed';
}

function result(id: string, status: TestStatus, line: Line): TestResult {
  const ms = numberOf(line['ms']);
  const why = status === 'failed' || status === 'error' ? described(line) : {};
  return { id, status, ...fileOf(line), ...why, ...(ms !== undefined && { durationMs: Math.round(ms) }) };
}

/** The names from the outermost test to this one. */
function pathTo(path: readonly string[], line: Line): string[] {
  return [...path.slice(0, numberOf(line['nesting']) ?? 0), textOf(line['name']) ?? '(no name)'];
}

function idOf(line: Line, path: readonly string[]): string {
  return [textOf(line['file']) ?? '', ...path].filter((part) => part !== '').join(' > ');
}

function keyOf(line: Line): string {
  return JSON.stringify([line['file'], line['nesting'], line['name']]);
}
