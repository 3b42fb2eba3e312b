import type { TestResult, TestStatus } from '../../core/check.ts';
import type { SuiteReport } from '../suite.ts';
import { numberOf, textOf } from './report-file.ts';

type Line = Readonly<Record<string, unknown>>;

/** How bad an outcome is: the worst phase of a test is its result. */
const RANK: Readonly<Record<TestStatus, number>> = {
  passed: 0,
  skipped: 1,
  xfailed: 1,
  todo: 1,
  xpassed: 2,
  failed: 3,
  error: 3,
};

/** Folds the lines that `loopgen_pytest.py` and `loopgen_unittest.py` write. */
export function readPythonReport(lines: readonly Line[]): SuiteReport {
  const fold = new Fold();
  for (const line of lines) fold.add(line);
  return fold.report();
}

class Fold {
  #begun = 0;
  #ended = 0;
  #done = 0;
  #collected = 0;
  #stuck: string | undefined;
  readonly #tests = new Map<string, TestResult>();
  readonly #running = new Set<string>();
  readonly #retried = new Set<string>();
  readonly #unloadable: TestResult[] = [];
  readonly #problems: string[] = [];

  add(line: Line): void {
    const id = textOf(line['id']) ?? '';
    switch (line['e']) {
      case 'begin':
        this.#begun += 1;
        break;
      case 'start':
        this.#running.add(id);
        break;
      case 'done':
        this.#finish(id);
        break;
      case 'phase':
        this.#addPhase(id, line);
        break;
      case 'unloadable':
        this.#unloadable.push(failure(id.replace(/^unittest\.loader\._FailedTest\./, ''), 'error', line));
        break;
      case 'stuck':
        this.#stuck = id;
        break;
      case 'internal':
        this.#problems.push(`the runner itself failed: ${lastLine(textOf(line['detail']) ?? '')}`);
        break;
      case 'end':
        this.#ended += 1;
        this.#collected += numberOf(line['collected']) ?? 0;
        break;
    }
  }

  #finish(id: string): void {
    this.#running.delete(id);
    this.#done += 1;
  }

  #addPhase(id: string, line: Line): void {
    if (line['outcome'] === 'rerun') {
      this.#retried.add(id);
      return;
    }
    const status = statusOf(line);
    const before = this.#tests.get(id);
    // A part (subtest) that is not failing says nothing about the whole test.
    if (line['part'] === true && RANK[status] < RANK.xpassed) return;
    if (before && RANK[before.status] >= RANK[status]) return;
    this.#tests.set(id, failure(id, status, line));
  }

  report(): SuiteReport {
    const running = [...this.#running].at(-1);
    return {
      begun: this.#begun > 0,
      complete: this.#begun > 0 && this.#ended === this.#begun,
      tests: [...this.#tests.values()],
      unloadable: this.#unloadable,
      notRun: Math.max(0, this.#collected - this.#done),
      ...(running !== undefined && { running }),
      ...(this.#stuck !== undefined && { stuck: this.#stuck }),
      problems: this.#problems,
      retried: [...this.#retried],
      caveats: [],
    };
  }
}

function statusOf(line: Line): TestStatus {
  const { outcome, when, xfail, xpass } = line;
  switch (outcome) {
    // An xfail test that passes is a pass where it is not strict: its assertions hold.
    case 'passed':
      return 'passed';
    case 'skipped':
      return xfail === true ? 'xfailed' : 'skipped';
    case 'failed':
      if (xpass === true) return 'xpassed';
      return when === 'call' ? 'failed' : 'error';
    // An outcome that is not known here is no pass.
    default:
      return 'error';
  }
}

function failure(id: string, status: TestStatus, line: Line): TestResult {
  const seconds = numberOf(line['s']);
  return {
    id,
    status,
    ...fileOf(line),
    ...described(line),
    ...(seconds !== undefined && { durationMs: Math.round(seconds * 1000) }),
  };
}

/** The test's file, where it lies in the workspace. */
export function fileOf(line: Line): Pick<TestResult, 'file'> {
  const file = textOf(line['file']);
  return file === undefined || file.startsWith('/') || file.startsWith('../') ? {} : { file };
}

/** The fields of a result that tell why it failed. */
export function described(line: Line): Pick<TestResult, 'place' | 'errorType' | 'message' | 'detail'> {
  const [place, errorType] = [textOf(line['place']), textOf(line['type'])];
  const [message, detail] = [textOf(line['message']), textOf(line['detail'])];
  return {
    ...(place !== undefined && { place }),
    ...(errorType !== undefined && { errorType }),
    ...(message !== undefined && { message }),
    ...(detail !== undefined && { detail }),
  };
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}
