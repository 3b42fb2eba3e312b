import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../core/error.ts';
import { resolveInside } from '../../system/files.ts';
import { unusable } from '../endings.ts';
import { BoundedText } from '../reports/bounded-text.ts';
import { readCtrf } from '../reports/ctrf.ts';
import { readJUnit } from '../reports/junit.ts';
import { readReportFile } from '../reports/report-file.ts';
import { readTap } from '../reports/tap.ts';
import { NO_REPORT, type SuiteReport } from '../suite.ts';
import type { Adapter, SuiteRun } from './adapter.ts';

/** A file format that many runners write. */
interface Format {
  /** Name of the file where the user names none. */
  readonly file: string;
  readonly parse: (text: string, run: SuiteRun) => SuiteReport;
  /** The format is made to be printed: without a file, standard output is the report. */
  readonly printed?: boolean;
}

/** No honest report that is printed is larger; of a longer one the middle is lost, and so the count of its tests. */
const LARGEST_PRINTED = 16 * 1024 * 1024;

/** Any runner that writes the format: to the file that the user names, else to the one named by `$LOOPGEN_REPORT`. */
function formatAdapter(format: Format): Adapter {
  return {
    wraps: true,
    async prepare(run) {
      const place = await placeOf(run, format);
      const { file } = place;
      const stale = file === undefined ? place.because : await removeOld(file);
      const output = new BoundedText(LARGEST_PRINTED);
      const isPrinted = format.printed === true && run.report === undefined;
      const textOfReport = async () => {
        const report = file === undefined ? undefined : await readReportFile(file);
        if (report?.kind === 'text') return report.text;
        return isPrinted ? output.text() : undefined;
      };
      return {
        line: run.line,
        ...(run.canary && { canary: { none: 'the runner behind the report is not known' } }),
        env: run.report === undefined && file !== undefined ? { ...run.env, LOOPGEN_REPORT: file } : run.env,
        ...(isPrinted && {
          onOutput: (text: string, stream: 'stdout' | 'stderr') => {
            if (stream === 'stdout') output.add(text);
          },
        }),
        read: async () => {
          const text = stale === undefined ? await textOfReport() : undefined;
          if (text === undefined) return NO_REPORT;
          const caveat = `the report is written by the check's own command${run.report === undefined ? '' : ` (${run.report})`}`;
          return { ...format.parse(text, run), caveats: [caveat] };
        },
        explain: async () => {
          if (stale !== undefined) return unusable('no-report', stale);
          const wrote = isPrinted || (file !== undefined && (await exists(file)));
          return wrote
            ? undefined
            : unusable('no-report', `the command wrote no report to ${run.report ?? '$LOOPGEN_REPORT'}`);
        },
      };
    },
  };
}

export const junitAdapter = formatAdapter({ file: 'report.xml', parse: readJUnit });
export const ctrfAdapter = formatAdapter({
  file: 'report.json',
  parse: (text, { seenAt }) => readCtrf(text, seenAt),
});
export const tapAdapter = formatAdapter({
  file: 'report.tap',
  parse: (text, { seenAt }) => readTap(text, seenAt),
  printed: true,
});

type Place =
  | { readonly file: string; readonly because?: never }
  | { readonly file?: never; readonly because: string };

async function placeOf({ report, scratch, workdir }: SuiteRun, format: Format): Promise<Place> {
  if (report === undefined) return { file: join(scratch, format.file) };
  const resolved = await resolveInside(workdir, report);
  return resolved.ok ? { file: resolved.path } : { because: `report: ${resolved.because}` };
}

/** A report that was there before is not this run's. Returns why it could not be removed. */
async function removeOld(file: string): Promise<string | undefined> {
  try {
    await rm(file, { force: true });
    return undefined;
  } catch (error) {
    return `the report of an earlier run cannot be removed: ${messageOf(error)}`;
  }
}

async function exists(file: string): Promise<boolean> {
  return await stat(file).then(
    () => true,
    () => false,
  );
}
