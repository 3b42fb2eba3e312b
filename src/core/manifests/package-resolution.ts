import { type Json, objectIn, objectOf, same } from './json-object.ts';

/** What red tests find through a package.json. */
export interface Resolution {
  /** What they import by its `imports`: `#support/same`. */
  readonly imports: readonly string[];
  /** The package itself is a helper of theirs. */
  readonly isHelper: boolean;
  /** True for a target, as it stands there, that the start has. */
  readonly isThere: (target: string) => boolean;
}

const ENTRIES = ['main', 'module', 'exports'];

/** The agent's package.json, in which what red tests import leads where it led at the start. Pure. */
export function keepResolution(
  start: string,
  agents: string,
  { imports, isHelper, isThere }: Resolution,
): { readonly text: string; readonly kept: readonly string[] } {
  const ours = objectOf(start);
  const theirs = objectOf(agents);
  if (!ours || !theirs) return { text: agents, kept: [] };
  const entries = isHelper ? ENTRIES.filter((key) => !same(ours[key], theirs[key])) : [];
  const whole: Record<string, unknown> = { ...theirs };
  for (const key of entries) {
    if (Object.hasOwn(ours, key)) whole[key] = ours[key];
    else delete whole[key];
  }
  const map = keepImports(objectIn(ours['imports']), objectIn(theirs['imports']), imports, isThere);
  if (map.kept.length > 0) whole['imports'] = map.imports;
  const kept = [...entries, ...map.kept.map((key) => `imports.${key}`)];
  return kept.length === 0 ? { text: agents, kept } : { text: `${JSON.stringify(whole, null, 2)}\n`, kept };
}

function keepImports(
  ours: Json,
  theirs: Json,
  names: readonly string[],
  isThere: (target: string) => boolean,
) {
  const imports: Record<string, unknown> = { ...theirs };
  const kept = new Set<string>();
  for (const name of names) {
    const key = keyFor(ours, name);
    if (key === undefined || !leavesOf(ours[key]).some((target) => isThere(filled(target, key, name))))
      continue;
    const own = keyFor(imports, name);
    if (own === key && same(ours[key], imports[key])) continue;
    if (own !== undefined && !Object.hasOwn(ours, own)) delete imports[own];
    imports[key] = ours[key];
    kept.add(key);
  }
  return { imports, kept: [...kept] };
}

/** As Node chooses: the name itself, else the pattern with the longest beginning. */
function keyFor(map: Json, name: string): string | undefined {
  if (Object.hasOwn(map, name)) return name;
  return Object.keys(map)
    .filter((key) => matches(key, name))
    .sort((a, b) => b.indexOf('*') - a.indexOf('*') || b.length - a.length)[0];
}

function matches(key: string, name: string): boolean {
  const [before = '', after] = key.split('*');
  return after !== undefined && name.length >= key.length && name.startsWith(before) && name.endsWith(after);
}

function filled(target: string, key: string, name: string): string {
  const at = key.indexOf('*');
  return at < 0 ? target : target.replaceAll('*', name.slice(at, name.length - (key.length - at - 1)));
}

function leavesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [];
}
