import type { TestResult, TestStatus } from '../../core/check.ts';
import { NO_REPORT, type SuiteReport } from '../suite.ts';
import { BoundedText } from './bounded-text.ts';
import { isRecord, textOf } from './report-file.ts';

type Message = Readonly<Record<string, unknown>>;

/** What is known of one test program (or of rustdoc, as `doc`) that was started. */
export interface CargoRun {
  readonly package: string;
  /** Path of the program; `doc` for documentation tests. */
  readonly program: string;
  /** What it listed beforehand; undefined where it has another harness than Rust's own, and for documentation tests. */
  readonly list?: string;
  /** What the harness wrote as its tests ended; undefined where it never came to that. */
  readonly log?: string;
  /** Undefined while it runs. */
  readonly code?: number;
}

/** A program as cargo tells of it when it was built. */
export interface CargoTarget {
  readonly kind: string;
  readonly name: string;
  /** Absolute. */
  readonly source: string;
}

export interface CargoPlaces {
  /** The file in which a test of the target stands, relative to the workspace. */
  readonly fileOf: (target: CargoTarget, test: string) => string | undefined;
  /** A path out of a message, relative to the workspace. */
  readonly placeOf: (path: string) => string | undefined;
}

const ENDS: Readonly<Record<string, TestStatus>> = { ok: 'passed', failed: 'failed', ignored: 'skipped' };

/** Takes what cargo prints, as it comes: messages of its own between the output of the tests. */
export class CargoOutput {
  readonly #screen = new BoundedText(96_000);
  readonly #tests = new BoundedText(512_000);
  readonly #notes = new BoundedText(96_000);
  readonly #targets = new Map<string, CargoTarget>();
  #built: boolean | undefined;
  #begun = false;
  #rest = '';

  /** A piece of standard output; lines may be split anywhere. */
  add(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#addLine(line);
  }

  addNote(text: string): void {
    this.#screen.add(text);
    this.#notes.add(text);
  }

  report(runs: readonly CargoRun[], places: CargoPlaces): SuiteReport {
    if (this.#rest !== '') this.#addLine(this.#rest);
    this.#rest = '';
    const details = detailsIn(this.#tests.text());
    const read = runs.map((run) => new Run(run, this.#targets.get(run.program), places, details));
    const running = read.flatMap((run) => run.running())[0];
    return {
      ...NO_REPORT,
      begun: this.#begun || runs.length > 0,
      complete: this.#built === true && runs.every(({ code }) => code !== undefined),
      tests: read.flatMap((run) => run.tests()),
      unloadable: this.#built === false ? errorsIn(this.#notes.text(), places) : [],
      ...(running !== undefined && { running }),
      // Said of an option that is ours.
      output: this.#screen.text().replaceAll(/warning: `--logfile` is deprecated\n?/g, ''),
    };
  }

  #addLine(line: string): void {
    const message = line.startsWith('{"reason":') ? parse(line) : undefined;
    if (message) this.#addMessage(message);
    else {
      this.#screen.add(`${line}\n`);
      this.#tests.add(`${line}\n`);
    }
  }

  #addMessage(message: Message): void {
    this.#begun = true;
    // Only the first counts: a test may print another.
    if (message['reason'] === 'build-finished') this.#built ??= message['success'] === true;
    const [program, target] = [textOf(message['executable']), message['target']];
    if (this.#built !== undefined || program === undefined || !isRecord(target)) return;
    const kind = Array.isArray(target['kind']) ? String(target['kind'][0]) : '';
    const source = textOf(target['src_path']) ?? '';
    this.#targets.set(program, { kind, name: textOf(target['name']) ?? '', source });
  }
}

function parse(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    // Something that a test printed.
    return undefined;
  }
}

type Details = Map<string, string[]>;

class Run {
  readonly #run: CargoRun;
  readonly #target: CargoTarget | undefined;
  readonly #places: CargoPlaces;
  readonly #details: Details;
  readonly #ends: ReadonlyMap<string, TestStatus>;
  readonly #listed: readonly string[];

  constructor(run: CargoRun, target: CargoTarget | undefined, places: CargoPlaces, details: Details) {
    this.#run = run;
    this.#target = target;
    this.#places = places;
    this.#details = details;
    this.#listed = [...(run.list ?? '').matchAll(/^(.+): test$/gm)].map(([, name = '']) => name);
    this.#ends = endsIn(run.log ?? '', this.#listed);
  }

  /** Tests without an end, of a program that runs. */
  running(): string[] {
    const open = this.#run.code === undefined ? this.#listed.filter((name) => !this.#ends.has(name)) : [];
    return open.length === 1 ? open.map((name) => this.#id(name)) : open.length > 1 ? [this.#suite()] : [];
  }

  tests(): TestResult[] {
    const tests = this.#run.program === 'doc' ? this.#docTests() : this.#unitTests();
    return [...tests, ...this.#wholeOf(tests)];
  }

  #unitTests(): TestResult[] {
    return [...this.#ends].map(([name, status]) => {
      const file = this.#target && this.#places.fileOf(this.#target, name);
      return {
        id: this.#id(name),
        status,
        ...(file !== undefined && { file }),
        ...(status === 'failed' && this.#failureOf(name)),
      };
    });
  }

  /** Their names hold the line, which an edit above them changes: what counts is their order in one place. */
  #docTests(): TestResult[] {
    const line = (name: string) => Number(/\(line (\d+)\)/.exec(name)?.[1] ?? 0);
    const seen = new Map<string, number>();
    return [...this.#ends]
      .sort(([a], [b]) => line(a) - line(b))
      .map(([name, status]) => {
        const plain = name.replace(/ \(line \d+\)/, '');
        const count = (seen.get(plain) ?? 0) + 1;
        seen.set(plain, count);
        const place = this.#places.placeOf(plain.split(' - ')[0] ?? '');
        return {
          id: this.#id(count === 1 ? plain : `${plain} (${count})`),
          status,
          ...(place !== undefined && { file: place }),
          ...(status === 'failed' && this.#failureOf(name)),
        };
      });
  }

  /** What is to be said of a program besides its tests. */
  #wholeOf(tests: readonly TestResult[]): TestResult[] {
    const { code, list, log, program } = this.#run;
    if (code === undefined) return [];
    const id = this.#suite();
    const ending = code > 128 ? `signal ${code - 128}` : `exit code ${code}`;
    if (list === undefined && program !== 'doc')
      // A harness of its own: the program is the test.
      return [{ id, status: code === 0 ? 'passed' : 'failed', ...(code !== 0 && { message: ending }) }];
    const missing = this.#listed.filter((name) => !this.#ends.has(name));
    if (missing.length > 0 || (log === undefined && program !== 'doc')) {
      const which = missing.length > 0 ? `: no result of ${missing.slice(0, 5).join(', ')}` : '';
      return [{ id, status: 'error', message: `its process ended (${ending}) before all tests had${which}` }];
    }
    const failed = tests.some(({ status }) => status === 'failed');
    return code === 0 || failed
      ? []
      : [{ id, status: 'error', message: `its process ended with ${ending}, though no test failed` }];
  }

  #failureOf(name: string): Partial<TestResult> {
    const detail = this.#details.get(name)?.shift();
    if (detail === undefined) return { message: 'failed' };
    const [, quoted, path = '', line, rest = ''] =
      /panicked at (?:'([^\n]*)', )?([^\s:]+):(\d+)(?::\d+)?:?\n?([^\n]*)/.exec(detail) ?? [];
    const place = this.#places.placeOf(path);
    const said = detail.split('\n').find((one) => one.trim() !== '' && !one.startsWith('note: run with'));
    return {
      ...(place !== undefined && { place: `${place}:${line}` }),
      message: (quoted ?? (rest === '' ? (said ?? 'failed') : rest)).trim().slice(0, 300),
      detail: detail.slice(0, 20_000),
    };
  }

  /** The name of the program, as it is usual in Rust: `crate`, `crate::integration`, `crate::bin/name`. */
  #suite(): string {
    const { package: owner, program } = this.#run;
    const name = program.replace(/^.*[\\/]/, '').replace(/-[0-9a-f]{16}$/, '');
    if (program === 'doc') return `${owner}::doc`;
    if (!this.#target) return owner === name ? owner : `${owner}::${name}`;
    const { kind } = this.#target;
    if (kind === 'test') return `${owner}::${this.#target.name}`;
    return ['bin', 'example', 'bench'].includes(kind) ? `${owner}::${kind}/${this.#target.name}` : owner;
  }

  #id(name: string): string {
    return `${this.#suite()} > ${name}`;
  }
}

/** Reads `ok name`, `ignored: why name`, `failed: why, over lines name`. A test that failed once has failed. */
function endsIn(log: string, listed: readonly string[]): ReadonlyMap<string, TestStatus> {
  const ends = new Map<string, TestStatus>();
  for (const entry of log.split(/\n(?=(?:ok|failed|ignored)\b)/)) {
    const [, word = '', said = ''] = /^(ok|failed|ignored)\b:?(.*)$/s.exec(entry.trimEnd()) ?? [];
    const status = ENDS[word];
    if (status === undefined) continue;
    const rest = said
      .replace(/ <[\d.]+m?s>$/, '')
      .replace(/^ ?\(time limit exceeded\)/, '')
      .trim();
    const name = listed.find((one) => rest === one || rest.endsWith(` ${one}`)) ?? rest;
    if (ends.get(name) !== 'failed') ends.set(name, status);
  }
  return ends;
}

/** Name of a test → what each one of that name printed before it failed, in the order of the programs. */
function detailsIn(output: string): Details {
  const found: Details = new Map();
  for (const [, name = '', text = ''] of output.matchAll(
    /^---- (.+?) (?:stdout|stderr) ----\n(.*?)(?=^---- .+ (?:stdout|stderr) ----$|^failures:$|^test result: )/gms,
  ))
    found.set(name, [...(found.get(name) ?? []), text.trim()]);
  return found;
}

/** The errors of the compiler, by their places. */
function errorsIn(notes: string, places: CargoPlaces): TestResult[] {
  const errors = [
    ...notes.matchAll(/^error(?:\[(E\d+)\])?: (.+)\n(?:\s*\|.*\n)*\s*--> ([^\s:]+):(\d+)/gm),
  ].map(([, code, message = '', path = '', line]): TestResult => {
    const file = places.placeOf(path) ?? path;
    return {
      id: file,
      status: 'error',
      place: `${file}:${line}`,
      errorType: code ?? 'BuildFailed',
      message: message.slice(0, 300),
      detail: notes.slice(-20_000),
    };
  });
  const first = errors.filter((one, i) => errors.findIndex(({ id }) => id === one.id) === i);
  if (first.length > 0) return first;
  const message = /^error: (.+)$/m.exec(notes)?.[1] ?? 'it does not build';
  return [
    { id: 'cargo build', status: 'error', errorType: 'BuildFailed', message, detail: notes.slice(-20_000) },
  ];
}
