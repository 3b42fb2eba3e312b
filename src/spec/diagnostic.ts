import type { LoopgenError, Place } from '../core/error.ts';
import { describeIssue, SpecError } from './issue.ts';

/** What stands on the screen for one problem. */
interface Diagnostic {
  readonly message: string;
  readonly hint?: string | undefined;
  readonly at?: Place | undefined;
}

/** Where more are told, the last ones are only counted. */
const MAX_SHOWN = 20;

/**
 * An error as text for a person: `file:line:column  message`, the line, a caret
 * and the hint; every issue of a `SpecError`. Without a line feed at the end.
 * `ascii` draws without box characters.
 */
export function renderDiagnostics(error: LoopgenError, { ascii = false } = {}): string {
  const diagnostics: readonly Diagnostic[] =
    error instanceof SpecError
      ? error.issues.map((issue) => ({ message: describeIssue(issue), hint: issue.hint, at: issue.at }))
      : [error];
  const shown = diagnostics.slice(0, MAX_SHOWN).map((diagnostic) => render(diagnostic, ascii ? '|' : '│'));
  const left = diagnostics.length - shown.length;
  if (left > 0) shown.push(`and ${left} more`);
  return shown.join('\n\n');
}

function render({ message, hint, at }: Diagnostic, bar: string): string {
  if (!at) return hint === undefined ? message : `${message}\n  ${hint}`;
  const head = `${at.file}:${at.line}:${at.column}  ${message}`;
  if (at.source === undefined) return hint === undefined ? head : `${head}\n  ${hint}`;
  const number = String(at.line).padStart(4);
  const excerpt = excerptOf(at.source, at.column - 1);
  const caret = `${excerpt.before.replace(/[^\t]/gu, ' ')}${'^'.repeat(excerpt.width)}`;
  return [
    head,
    `${number} ${bar} ${excerpt.text}`.trimEnd(),
    `${' '.repeat(number.length)} ${bar} ${caret}${hint === undefined ? '' : ` ${hint}`}`,
  ].join('\n');
}

const MAX_WIDTH = 100;

/** A long line is cut around the column, so that the caret stays in sight. */
function excerptOf(source: string, column: number): { before: string; text: string; width: number } {
  const start = column > MAX_WIDTH - 30 ? column - 30 : 0;
  const shown = printable(source.slice(start, start + MAX_WIDTH));
  const lead = start > 0 ? '…' : '';
  const tail = start + MAX_WIDTH < source.length ? '…' : '';
  const token = /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s,\]}:]+)/.exec(shown.slice(column - start))?.[0] ?? '';
  return {
    before: lead + shown.slice(0, column - start),
    text: lead + shown + tail,
    width: Math.max(1, token.length),
  };
}

/** Control characters of a file must not reach the terminal. */
function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g, '\uFFFD');
}
