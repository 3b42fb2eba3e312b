import { nameOf } from './start-tree.ts';
import type { Patch } from './suspicion/scan.ts';

/** Sources with their types, the same without them, and types that somebody writes down beside those. */
const TYPED = /(?<!\.d)\.[cm]?tsx?$/;
const UNTYPED = /\.[cm]?jsx?$/;
const DECLARED = /\.d\.[cm]?ts$/;

/**
 * Where a patch takes sources away from who checks types, by path: a source of TypeScript gives way to one of
 * JavaScript, or types are declared beside what they are said to be of. Pure.
 */
export function uncheckedSources(patch: Patch): ReadonlyMap<string, string> {
  const { changes } = patch;
  const found = new Map<string, string>();
  const written = changes.filter(({ change }) => change !== 'deleted').map(({ path }) => path);
  const added = changes.filter(({ change }) => change === 'added').map(({ path }) => path);
  const at = (endings: RegExp, paths: readonly string[], path: string, of: (path: string) => string) =>
    paths.find((other) => endings.test(other) && of(other) === of(path));
  for (const { path, change } of changes) {
    if (change !== 'deleted' || !TYPED.test(path) || at(TYPED, added, path, stemName)) continue;
    const instead = at(UNTYPED, written, path, stemName) ?? at(DECLARED, added, path, stemName);
    if (instead !== undefined)
      found.set(path, `${path} gave way to ${instead}, in which no types are checked`);
  }
  for (const path of added) {
    // Types for JavaScript that the start has are what is missing; those of new code could stand in it.
    const beside = DECLARED.test(path) ? at(UNTYPED, added, path, stem) : pythonBeside(path, patch);
    if (beside !== undefined) found.set(path, `${path} declares types in the place of those in ${beside}`);
  }
  return found;
}

/** New code beside a stub, which is read in its place; a stub for code of the start stays out of the room. */
function pythonBeside(path: string, { changes }: Patch): string | undefined {
  if (!path.endsWith('.pyi')) return undefined;
  const source = path.slice(0, -1);
  return changes.some((other) => other.path === source && other.change === 'added') ? source : undefined;
}

function stem(path: string): string {
  return path.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '');
}

function stemName(path: string): string {
  return nameOf(stem(path));
}
