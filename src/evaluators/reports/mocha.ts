import { relative } from 'node:path';
import type { TestResult } from '../../core/check.ts';
import type { SuiteReport } from '../suite.ts';
import { readJestLines } from './jest-json.ts';
import { describeJsError } from './js-stack.ts';
import { textOf } from './report-file.ts';

/** Reads the lines of our reporter for mocha. `root` is the workspace, as the runner saw it. */
export function readMochaLines(lines: readonly Record<string, unknown>[], root: string): SuiteReport {
  const report = readJestLines(lines, root);
  const has = (event: string) => lines.some((line) => line['e'] === event);
  // It made ready and then found no file to load.
  const nothing = has('made') && !has('start') && !has('report');
  return {
    ...report,
    ...(nothing && { complete: true }),
    unloadable: lines.flatMap((line) => (line['e'] === 'unloadable' ? [unloadable(line, root)] : [])),
  };
}

function unloadable(line: Record<string, unknown>, root: string): TestResult {
  const path = textOf(line['file']) ?? '(no file)';
  const id = path.startsWith(`${root}/`) ? relative(root, path) : path;
  return {
    id,
    status: 'error',
    ...(id !== path && { file: id }),
    ...describeJsError(textOf(line['message']) ?? 'it does not load', root),
  };
}
