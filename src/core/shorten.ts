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
