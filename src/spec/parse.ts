import type { Spec } from '../core/spec.ts';
import { noticesOf } from './availability.ts';
import { buildSpec } from './build.ts';
import { SpecError, type SpecIssue } from './issue.ts';
import { FREE_KEYS, specFile } from './schema.ts';
import { readShape } from './shape.ts';

/** A sound spec with what its author should know, or everything that is wrong with it. */
export type ParsedSpec =
  | { readonly ok: true; readonly value: Spec; readonly notices: readonly string[] }
  | { readonly ok: false; readonly issues: readonly SpecIssue[] };

/** Reads a spec from an object of the file's shape: defaults are filled in, nothing is run. Never throws. */
export function safeParseSpec(object: unknown): ParsedSpec {
  const shaped = readShape(specFile, object, FREE_KEYS);
  if (!shaped.ok) return shaped;
  const issues: SpecIssue[] = [];
  const value = buildSpec(shaped.value, issues);
  return issues.length > 0 ? { ok: false, issues } : { ok: true, value, notices: noticesOf(shaped.value) };
}

/**
 * Reads a spec from an object of the file's shape. Throws `SpecError`
 * (`bad-spec` or `not-available`) that holds everything that is wrong with it.
 */
export function parseSpec(object: unknown): Spec {
  const parsed = safeParseSpec(object);
  if (!parsed.ok) throw new SpecError(parsed.issues);
  return parsed.value;
}
