import type { z } from 'zod';
import { isUnknownKey } from './fields.ts';
import type { Path, SpecIssue } from './issue.ts';

/** What was read, or everything that is wrong with its shape. */
export type Shaped<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: SpecIssue[] };

/**
 * Reads a value by a schema of `fields.ts`. Keys that begin with `x-` are taken
 * out first, but for the inside of `free` keys, whose content is the user's.
 */
export function readShape<Schema extends z.ZodType>(
  schema: Schema,
  raw: unknown,
  free: readonly string[],
): Shaped<z.output<Schema>> {
  const userOwned = new Set(free);
  if (isDeeper(raw, MAX_DEPTH, userOwned)) {
    const message = 'is nested too deeply, or holds itself';
    return { ok: false, issues: [{ code: 'wrong-value', path: [], message }] };
  }
  const result = schema.safeParse(withoutExtensions(raw, userOwned));
  if (result.success) return { ok: true, value: result.data };
  return { ok: false, issues: result.error.issues.map((issue) => issueOf(issue, raw)) };
}

const MAX_DEPTH = 200;

function isDeeper(value: unknown, levels: number, free: ReadonlySet<string>): boolean {
  if (!Array.isArray(value) && !isMapping(value)) return false;
  if (levels === 0) return true;
  return Object.entries(value).some(([key, item]) => !free.has(key) && isDeeper(item, levels - 1, free));
}

/** Keys that hold `undefined` go too: a library user's object may have them. */
function withoutExtensions(value: unknown, free: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutExtensions(item, free));
  if (!isMapping(value)) return value;
  const kept = Object.entries(value).filter(([key, item]) => !key.startsWith('x-') && item !== undefined);
  return Object.fromEntries(
    kept.map(([key, item]) => [key, free.has(key) ? item : withoutExtensions(item, free)]),
  );
}

function isMapping(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function issueOf(issue: z.core.$ZodIssue, raw: unknown): SpecIssue {
  const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
  const [phrase = '', hint] = issue.message.split('\n');
  if (issue.code === 'custom') {
    return {
      code: isUnknownKey(phrase) ? 'unknown-key' : 'conflict',
      path,
      message: phrase,
      ...hinted(hint),
    };
  }
  const value = valueAt(raw, path);
  if (value === null && path.length === 0) {
    return { code: 'missing', path, message: `is empty: it must be ${phrase}` };
  }
  if (value === undefined) {
    return { code: 'missing', path, message: `is missing: it must be ${phrase}`, ...hinted(hint) };
  }
  return {
    code: 'wrong-value',
    path,
    message: `must be ${phrase}, but is ${show(value)}`,
    ...hinted(hint ?? hintFor(value, phrase)),
  };
}

function hinted(hint: string | undefined): { readonly hint?: string } {
  return hint === undefined ? {} : { hint };
}

function hintFor(value: unknown, phrase: string): string | undefined {
  if (value === null) return 'give it a value, or take the key out';
  const wantsNumber = /\bnumber\b/.test(phrase);
  if (typeof value === 'string' && wantsNumber && /^\d+(\.\d+)?$/.test(value.trim())) {
    return `write ${value.trim()} without the quotes`;
  }
  if (typeof value !== 'object' && typeof value !== 'string' && /\b(text|name)\b/.test(phrase)) {
    return `put it in quotes: "${String(value)}"`;
  }
  if (typeof value === 'string' && phrase.startsWith('a list')) return `write it as a list: [${show(value)}]`;
  return undefined;
}

function valueAt(raw: unknown, path: Path): unknown {
  let value = raw;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}

const SHOWN_CHARS = 60;

/** A value for a message: short, on one line. */
function show(value: unknown): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object') return 'a mapping';
  if (typeof value !== 'string') return String(value);
  const quoted = JSON.stringify(value);
  return quoted.length > SHOWN_CHARS ? `${quoted.slice(0, SHOWN_CHARS)}…"` : quoted;
}
