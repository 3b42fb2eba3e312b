import type { Happening } from '../../src/core/event.ts';
import { emptyHistory, record } from '../../src/core/history.ts';
import { type Report, reportOf } from '../../src/core/report.ts';
import { stamped } from '../observers/story.ts';

/** The report of what happened. */
export function reported(story: readonly Happening[]): Report {
  return reportOf(stamped(story).reduce(record, emptyHistory));
}
