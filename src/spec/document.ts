import { Composer, type CST, type Document, Lexer, LineCounter, Parser, visit } from 'yaml';
import { messageOf, type Place } from '../core/error.ts';
import type { Path, SpecIssue } from './issue.ts';
import { offsetOf } from './offset.ts';

/** A YAML or JSON file: its value, and where in the text each part of it stands. */
export interface SourceDocument {
  readonly file: string;
  readonly value: unknown;
  /**
   * Where a value stands, or its key. Where the path leads to nothing, the
   * nearest thing above it, so that a missing key has a place too.
   */
  readonly locate: (path: Path, part?: 'key' | 'value') => Place;
}

/** The document, or what is wrong with its syntax. `.json` files are held to JSON. */
export function readDocument(
  text: string,
  file: string,
):
  | { readonly ok: true; readonly value: SourceDocument }
  | { readonly ok: false; readonly issues: SpecIssue[] } {
  const source = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const lines = new LineCounter();
  const [yaml, second] = compose(source, lines);
  if (!yaml) {
    const at = { file, line: 1, column: 1 };
    return { ok: false, issues: [{ code: 'syntax', path: [], message: 'is nested too deeply', at }] };
  }
  const placeAt = (offset: number) => placeIn(source, file, lines, offset);
  const fault = (message: string, offset: number, hint?: string): SpecIssue => {
    return { code: 'syntax', path: [], message, at: placeAt(offset), ...(hint !== undefined && { hint }) };
  };

  const faults = [...yaml.errors, ...yaml.warnings].map((error) => {
    const known = SYNTAX[error.code];
    const message = known?.message ?? lowerFirst(error.message.split('\n')[0] ?? 'is not YAML');
    return fault(message, error.pos[0], known?.hint);
  });
  if (second) {
    faults.push(
      fault('there is more than one document in the file', second.range[0], 'take out the line ---'),
    );
  }
  visit(yaml, {
    Alias: (_, alias) => {
      if (alias.resolve(yaml)) return;
      faults.push(fault(`there is no anchor &${alias.source} before this alias`, alias.range?.[0] ?? 0));
    },
  });
  if (faults.length > 0) return { ok: false, issues: faults.slice(0, MAX_FAULTS) };
  const value = file.toLowerCase().endsWith('.json') ? jsonValue(source) : yamlValue(yaml);
  if ('because' in value) return { ok: false, issues: [fault(value.because, value.offset)] };
  const locate: SourceDocument['locate'] = (path, part) => placeAt(offsetOf(yaml, path, part ?? 'value'));
  return { ok: true, value: { file, value: value.is, locate } };
}

const MAX_DEPTH = 200;

/** The documents in a text; none where it is nested too deeply. */
function compose(source: string, lines: LineCounter): Document.Parsed[] {
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(source)) {
    tokens.push(...parser.next(lexeme));
    // Composing recurses: on thousands of levels it would end the whole process.
    if (parser.stack.length > MAX_DEPTH) return [];
  }
  tokens.push(...parser.end());
  const composer = new Composer({ merge: true, prettyErrors: false });
  return [...composer.compose(tokens, true, source.length)];
}

/** One slip of indentation makes many faults; the first few tell it. */
const MAX_FAULTS = 5;

const SYNTAX: Readonly<Record<string, { readonly message: string; readonly hint?: string }>> = {
  TAB_AS_INDENT: { message: 'a tab is used for indentation', hint: 'use spaces' },
  DUPLICATE_KEY: { message: 'this key is there twice', hint: 'keep one of the two' },
  TAG_RESOLVE_FAILED: { message: 'this tag is not known', hint: 'take it out, or put the text in quotes' },
};

type Value = { readonly is: unknown } | { readonly because: string; readonly offset: number };

function yamlValue(yaml: Document): Value {
  try {
    const is: unknown = yaml.toJS({ maxAliasCount: 100 });
    // An anchor that holds its own alias makes a value without end.
    JSON.stringify(is);
    return { is };
  } catch (error) {
    const endless = error instanceof TypeError;
    return { because: endless ? 'an anchor holds itself' : lowerFirst(messageOf(error)), offset: 0 };
  }
}

function jsonValue(source: string): Value {
  try {
    return { is: JSON.parse(source) as unknown };
  } catch (error) {
    const message = messageOf(error);
    const offset = Number(/at position (\d+)/.exec(message)?.[1] ?? 0);
    return { because: `is not JSON: ${lowerFirst(message.replace(/ in JSON at position .*/s, ''))}`, offset };
  }
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function placeIn(source: string, file: string, lines: LineCounter, offset: number): Place {
  const { line, col } = lines.linePos(Math.min(offset, source.length));
  if (line === 0) return { file, line: 1, column: 1, source: source.split('\n', 1)[0] ?? '' };
  const start = lines.lineStarts[line - 1] ?? 0;
  const end = source.indexOf('\n', start);
  return { file, line, column: col, source: source.slice(start, end === -1 ? undefined : end) };
}
