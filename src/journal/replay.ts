import type { Event } from '../core/event.ts';
import { emptyHistory, record } from '../core/history.ts';
import { type Report, reportOf } from '../core/report.ts';

/** The report of a journal: the very one that its run wrote. */
export function replay(events: readonly Event[]): Report {
  return reportOf(events.reduce(record, emptyHistory));
}
