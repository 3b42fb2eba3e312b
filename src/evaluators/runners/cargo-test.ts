import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { ExecResult } from '../../system/exec.ts';
import { unusable } from '../endings.ts';
import { CargoOutput, type CargoPlaces, type CargoRun, type CargoTarget } from '../reports/cargo.ts';
import type { SuiteReport } from '../suite.ts';
import {
  type Adapter,
  type CallLine,
  editLine,
  type LineEdit,
  refusedArguments,
  type SuiteRun,
} from './adapter.ts';
import { placeCargoWrappers } from './cargo-wrappers.ts';

const USAGE_ERROR = 1;

/** `cargo test`, by the log that each test program writes to a file of the engine's own. */
export const cargoTestAdapter: Adapter = {
  wraps: false,
  async prepare(run) {
    const output = new CargoOutput();
    const triples = await triplesOf(run);
    const variables = triples.map(runnerVariable);
    const spaced = /\s/.test(run.scratch);
    const own = ownRunner(run, variables);
    const wrappers = await placeCargoWrappers(run.scratch, {
      runner: own,
      variables: [...variables, 'RUSTDOC'],
      env: run.env,
    });
    const wrapped = {
      ...Object.fromEntries(variables.map((name) => [name, wrappers.runner])),
      RUSTDOC: wrappers.rustdoc,
    };
    return {
      line: run.plain ? withOptions(run.plain) : run.line,
      env: { ...run.env, ...(!spaced && wrapped) },
      onOutput: (text, stream) => (stream === 'stdout' ? output.add(text) : output.addNote(text)),
      read: async () => output.report(runsIn(wrappers.runs), placesFor(run)),
      ...(run.canary && { canary: { none: 'none can be added without an edit of the crate' } }),
      explain: async (result: ExecResult, report: SuiteReport) => {
        if (spaced)
          return unusable(
            'no-report',
            `cargo takes no program from a folder with a space in its name: ${run.scratch}`,
          );
        return report.begun ? undefined : refusedArguments('cargo test', USAGE_ERROR, result, report);
      },
    };
  },
};

function withOptions(call: CallLine): string {
  const { args } = call.call;
  const first = call.words.length - args.length;
  const end = call.words[first - 1]?.end ?? call.line.length;
  const behind = args.indexOf('--');
  const ours = behind < 0 ? args : args.slice(0, behind);
  // A suite that stops at the first program which fails does not tell of the tests in the others.
  const all = ours.includes('--no-fail-fast') ? '' : ' --no-fail-fast';
  const edits: LineEdit[] = ours.flatMap((word, i) => {
    const [one, next] = [call.words[first + i], call.words[first + i + 1]];
    if (!one || !/^--message-format(?:=|$)/.test(word)) return [];
    return [{ start: one.start, end: (word.includes('=') ? one : (next ?? one)).end, text: '' }];
  });
  return editLine(call.line, [
    { start: end, end, text: ` --message-format=json-render-diagnostics${all}` },
    ...edits,
  ]);
}

function runnerVariable(triple: string): string {
  return `CARGO_TARGET_${triple.toUpperCase().replaceAll(/[-.]/g, '_')}_RUNNER`;
}

/** The platforms that tests may be built for: that of the machine, and those that are asked for. */
async function triplesOf(run: SuiteRun): Promise<string[]> {
  const asked = await run.ask('rustc -vV');
  const host = /^host: (\S+)$/m.exec(asked.stdout.text)?.[1];
  const args = run.plain?.call.args ?? [];
  const named = args.flatMap((word, i) =>
    word === '--target' ? (args[i + 1] ?? []) : word.startsWith('--target=') ? word.slice(9) : [],
  );
  const configured = configsOf(run).flatMap((text) => /^\s*target\s*=\s*"([^"]+)"/m.exec(text)?.[1] ?? []);
  const all = [host, ...named, run.env['CARGO_BUILD_TARGET'], ...configured];
  const names = all.flatMap((one) =>
    one === undefined || one === '' ? [] : one.replace(/^.*\/|\.json$/g, ''),
  );
  return [...new Set(names)].filter((name) => /^[\w.-]+$/.test(name));
}

/** The words of the program by which the project lets its programs be started, where it has one. */
function ownRunner(run: SuiteRun, variables: readonly string[]): string[] {
  const given = variables.flatMap((name) => run.env[name] ?? [])[0];
  const found = given ?? configsOf(run).flatMap((text) => /^\s*runner\s*=\s*(.+)$/m.exec(text)?.[1] ?? [])[0];
  const words = [...(found ?? '').matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, a, b]) => a ?? b ?? '');
  const text = words.length > 1 ? words : (words[0] ?? given ?? '').split(/\s+/);
  return text.filter((word) => word !== '');
}

/** The texts of cargo's configuration at and above the folder, the nearest first. */
function configsOf({ cwd, workdir }: SuiteRun): string[] {
  const texts: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    texts.push(read(join(folder, '.cargo/config.toml')), read(join(folder, '.cargo/config')));
    if (folder === workdir || dirname(folder) === folder) break;
  }
  return texts.filter((text) => text !== '');
}

/** What the wrappers saw, in the order in which they were started. */
function runsIn(folder: string): CargoRun[] {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .map((path) => ({ path, at: statSync(path).birthtimeMs || statSync(path).ctimeMs }))
    .sort((a, b) => a.at - b.at)
    .flatMap(({ path }) => {
      const file = (name: string) => (existsSync(join(path, name)) ? read(join(path, name)) : undefined);
      // rustdoc has its program written down at its end.
      const [program = 'doc', list, log, code] = [file('program'), file('list'), file('log'), file('code')];
      return [
        {
          package: file('package') ?? '',
          program,
          ...(list !== undefined && { list }),
          ...(log !== undefined && { log }),
          ...(code !== undefined && { code: Number(code) }),
        },
      ];
    });
}

function placesFor({ workdir, seenAt, cwd }: SuiteRun): CargoPlaces {
  const here = (path: string) =>
    path.startsWith(`${seenAt}/`) ? join(workdir, relative(seenAt, path)) : path;
  const inside = (path: string) => (path.startsWith(`${workdir}/`) ? relative(workdir, path) : undefined);
  const fileOf = ({ source }: CargoTarget, test: string) => {
    const root = here(source);
    const modules = test.split('::').slice(0, -1);
    for (let depth = modules.length; depth > 0; depth -= 1) {
      const path = join(dirname(root), ...modules.slice(0, depth));
      const file = [`${path}.rs`, join(path, 'mod.rs')].find(existsSync);
      if (file !== undefined) return inside(file);
    }
    return inside(root);
  };
  const placeOf = (path: string) => {
    if (path === '' || isAbsolute(path)) return inside(here(path));
    // Relative to the root of cargo's workspace, or to the package.
    for (let folder = cwd; ; folder = dirname(folder)) {
      if (existsSync(resolve(folder, path))) return inside(resolve(folder, path));
      if (folder === workdir || dirname(folder) === folder) return undefined;
    }
  };
  return { fileOf, placeOf };
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Not there, or not ours to read.
    return '';
  }
}
