export type Json = Readonly<Record<string, unknown>>;

/** The object that a JSON text holds, a byte order mark before it or not; undefined where it holds none. */
export function objectOf(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The value itself where it is an object, else an empty one. */
export function objectIn(value: unknown): Json {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for two values that are written as the same JSON, with keys in the same order. */
export function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
