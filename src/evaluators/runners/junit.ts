import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../core/error.ts';
import { resolveInside } from '../../system/files.ts';
import { unusable } from '../endings.ts';
import { readJUnit } from '../reports/junit.ts';
import { readReportFile } from '../reports/report-file.ts';
import { NO_REPORT } from '../suite.ts';
import type { Adapter, SuiteRun } from './adapter.ts';

/** Any runner that writes JUnit XML: to the file that the user names, else to the one named by `$LOOPGEN_REPORT`. */
export const junitAdapter: Adapter = {
  wraps: true,
  async prepare(run) {
    const place = await placeOf(run);
    const stale = place.file === undefined ? place.because : await removeOld(place.file);
    const file = place.file;
    return {
      line: run.line,
      ...(run.canary && { canary: { none: 'the runner behind the report is not known' } }),
      env: run.report === undefined && file !== undefined ? { ...run.env, LOOPGEN_REPORT: file } : run.env,
      read: async () => {
        if (file === undefined || stale !== undefined) return NO_REPORT;
        const report = await readReportFile(file);
        if (report.kind !== 'text') return NO_REPORT;
        const caveat = `the report is written by the check's own command${run.report === undefined ? '' : ` (${run.report})`}`;
        return { ...readJUnit(report.text, run), caveats: [caveat] };
      },
      explain: async () => {
        if (stale !== undefined) return unusable('no-report', stale);
        return file === undefined || (await exists(file))
          ? undefined
          : unusable('no-report', `the command wrote no report to ${run.report ?? '$LOOPGEN_REPORT'}`);
      },
    };
  },
};

type Place =
  | { readonly file: string; readonly because?: never }
  | { readonly file?: never; readonly because: string };

async function placeOf({ report, scratch, workdir }: SuiteRun): Promise<Place> {
  if (report === undefined) return { file: join(scratch, 'report.xml') };
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
