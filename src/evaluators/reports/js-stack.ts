import { relative } from 'node:path';
import type { TestResult } from '../../core/check.ts';

/** Class, message and place out of an error printed by a JavaScript runner. */
export function describeJsError(
  text: string,
  root: string,
): Pick<TestResult, 'place' | 'errorType' | 'message' | 'detail'> {
  const first = text.trim().split('\n')[0] ?? '';
  const [, errorType, rest] =
    /^(?:Uncaught )?([A-Z]\w*(?:Error|Exception|Failure)|Error)\b(?: \[\w+\])?:?\s*(.*)$/s.exec(first) ?? [];
  const place = placeIn(text, root);
  return {
    ...(place !== undefined && { place }),
    ...(errorType !== undefined && { errorType }),
    message: (rest ?? first).slice(0, 300),
    detail:
      text.length > 20_000
        ? `${text.slice(0, 20_000)}\n… ${text.length - 20_000} characters left out …`
        : text,
  };
}

function placeIn(text: string, root: string): string | undefined {
  for (const [, path = '', line = ''] of text.matchAll(/(?:file:\/\/)?(\/[^\s():]+):(\d+):\d+/g)) {
    if (path.startsWith(`${root}/`) && !path.includes('/node_modules/'))
      return `${relative(root, path)}:${line}`;
  }
  return undefined;
}
