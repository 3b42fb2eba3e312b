import type { Place } from '../core/error.ts';
import type { Spec } from '../core/spec.ts';
import { readDocument, type SourceDocument } from './document.ts';
import { type Path, SpecError, type SpecIssue } from './issue.ts';
import { safeParseSpec } from './parse.ts';
import { readSpecFile } from './read-file.ts';

/** A spec that came from a file. */
export interface LoadedSpec {
  readonly spec: Spec;
  /** What is accepted and has no effect in this version. */
  readonly notices: readonly string[];
  /** To say where something stands that only shows to be wrong later, for example the options of a plug-in. */
  readonly source: SourceDocument;
}

/**
 * Reads a `.loop.yaml` or `.json` file. Throws `SpecError` with every problem
 * and its place, or `LoopgenError` `spec-not-found` or `spec-unreadable`.
 * Messages name the file as it was given.
 */
export async function loadSpec(file: string): Promise<LoadedSpec> {
  return loadSpecText(await readSpecFile(file), file);
}

/** The same for the text of a file. */
export function loadSpecText(text: string, file: string): LoadedSpec {
  const document = readDocument(text, file);
  if (!document.ok) throw new SpecError(document.issues);
  const source = document.value;
  const parsed = safeParseSpec(source.value);
  if (!parsed.ok) throw new SpecError(placed(parsed.issues, source.locate));
  return { spec: parsed.value, notices: parsed.notices, source };
}

/** Issues with their places, in the order of the file. */
export function placed(issues: readonly SpecIssue[], locate: SourceDocument['locate']): SpecIssue[] {
  return issues
    .map((issue) => ({ ...issue, at: placeOf(issue.path, issue.code, locate) }))
    .sort((a, b) => a.at.line - b.at.line || a.at.column - b.at.column);
}

function placeOf(path: Path, code: SpecIssue['code'], locate: SourceDocument['locate']): Place {
  return locate(path, code === 'unknown-key' || code === 'not-available' ? 'key' : 'value');
}
