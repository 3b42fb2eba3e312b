/**
 * The text, or its head (a quarter) and its tail with a line between them that
 * says how much was left out. `max` is in characters; the line comes on top.
 */
export function headAndTail(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, Math.floor(max / 4));
  const tail = text.slice(text.length - (max - head.length));
  return `${head}\n… ${text.length - head.length - tail.length} characters left out …\n${tail}`;
}

/**
 * The first `max` characters as a string of its own: engines keep the whole text alive behind a slice of it, which
 * adds up over hundreds of iterations.
 */
export function excerpt(text: string, max: number): string {
  const head = Array.from(text.slice(0, max)).join('');
  return text.length > max ? `${head} …` : head;
}

/** Names that a sentence can hold. */
const LISTED = 3;

/** `a, b, c and 4 more`. */
export function shortList(names: readonly string[], listed = LISTED): string {
  const more = names.length - listed;
  return `${names.slice(0, listed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
