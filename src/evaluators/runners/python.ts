import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { EvaluationOutcome } from '../../core/check.ts';
import { quoteWord } from '../../core/shell-line.ts';
import type { ExecResult } from '../../system/exec.ts';
import { type CanaryPlan, canaryName } from '../canary.ts';
import { notFoundText, unusable } from '../endings.ts';
import { readPythonReport } from '../reports/python.ts';
import { linesOf, readReportFile } from '../reports/report-file.ts';
import { NO_REPORT, type SuiteReport } from '../suite.ts';
import {
  type Adapter,
  type CallLine,
  insertAfter,
  type PreparedRun,
  placeAssets,
  refusedArguments,
  replaceWord,
  type SuiteRun,
} from './adapter.ts';

const USAGE_ERROR = 4;
const ARGPARSE_ERROR = 2;

/** pytest, by a plug-in of the engine's own. */
export const pytestAdapter: Adapter = {
  wraps: true,
  async prepare(run) {
    // Folders differ in the hooks of their conftest files, so each has a canary of its own.
    const reporter = await reporterFor(run, 'loopgen_pytest.py', (id) => dirname(id.split('::')[0] ?? ''));
    const { env, folder, ...common } = reporter;
    const option = '-p loopgen_pytest';
    const explain = (result: ExecResult, report: SuiteReport) => explainPytest(run, result, report);
    if (run.plain) {
      const line = withModulePath(insertAfter(run.plain, run.plain.call.nameAt, option), run.plain, folder);
      return { line, env, ...common, explain };
    }
    const before = run.env['PYTEST_ADDOPTS'] ?? '';
    const options = { PYTEST_ADDOPTS: `${option} ${before}`.trim(), LOOPGEN_ADDOPTS: before };
    return { line: run.line, env: { ...env, ...options }, ...common, explain };
  },
};

/** unittest, by a module that stands in for `-m unittest` and takes the same arguments. */
export const unittestAdapter: Adapter = {
  wraps: false,
  async prepare(run) {
    const { folder, ...common } = await reporterFor(run, 'loopgen_unittest.py', () => '');
    const { plain } = run;
    if (!plain) return { line: run.line, ...common };
    const line = replaceWord(plain, plain.call.nameAt, 'loopgen_unittest');
    const explain = async (result: ExecResult, report: SuiteReport) =>
      refusedArguments('unittest', ARGPARSE_ERROR, result, report);
    return { line: withModulePath(line, plain, folder), ...common, explain };
  },
};

/** A `PYTHONPATH=` of the user's in front of the command hides the one of the environment. */
function withModulePath(line: string, { assignments }: CallLine, folder: string): string {
  const name = 'PYTHONPATH=';
  const own = assignments.find((word) => word.text.startsWith(name));
  if (own === undefined) return line;
  const at = own.start + name.length;
  return `${line.slice(0, at)}${quoteWord(folder)}:${line.slice(at)}`;
}

async function reporterFor(
  run: SuiteRun,
  module: string,
  partOf: (id: string) => string,
): Promise<Pick<PreparedRun, 'env' | 'read' | 'canary'> & { readonly folder: string }> {
  const folder = await placeAssets(run.scratch, ['loopgen_report.py', 'loopgen_canary.py', module]);
  const canary: CanaryPlan | undefined = run.canary
    ? { name: canaryName(), partOf: ({ id }) => partOf(id) }
    : undefined;
  const file = join(run.scratch, `${randomUUID()}.jsonl`);
  const before = run.env['PYTHONPATH'] ?? '';
  return {
    folder,
    ...(canary && { canary }),
    env: {
      ...run.env,
      PYTHONPATH: before === '' ? folder : `${folder}:${before}`,
      LOOPGEN_REPORT: file,
      LOOPGEN_NONCE: run.nonce,
      LOOPGEN_ROOT: run.seenAt,
      ...(canary && { LOOPGEN_CANARY: canary.name }),
      LOOPGEN_TEST_TIMEOUT: String(run.boundMs / 1000),
    },
    read: async () => {
      const report = await readReportFile(file);
      return report.kind === 'text' ? readPythonReport(linesOf(report.text, run.nonce)) : NO_REPORT;
    },
  };
}

async function explainPytest(
  run: SuiteRun,
  result: ExecResult,
  report: SuiteReport,
): Promise<EvaluationOutcome | undefined> {
  if (report.begun) return refusedArguments('pytest', USAGE_ERROR, result, report);
  const python = run.plain && pythonOf(run.plain);
  if (python === undefined || (await canImport(python, 'pytest', run))) return undefined;
  return unusable(
    'not-found',
    notFoundText(`the module pytest of ${python}`, run.env['PATH'] ?? '') +
      `\n(${python} -m pip install pytest)`,
  );
}

/** The interpreter of `python -m pytest`. */
function pythonOf({ line, words, call }: CallLine): string | undefined {
  if (words[call.nameAt - 1]?.text !== '-m') return undefined;
  const python = words.find((word) => /(?:^|\/)(?:python|pypy)[\d.]*$/.test(word.text));
  return python && line.slice(0, python.end);
}

async function canImport(python: string, module: string, run: SuiteRun): Promise<boolean> {
  const code = `import importlib.util, sys; sys.exit(importlib.util.find_spec('${module}') is None)`;
  const probe = await run.ask(`${python} -c ${quoteWord(code)}`);
  return probe.ended !== 'exited' || probe.code !== 1;
}
