import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { quoteWord } from '../../core/shell-line.ts';
import type { ExecResult } from '../../system/exec.ts';
import { type CanaryPlan, type CanaryRule, canaryName } from '../canary.ts';
import { GoReport } from '../reports/go-json.ts';
import { isRecord, textOf } from '../reports/report-file.ts';
import type { SuiteReport } from '../suite.ts';
import {
  type Adapter,
  type CallLine,
  editLine,
  type LineEdit,
  refusedArguments,
  type SuiteRun,
} from './adapter.ts';
import { type GoArguments, listArguments, readGoArguments } from './go-arguments.ts';
import { goPlaces } from './go-places.ts';

const USAGE_ERROR = 2;

/** `go test`, by the events that it prints with `-json`. */
export const goTestAdapter: Adapter = {
  wraps: false,
  async prepare(run) {
    const report = new GoReport();
    const common = {
      env: run.env,
      onOutput: (text: string, stream: 'stdout' | 'stderr') =>
        stream === 'stdout' ? report.add(text) : report.addNote(text),
      read: async () => report.report(goPlaces(run.workdir, run.cwd)),
    };
    if (!run.plain) return { ...common, line: run.line };
    const args = readGoArguments(run.plain.call.args);
    const canary = run.canary ? await addCanary(run, run.plain, args) : undefined;
    const explain = async (result: ExecResult, read: SuiteReport) =>
      read.begun ? undefined : refusedArguments('go test', USAGE_ERROR, result, read);
    const line = lineWith(run.plain, args, run.boundMs, canary);
    return { ...common, line, explain, ...(canary && { canary: canary.plan }) };
  },
};

interface AddedCanary {
  readonly plan: CanaryPlan;
  /** The file that tells the go command of added ones. */
  readonly overlay?: string;
}

/** Flags that would keep the canary from its turn, or from being last. */
const AGAINST_CANARY = new Set(['failfast', 'shuffle', 'vet']);

function lineWith(call: CallLine, args: GoArguments, boundMs: number, canary?: AddedCanary): string {
  const has = (name: string) => args.flags.some((flag) => flag.name === name);
  const flags = [
    '-json',
    ...(has('timeout') ? [] : [`-timeout=${boundMs}ms`]),
    // What a cache remembers was not seen now.
    ...(has('count') ? [] : ['-count=1']),
  ];
  const edits: LineEdit[] = [];
  if (canary?.overlay !== undefined && 'name' in canary.plan) {
    // The file is only in the overlay, where vet does not find it.
    flags.push(`-overlay=${canary.overlay}`, '-vet=off');
    edits.push(...editsFor(call, args, canary.plan));
  }
  // `-C` has to come first.
  const first = args.flags[0];
  const at = firstArgument(call) - 1 + (first?.name === 'C' && first.at === 0 ? first.words : 0);
  const end = call.words[at]?.end ?? call.line.length;
  return editLine(call.line, [...edits, { start: end, end, text: ` ${flags.map(quoteWord).join(' ')}` }]);
}

function editsFor(call: CallLine, args: GoArguments, { name }: CanaryRule): LineEdit[] {
  const edits: LineEdit[] = [];
  for (const flag of args.flags) {
    const start = call.words[firstArgument(call) + flag.at]?.start ?? 0;
    const end = call.words[firstArgument(call) + flag.at + flag.words - 1]?.end ?? start;
    if (AGAINST_CANARY.has(flag.name)) edits.push({ start, end, text: '' });
    // A test whose name is not asked for does not run.
    if (flag.name === 'run')
      edits.push({ start, end, text: quoteWord(`-run=${flag.value ?? ''}|^${name}$`) });
  }
  return edits;
}

/** Index of the first word behind `test`. */
function firstArgument({ words, call }: CallLine): number {
  return words.length - call.args.length;
}

async function addCanary(run: SuiteRun, call: CallLine, args: GoArguments): Promise<AddedCanary> {
  if (args.flags.some(({ name }) => name === 'overlay')) return none('the command has an overlay of its own');
  if (args.packages.some((word) => word.endsWith('.go'))) return none('the command names files');
  const name = canaryName('TestZz');
  const packages = await testedPackages(run, call, args);
  if (packages.length === 0) return { plan: { missed: 'no package with tests was listed' } };
  const folder = join(run.scratch, 'canary');
  await mkdir(folder, { recursive: true });
  const replace: Record<string, string> = {};
  for (const [i, { dir, clause }] of packages.entries()) {
    const file = join(folder, `${i}_test.go`);
    await writeFile(file, canaryText(clause, name));
    replace[`${dir}/${name.toLowerCase()}_test.go`] = file;
  }
  const overlay = join(folder, 'overlay.json');
  await writeFile(overlay, JSON.stringify({ Replace: replace }));
  return { plan: { name, partOf: ({ id }) => id.split(' > ')[0] ?? '' }, overlay };
}

const none = (because: string): AddedCanary => ({ plan: { none: because } });

interface TestedPackage {
  readonly dir: string;
  readonly clause: string;
}

/** The packages with tests, as the go command itself sees them. */
async function testedPackages(run: SuiteRun, call: CallLine, args: GoArguments): Promise<TestedPackage[]> {
  const go = call.line.slice(0, call.words[call.call.nameAt]?.end ?? 0);
  // One line of JSON a package: names with spaces stay whole.
  const format =
    '{"dir":{{printf "%q" .Dir}},"name":{{printf "%q" .Name}},"tests":{{len .TestGoFiles}},"xtests":{{len .XTestGoFiles}}}';
  const words = ['list', ...listFlagsFirst(args, format)].map(quoteWord).join(' ');
  const listed = await run.ask(`${go} ${words}`);
  return listed.stdout.text.split('\n').flatMap((line) => {
    const one = parse(line);
    const [dir, name] = [textOf(one?.['dir']), textOf(one?.['name'])];
    if (dir === undefined || name === undefined || !one) return [];
    // Tests of the outer package run last, and are there for every package.
    return Number(one['tests']) + Number(one['xtests']) > 0 ? [{ dir, clause: `${name}_test` }] : [];
  });
}

function listFlagsFirst(args: GoArguments, format: string): string[] {
  const words = listArguments(args);
  const at = words[0]?.startsWith('-C') ? 1 : 0;
  return [...words.slice(0, at), '-e', '-f', format, ...words.slice(at)];
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    // Something else that the go command printed.
    return undefined;
  }
}

/** It is parallel, so that it has its turn after the parallel tests before it. */
function canaryText(clause: string, name: string): string {
  return `package ${clause}

import (
	"reflect"
	"testing"
)

func ${name}(t *testing.T) {
	t.Parallel()
	if one, two := []int{1}, []int{2}; reflect.DeepEqual(one, two) || one[0] == two[0] {
		return
	}
	t.Errorf("added by loopgen: this test has to fail")
}
`;
}
