import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { ExecResult } from '../../system/exec.ts';
import { stripAnsi } from '../../system/text.ts';
import { unusable } from '../endings.ts';
import { BoundedText } from '../reports/bounded-text.ts';
import { readReportFile } from '../reports/report-file.ts';
import { compilerErrors, readSurefire, type SurefireFile } from '../reports/surefire.ts';
import type { SuiteReport } from '../suite.ts';
import { withOutput } from '../suite-feedback.ts';
import { type Adapter, type CallLine, insertAfter, type SuiteRun } from './adapter.ts';

/** Maven, by the XML files of Surefire and Failsafe, which have a name of this run. */
export const mavenAdapter: Adapter = {
  wraps: false,
  async prepare(run) {
    const suffix = `run-${randomBytes(6).toString('hex')}`;
    const output = new BoundedText(96_000);
    const { workdir, seenAt } = run;
    const inside = (path: string) => [seenAt, workdir].flatMap((root) => below(root, path) ?? [])[0];
    return {
      line: run.plain ? withSuffix(run.plain, suffix) : run.line,
      env: run.env,
      onOutput: (text) => output.add(text),
      ...(run.canary && { canary: { none: 'none can be added without an edit of the project' } }),
      read: async () => {
        const report = readSurefire(await filesOf(run, suffix), suffix, (module, name) =>
          fileOfClass(workdir, module, name),
        );
        // A test may print the like of a complaint: where there are tests, they decide.
        const errors = report.begun ? [] : compilerErrors(stripAnsi(output.text()), inside);
        return { ...report, begun: report.begun || errors.length > 0, unloadable: errors };
      },
      explain: async (result: ExecResult, report: SuiteReport) => {
        if (report.begun || result.ended !== 'exited' || result.code !== 0) return undefined;
        const text =
          'Maven ran no tests (none are there, they are left out, or its XML reports are switched off)';
        return unusable('no-tests', withOutput(text, result.output.text, 3000));
      },
    };
  },
};

const FAIL_MODES = /^(?:-fae|--fail-at-end|-ff|--fail-fast|-fn|--fail-never)$/;

function withSuffix(call: CallLine, suffix: string): string {
  // A build that stops at the first module which fails does not tell of the tests in the others.
  const mode = call.call.args.some((word) => FAIL_MODES.test(word)) ? '' : ' --fail-at-end';
  return insertAfter(call, call.call.nameAt, `-Dsurefire.reportNameSuffix=${suffix}${mode}`);
}

async function filesOf({ workdir }: SuiteRun, suffix: string): Promise<SurefireFile[]> {
  const files: SurefireFile[] = [];
  for (const path of named(workdir, `-${suffix}.xml`)) {
    const report = await readReportFile(path);
    const text = report.kind === 'text' ? report.text : '';
    files.push({ module: moduleOf(workdir, path), text });
  }
  return files;
}

const NEVER_THERE = new Set(['node_modules', '.git', 'src', 'classes', 'test-classes', '.venv']);

/** Every file in the folder, or below, whose name ends so. */
function named(folder: string, end: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NEVER_THERE.has(entry.name) ? [] : named(path, end);
    return entry.isFile() && entry.name.startsWith('TEST-') && entry.name.endsWith(end) ? [path] : [];
  });
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Not ours to read.
    return [];
  }
}

/** The nearest folder above with a project file. */
function moduleOf(workdir: string, path: string): string {
  for (let folder = dirname(path); folder.startsWith(`${workdir}/`); folder = dirname(folder))
    if (existsSync(join(folder, 'pom.xml'))) return relative(workdir, folder);
  return '';
}

const SOURCES = ['test', 'main', 'it', 'integration-test'].flatMap((kind) =>
  ['java', 'kotlin', 'groovy', 'scala'].map((language) => ({ folder: `src/${kind}/${language}`, language })),
);
const ENDINGS: Readonly<Record<string, string>> = {
  java: 'java',
  kotlin: 'kt',
  groovy: 'groovy',
  scala: 'scala',
};

function fileOfClass(workdir: string, module: string, name: string): string | undefined {
  const path = name.replace(/\$.*$/, '').replaceAll('.', '/');
  if (path === '') return undefined;
  return SOURCES.map(({ folder, language }) => join(module, folder, `${path}.${ENDINGS[language]}`)).find(
    (file) => existsSync(join(workdir, file)),
  );
}

function below(root: string, path: string): string | undefined {
  return path.startsWith(`${root}/`) ? relative(root, path) : undefined;
}
