import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type YAMLMap,
} from 'yaml';
import { messageOf, type Place } from '../core/error.ts';
import type { Path, SpecIssue } from './issue.ts';

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
  const yaml = parseDocument(source, { lineCounter: lines, merge: true, prettyErrors: false });
  const placeAt = (offset: number) => placeIn(source, file, lines, offset);
  const fault = (message: string, offset: number, hint?: string): SpecIssue => {
    return { code: 'syntax', path: [], message, at: placeAt(offset), ...(hint !== undefined && { hint }) };
  };

  const faults = [...yaml.errors, ...yaml.warnings].map((error) => {
    const known = SYNTAX[error.code];
    const message = known?.message ?? lowerFirst(error.message.split('\n')[0] ?? 'is not YAML');
    return fault(message, error.pos[0], known?.hint);
  });
  if (faults.length > 0) return { ok: false, issues: faults.slice(0, MAX_FAULTS) };
  const value = file.toLowerCase().endsWith('.json') ? jsonValue(source) : yamlValue(yaml);
  if ('because' in value) return { ok: false, issues: [fault(value.because, value.offset)] };
  const locate: SourceDocument['locate'] = (path, part) => placeAt(offsetOf(yaml, path, part ?? 'value'));
  return { ok: true, value: { file, value: value.is, locate } };
}

/** One slip of indentation makes many faults; the first few tell it. */
const MAX_FAULTS = 5;

const SYNTAX: Readonly<Record<string, { readonly message: string; readonly hint?: string }>> = {
  TAB_AS_INDENT: { message: 'a tab is used for indentation', hint: 'use spaces' },
  DUPLICATE_KEY: { message: 'this key is there twice', hint: 'keep one of the two' },
  MULTIPLE_DOCS: { message: 'there is more than one document in the file', hint: 'take out the line ---' },
  TAG_RESOLVE_FAILED: { message: 'this tag is not known', hint: 'take it out, or put the text in quotes' },
};

type Value = { readonly is: unknown } | { readonly because: string; readonly offset: number };

function yamlValue(yaml: Document): Value {
  try {
    return { is: yaml.toJS({ maxAliasCount: 100 }) as unknown };
  } catch (error) {
    return { because: lowerFirst(messageOf(error)), offset: 0 };
  }
}

function jsonValue(source: string): Value {
  try {
    return { is: JSON.parse(source) as unknown };
  } catch (error) {
    const message = messageOf(error);
    const offset = Number(/at position (\d+)/.exec(message)?.[1] ?? 0);
    return { because: `is not JSON: ${lowerFirst(message)}`, offset };
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

function offsetOf(yaml: Document, path: Path, part: 'key' | 'value'): number {
  let node: unknown = yaml.contents;
  let keyOffset = startOf(node) ?? 0;
  for (const step of path) {
    const found = childOf(yaml, node, step);
    if (!found) return keyOffset;
    node = found.value;
    keyOffset = found.keyOffset ?? keyOffset;
  }
  return part === 'key' ? keyOffset : (startOf(node) ?? keyOffset);
}

/** Undefined for an empty value: then its key is the place. */
function startOf(node: unknown): number | undefined {
  const range = isMap(node) || isSeq(node) || isScalar(node) || isAlias(node) ? node.range : undefined;
  return range && range[1] > range[0] ? range[0] : undefined;
}

interface Child {
  readonly value: unknown;
  readonly keyOffset: number | undefined;
}

function childOf(yaml: Document, parent: unknown, step: string | number): Child | undefined {
  const node = isAlias(parent) ? parent.resolve(yaml) : parent;
  if (isSeq(node) && typeof step === 'number') {
    const item: unknown = node.items[step];
    return item === undefined ? undefined : { value: item, keyOffset: startOf(item) };
  }
  return isMap(node) ? entryOf(yaml, node, String(step)) : undefined;
}

function entryOf(yaml: Document, map: YAMLMap, key: string): Child | undefined {
  const own = map.items.find((pair) => keyOf(pair.key) === key);
  if (own) return { value: own.value, keyOffset: startOf(own.key) };
  for (const pair of map.items.filter((item) => keyOf(item.key) === '<<')) {
    const merged = isAlias(pair.value) ? pair.value.resolve(yaml) : pair.value;
    for (const source of isSeq(merged) ? merged.items : [merged]) {
      const found = childOf(yaml, source, key);
      if (found) return found;
    }
  }
  return undefined;
}

function keyOf(key: unknown): string {
  return String(isScalar(key) ? (key.source ?? key.value) : key);
}
