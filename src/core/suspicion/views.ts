import type { Language } from '../families/row.ts';
import { importedNames } from './imported-names.ts';
import type { View } from './row.ts';

/** What a character of a program belongs to. */
type Kind = 'code' | 'string' | 'comment' | 'docstring';

interface Syntax {
  readonly line: readonly string[];
  readonly block?: readonly [open: string, close: string];
  /** Quotes, longest first; those in `multiline` may span lines. */
  readonly quotes: readonly string[];
  readonly multiline: readonly string[];
  /** `${…}` in such a quote is code again. */
  readonly template?: string;
  /** `/…/` is a text where a value may stand. */
  readonly regex?: true;
  /** A text in three quotes that is a whole statement is neither code nor a comment. */
  readonly docstrings?: true;
}

const C_LIKE: Syntax = { line: ['//'], block: ['/*', '*/'], quotes: ['"'], multiline: [] };
const SYNTAX: Readonly<Record<Language, Syntax>> = {
  python: {
    line: ['#'],
    quotes: ['"""', "'''", '"', "'"],
    multiline: ['"""', "'''"],
    docstrings: true,
  },
  javascript: {
    line: ['//'],
    block: ['/*', '*/'],
    quotes: ['"', "'", '`'],
    multiline: ['`'],
    template: '`',
    regex: true,
  },
  go: { ...C_LIKE, quotes: ['"', '`'], multiline: ['`'] },
  rust: { ...C_LIKE, multiline: ['"'] },
  jvm: { ...C_LIKE, quotes: ['"""', '"'], multiline: ['"""'] },
  ruby: { line: ['#'], quotes: ['"', "'"], multiline: ['"', "'"] },
  php: { line: ['//', '#'], block: ['/*', '*/'], quotes: ['"', "'"], multiline: ['"', "'"] },
  dotnet: C_LIKE,
  c: C_LIKE,
};

/** The views of a program's text: each as long as the text and with its lines; `plain` is `code` with names as they stand. */
export function viewsOf(language: Language, text: string): Readonly<Record<View | 'plain', string>> {
  const pieces = new Reader(SYNTAX[language], text).read();
  const keep = (...wanted: readonly Kind[]) => masked(text, pieces, wanted);
  const plain = keep('code', 'string');
  const names = importedNames(language, plain);
  const code = names(plain);
  const bare = names(keep('code'));
  const statements = language === 'python' ? outsideBrackets(code) : bare;
  return { code, bare, statements, comments: keep('comment'), plain };
}

/** A piece of a text, up to `to`. */
interface Piece {
  kind: Kind;
  to: number;
}

function masked(text: string, pieces: readonly Piece[], wanted: readonly Kind[]): string {
  let from = 0;
  return pieces
    .map(({ kind, to }) => {
      const piece = text.slice(from, to);
      from = to;
      return wanted.includes(kind) ? piece : piece.replace(/[^\n]/g, ' ');
    })
    .join('');
}

/** Python without texts and without what stands in brackets: names of arguments are no assignments. */
function outsideBrackets(code: string): string {
  const bare = masked(code, new Reader(SYNTAX.python, code).read(), ['code']);
  let depth = 0;
  return bare.replace(/[([{]|[)\]}]|[^()[\]{}]+/g, (piece) => {
    if ('([{'.includes(piece)) depth += 1;
    else if (')]}'.includes(piece)) depth = Math.max(0, depth - 1);
    else if (depth > 0) return piece.replace(/[^\n]/g, ' ');
    return piece;
  });
}

/** Where anything but plain code may begin. */
const SPECIAL = /["'`#/()[\]{}]/g;

class Reader {
  readonly #syntax: Syntax;
  readonly #text: string;
  readonly #pieces: Piece[] = [];
  /** How many brackets were open where a `${` began. */
  readonly #templates: number[] = [];
  #depth = 0;
  #at = 0;

  constructor(syntax: Syntax, text: string) {
    this.#syntax = syntax;
    this.#text = text;
  }

  read(): readonly Piece[] {
    while (this.#at < this.#text.length) this.#next();
    return this.#pieces;
  }

  #next(): void {
    const { line, block, quotes, regex } = this.#syntax;
    const quote = quotes.find((mark) => this.#is(mark));
    if (line.some((mark) => this.#is(mark))) this.#take('comment', this.#endOfLine());
    else if (block && this.#is(block[0])) this.#take('comment', this.#after(block[1], block[0].length));
    else if (quote !== undefined) this.#quoted(quote);
    else if (regex && this.#is('/') && this.#mayBeValue()) this.#regex();
    else this.#plain();
  }

  #plain(): void {
    const char = this.#text.charAt(this.#at);
    if ('([{'.includes(char)) this.#depth += 1;
    else if (')]}'.includes(char)) this.#depth = Math.max(0, this.#depth - 1);
    const { template } = this.#syntax;
    if (template !== undefined && char === '}' && this.#templates.at(-1) === this.#depth) {
      this.#take('code', this.#at + 1);
      this.#templates.pop();
      this.#rest(template);
      return;
    }
    SPECIAL.lastIndex = this.#at + 1;
    this.#take('code', SPECIAL.exec(this.#text)?.index ?? this.#text.length);
  }

  #quoted(quote: string): void {
    const { multiline, docstrings, template } = this.#syntax;
    const isStatement =
      docstrings && this.#depth === 0 && quote.length === 3 && this.#lineSoFar().trim() === '';
    this.#take('string', this.#at + quote.length);
    if (quote === template) this.#rest(quote);
    else this.#take('string', this.#endOfQuote(quote, multiline.includes(quote)));
    const last = this.#pieces.at(-1);
    if (isStatement && last) last.kind = 'docstring';
  }

  /** The rest of a template, up to its end or the next `${`. */
  #rest(quote: string): void {
    let at = this.#at;
    let opens = false;
    while (at < this.#text.length && !opens && !this.#text.startsWith(quote, at)) {
      opens = this.#text.startsWith('${', at);
      at += opens || this.#text.charAt(at) === '\\' ? 2 : 1;
    }
    this.#take('string', opens ? at : at + quote.length);
    if (!opens) return;
    this.#templates.push(this.#depth);
    this.#depth += 1;
  }

  #endOfQuote(quote: string, spansLines: boolean): number {
    let at = this.#at;
    while (at < this.#text.length) {
      const char = this.#text.charAt(at);
      if (char === '\\') at += 2;
      else if (this.#text.startsWith(quote, at)) return at + quote.length;
      // Not closed on its line: whatever it was, the next line begins anew.
      else if (char === '\n' && !spansLines) return at;
      else at += 1;
    }
    return at;
  }

  #regex(): void {
    const end = this.#endOfRegex();
    if (end === undefined) this.#plain();
    else this.#take('string', end);
  }

  #endOfRegex(): number | undefined {
    let inClass = false;
    for (let at = this.#at + 1; at < this.#text.length; at++) {
      const char = this.#text.charAt(at);
      if (char === '\n') return undefined;
      if (char === '\\') at += 1;
      else if (char === '[') inClass = true;
      else if (char === ']') inClass = false;
      else if (char === '/' && !inClass) return at + 1;
    }
    return undefined;
  }

  /** A slash divides after a value, and begins a regular expression elsewhere. */
  #mayBeValue(): boolean {
    const before = this.#lineSoFar().trimEnd();
    return before === '' || /[=(,:[!&|?{};+\-*%<>~^]$|\b(?:return|typeof|case|in|of|do|else)$/.test(before);
  }

  #lineSoFar(): string {
    return this.#text.slice(this.#text.lastIndexOf('\n', this.#at - 1) + 1, this.#at);
  }

  #is(mark: string): boolean {
    return this.#text.startsWith(mark, this.#at);
  }

  #endOfLine(): number {
    const end = this.#text.indexOf('\n', this.#at);
    return end === -1 ? this.#text.length : end;
  }

  #after(mark: string, from: number): number {
    const end = this.#text.indexOf(mark, this.#at + from);
    return end === -1 ? this.#text.length : end + mark.length;
  }

  #take(kind: Kind, to: number): void {
    this.#at = Math.min(to, this.#text.length);
    const last = this.#pieces.at(-1);
    if (last?.kind === kind) last.to = this.#at;
    else this.#pieces.push({ kind, to: this.#at });
  }
}
