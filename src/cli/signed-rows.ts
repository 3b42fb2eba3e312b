import type { Style } from '../observers/style.ts';
import { oneLine, padEnd, wrap } from '../observers/text-width.ts';

/** A sign, a name in a column `width` wide, and foreign text beside them. */
export function signedRows(
  { sign, name, text, width }: { sign: string; name: string; text: string; width: number },
  style: Style,
): string[] {
  return wrap(oneLine(text), style.width - width - 6).map((line, i) =>
    (i === 0 ? `  ${sign} ${padEnd(oneLine(name), width)}  ${line}` : ' '.repeat(width + 6) + line).trimEnd(),
  );
}
