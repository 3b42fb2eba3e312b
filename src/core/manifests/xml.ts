/** An element of an XML text. */
export interface Element {
  readonly name: string;
  /** From its first `<` to its last `>`. */
  readonly text: string;
  /** What stands between its tags. */
  readonly inner: string;
  /** Where that begins in the text that was read. */
  readonly innerFrom: number;
}

const TOKEN =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|<|[^<]+/g;

/** The outermost elements of a text; undefined where it cannot be taken apart (a document type, tags that do not match). */
export function elementsOf(text: string): readonly Element[] | undefined {
  const found: Element[] = [];
  const open: Tag[] = [];
  for (const tag of tagsOf(text)) {
    if (tag === 'broken') return undefined;
    if (!tag.closes) open.push(tag);
    if (!tag.closes && !tag.alone) continue;
    const begun = open.pop();
    if (begun?.name !== tag.name) return undefined;
    if (open.length === 0) found.push(elementOf(text, begun, tag));
  }
  return open.length > 0 ? undefined : found;
}

interface Tag {
  readonly name: string;
  readonly closes: boolean;
  /** `<a/>` opens and closes. */
  readonly alone: boolean;
  readonly from: number;
  readonly to: number;
}

function* tagsOf(text: string): Generator<Tag | 'broken'> {
  for (const { index, 0: whole, 1: slash, 2: name, 4: alone } of text.matchAll(TOKEN)) {
    if (whole === '<') yield 'broken';
    if (name === undefined) continue;
    yield { name, closes: slash !== '', alone: alone !== '', from: index, to: index + whole.length };
  }
}

function elementOf(text: string, begun: Tag, ended: Tag): Element {
  const inner = ended.closes ? text.slice(begun.to, ended.from) : '';
  return { name: begun.name, text: text.slice(begun.from, ended.to), inner, innerFrom: begun.to };
}

/** The same text for the same elements: without comments, and without the space between tags. */
export function plainXml(text: string): string {
  return text
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/\s+/g, ' ')
    .replace(/\s*([<>])\s*/g, '$1');
}
