/** A JSON object that somebody else wrote: anything may be missing, or of another type. */
export type Fields = Readonly<Record<string, unknown>>;

/** The value at a path of keys; `undefined` where there is none. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || Array.isArray(found)) return undefined;
    found = Object.hasOwn(found, key) ? (found as Fields)[key] : undefined;
  }
  return found;
}

/** The object at a path; empty where there is none. */
export function fieldsAt(value: unknown, ...path: readonly string[]): Fields {
  const found = at(value, ...path);
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as Fields) : {};
}

/** The object that a text is as JSON; empty where it is none. */
export function fieldsIn(text: string): Fields {
  try {
    return fieldsAt(JSON.parse(text));
  } catch {
    return {};
  }
}

/** A text that holds something; else `undefined`. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** A number that can be counted; else `undefined`. */
export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = at(value, ...path);
  return typeof found === 'number' && Number.isFinite(found) && found >= 0 ? found : undefined;
}

/** The sum of what is known; `undefined` where nothing is. */
export function sumOf(...numbers: readonly (number | undefined)[]): number | undefined {
  const known = numbers.filter((number) => number !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, number) => sum + number, 0);
}

/** An object without the keys whose value is undefined. */
export function known<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
