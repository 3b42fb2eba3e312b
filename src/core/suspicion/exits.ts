import { GO_ENDS, JS_ENDS, PYTHON_ENDS, RUST_ENDS } from '../process-ends.ts';
import type { Row } from './row.ts';

const ENDS = {
  name: 'forced-exit',
  scope: 'sources',
  because: 'it ends the process, or settles its exit code, past what would notice',
  // Whoever knows each test by its id misses those that did not run.
  harmlessByIds: true,
} as const;

/** What ends the process where a check runs it; a program may have honest reasons, so it is named. */
export const EXITS: readonly Row[] = [
  { ...ENDS, languages: ['python'], view: 'code', pattern: PYTHON_ENDS },
  { ...ENDS, languages: ['javascript'], view: 'code', pattern: JS_ENDS },
  { ...ENDS, languages: ['go'], view: 'bare', pattern: GO_ENDS },
  { ...ENDS, languages: ['rust'], view: 'bare', pattern: RUST_ENDS },
];
