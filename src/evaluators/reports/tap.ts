import type { TestResult, TestStatus } from '../../core/check.ts';
import { NO_REPORT, type SuiteReport } from '../suite.ts';

interface Point {
  readonly ok: boolean;
  readonly name: string;
  readonly directive?: 'skip' | 'todo';
  /** Lines of the diagnostics behind it. */
  readonly diagnostics: string[];
  /** The points of its subtest. */
  readonly children: readonly Point[];
}

/** The points of one level of indentation, whose parent has not come yet. */
interface Level {
  readonly indent: number;
  readonly points: Point[];
  plan?: number;
}

const POINT = /^(not )?ok\b(?: +(\d+))?(?: +- | +)?(.*)$/;
const PLAN = /^1\.\.(\d+)(?:\s*#.*)?$/;
const DIRECTIVE = /(?:^|\s)#\s*(skip|todo)\S*\s*(.*)$/i;

/**
 * Reads TAP, version 12 to 14, with subtests by indentation and YAML diagnostics. Lines that are none of it are passed
 * over, as the format wants it; so a report without a plan, or with fewer tests than planned, is not whole. `root` is
 * the workspace, as the runner saw it.
 */
export function readTap(text: string, root: string): SuiteReport {
  const reader = new Reader(root);
  for (const line of text.split(/\r?\n/)) reader.add(line);
  return reader.report();
}

class Reader {
  readonly #root: string;
  #levels: Level[] = [{ indent: 0, points: [] }];
  #version = false;
  #bail: string | undefined;
  /** Indentation of the YAML block that is open. */
  #yaml: number | undefined;
  /** Tests that a subtest planned and did not have. */
  #missing = 0;
  /** The line before was a point, which alone can have a YAML block. */
  #behindPoint = false;

  constructor(root: string) {
    this.#root = root;
  }

  add(line: string): void {
    if (this.#bail !== undefined) return;
    const indent = line.length - line.trimStart().length;
    const body = line.trim();
    if (this.#inYaml(indent, body)) return;
    this.#behindPoint = POINT.test(body);
    if (/^TAP version \d+$/i.test(body)) this.#version = true;
    else if (/^Bail out!/i.test(body)) this.#bail = body;
    else if (PLAN.test(body)) this.#addPlan(indent, body);
    else if (this.#behindPoint) this.#addPoint(indent, body);
    else if (body.startsWith('#') && !/^#\s*Subtest\b/.test(body)) this.#diagnose(body.slice(1).trim());
  }

  report(): SuiteReport {
    const [top] = this.#levels;
    const begun = top !== undefined && (top.plan !== undefined || top.points.length > 0 || this.#version);
    if (!begun || !top) return NO_REPORT;
    const open = this.#levels.length > 1;
    const planned = top.plan ?? 0;
    const tooMany = top.plan !== undefined && top.points.length > planned;
    return {
      ...NO_REPORT,
      begun: true,
      complete: this.#bail !== undefined || (top.plan !== undefined && !open),
      tests: numbered(top.points.flatMap((point) => testsOf(point, [], this.#root))),
      notRun: Math.max(0, planned - top.points.length) + this.#missing,
      problems: [
        ...(this.#bail === undefined ? [] : [this.#bail]),
        ...(tooMany ? [`${top.points.length} tests are told of, ${planned} were planned`] : []),
      ],
    };
  }

  /** A YAML block belongs to the last point, whose indentation it exceeds by two. */
  #inYaml(indent: number, body: string): boolean {
    if (this.#yaml === undefined) {
      if (body !== '---' || !this.#behindPoint || indent <= (this.#levels.at(-1)?.indent ?? 0)) return false;
      this.#yaml = indent;
      return true;
    }
    if (body === '...' && indent <= this.#yaml) this.#yaml = undefined;
    else this.#diagnose(body);
    return true;
  }

  #diagnose(text: string): void {
    const point = this.#levels.at(-1)?.points.at(-1);
    if (point && point.diagnostics.length < 200) point.diagnostics.push(text);
  }

  /** The level of that indentation; deeper ones are the subtest of the point that comes next. */
  #level(indent: number): Level {
    const last = this.#levels.at(-1);
    if (last && last.indent === indent) return last;
    const level: Level = { indent, points: [] };
    if (last && indent > last.indent) this.#levels.push(level);
    return this.#levels.at(-1) ?? level;
  }

  #addPlan(indent: number, body: string): void {
    this.#close(indent);
    this.#level(indent).plan = Number(PLAN.exec(body)?.[1]);
  }

  /** Folds the levels deeper than that into the points of a subtest. */
  #close(indent: number): Point[] {
    const deeper = this.#levels.filter((level) => level.indent > indent);
    this.#levels = this.#levels.filter((level) => level.indent <= indent);
    for (const { plan = 0, points } of deeper) this.#missing += Math.max(0, plan - points.length);
    return deeper.flatMap(({ points }) => points);
  }

  #addPoint(indent: number, body: string): void {
    const [, not, number, rest = ''] = POINT.exec(body) ?? [];
    const children = this.#close(indent);
    const [, directive, why] = DIRECTIVE.exec(rest) ?? [];
    const name = rest
      .replace(DIRECTIVE, '')
      .replace(/\s*\{$/, '')
      .replaceAll('\\#', '#')
      .trim();
    const kind = directive?.toLowerCase();
    this.#level(indent).points.push({
      ok: not === undefined,
      name: name === '' ? (number ?? '(no name)') : name,
      ...((kind === 'skip' || kind === 'todo') && { directive: kind }),
      diagnostics: why === undefined || why === '' ? [] : [why],
      children,
    });
  }
}

function testsOf(point: Point, above: readonly string[], root: string): TestResult[] {
  const path = [...above, point.name];
  const inner = point.children.flatMap((child) => testsOf(child, path, root));
  const id = path.join(' > ');
  const status = statusOf(point);
  if (inner.length === 0) return [{ id, status, ...failureOf(point, status, root) }];
  // A subtest is no test of its own; it is told where it failed by itself.
  const isTold = status === 'failed' && !inner.some((test) => test.status === 'failed');
  return isTold ? [...inner, { id, status, ...failureOf(point, status, root) }] : inner;
}

function statusOf({ ok, directive }: Point): TestStatus {
  if (directive === 'skip') return 'skipped';
  if (directive === 'todo') return 'todo';
  return ok ? 'passed' : 'failed';
}

function failureOf({ diagnostics }: Point, status: TestStatus, root: string): Partial<TestResult> {
  if (status !== 'failed') return {};
  const detail = diagnostics.join('\n').trim();
  const field = (names: string) =>
    new RegExp(`^(?:${names}):\\s*['"]?(.*?)['"]?$`, 'm').exec(detail)?.[1]?.trim();
  const message = field('message|error|failed') || diagnostics.find((line) => line !== '');
  const errorType = field('name|type|code');
  const [, file, line] =
    /(?:^|[\s('"])((?:\.{0,2}\/)?[\w@.-][\w@./-]*\.\w+):(\d+)(?::\d+)?/m.exec(
      detail.replaceAll(`${root}/`, ''),
    ) ?? [];
  return {
    ...(message !== undefined && { message: message.slice(0, 300) }),
    ...(errorType !== undefined && /^\w+$/.test(errorType) && { errorType }),
    ...(file !== undefined && { place: `${file}:${line}` }),
    ...(detail !== '' && { detail: detail.slice(0, 20_000) }),
  };
}

/** TAP has no ids: of tests with one name, the later ones get a number. */
function numbered(tests: readonly TestResult[]): TestResult[] {
  const seen = new Map<string, number>();
  return tests.map((test) => {
    const count = (seen.get(test.id) ?? 0) + 1;
    seen.set(test.id, count);
    return count === 1 ? test : { ...test, id: `${test.id} (${count})` };
  });
}
