/** Applies a redaction of text to every string inside a value of plain data; the rest stays as it is. */
export function redactingDeeply(redact: (text: string) => string): <T>(value: T) => T {
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return redact(value);
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]));
    return value;
  };
  return <T>(value: T) => walk(value) as T;
}
