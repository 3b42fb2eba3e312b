import type { Check } from '../core/check.ts';

/** The first failure in full: of the first failing test where there are ids, else the end of what the check said. */
export function firstFailure(checks: readonly Check[]): string | undefined {
  const tests = checks.flatMap((check) => check.tests?.failing ?? []);
  const detail = tests
    .map((test) => test.detail ?? test.message)
    .find((text) => text !== undefined && text !== '');
  if (detail !== undefined) return detail;
  const red = checks.find((check) => check.status !== 'pass');
  return red && tailOf(red.feedback, TRACEBACK_CHARS);
}

const TRACEBACK_CHARS = 4000;

/** The last characters of a text, with a mark where something was left out. */
export const tailOf = (text: string, chars: number) =>
  text.length <= chars ? text : `...[truncated]...\n${text.slice(-chars)}`;
