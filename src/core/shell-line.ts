/** One word of a shell line. */
export interface Word {
  /** Without its quotes. Where `literal` is false, as it stands in the line. */
  readonly text: string;
  /** False when the shell would put something else in its place (a variable, a substitution, a glob). */
  readonly literal: boolean;
  /** True when it holds `$(…)` or backquotes. */
  readonly substitution: boolean;
  /** Place in the line: `line.slice(start, end)` is the word with its quotes. */
  readonly start: number;
  readonly end: number;
}

/** One command of a line: `A=1 prog arg <in`. */
export interface SimpleCommand {
  /** Leading `NAME=value` words. */
  readonly assignments: readonly Word[];
  readonly words: readonly Word[];
  /** Files behind `<`. Files behind `>` are no input of anything, so they are not kept. */
  readonly inputs: readonly Word[];
}

export interface ShellLine {
  readonly commands: readonly SimpleCommand[];
  /** True when the line is exactly one simple command: no operators, redirections, groups, substitutions. */
  readonly plain: boolean;
}

const OPERATORS = /^(?:&&|\|\||;;|\|&|[;&|()\n])/;
const REDIRECTION = /^\d*(?:<<<|<<-?|<>|<&|>>|>&|>\||&>>|&>|<|>)/;
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/;
/** Words that open or close a compound command; the command proper follows them. */
const RESERVED = new Set([
  '!',
  '{',
  '}',
  'if',
  'then',
  'elif',
  'else',
  'fi',
  'do',
  'done',
  'while',
  'until',
  'time',
]);

/**
 * Reads a line as a POSIX shell would, as far as its words go. Undefined where
 * the line is not complete (an open quote) or empty.
 */
export function readShellLine(line: string): ShellLine | undefined {
  const reader = new Reader(line);
  if (!reader.readAll() || reader.commands.length === 0) return undefined;
  return { commands: reader.commands, plain: reader.plain && reader.commands.length === 1 };
}

class Reader {
  readonly commands: SimpleCommand[] = [];
  plain = true;
  readonly #line: string;
  #at = 0;
  #words: Word[] = [];
  #inputs: Word[] = [];

  constructor(line: string) {
    this.#line = line;
  }

  readAll(): boolean {
    for (;;) {
      this.#skipBlanks();
      const rest = this.#line.slice(this.#at);
      if (rest === '') break;
      if (!this.#readOperator(rest) && !this.#readRedirection(rest) && !this.#readArgument()) return false;
    }
    this.#endCommand();
    return true;
  }

  #skipBlanks(): void {
    const blank = /^(?:[ \t\r]|\\\n)+/.exec(this.#line.slice(this.#at));
    this.#at += blank?.[0].length ?? 0;
    if (this.#line[this.#at] !== '#') return;
    const end = this.#line.indexOf('\n', this.#at);
    this.#at = end < 0 ? this.#line.length : end;
  }

  #readOperator(rest: string): boolean {
    const operator = OPERATORS.exec(rest)?.[0];
    if (operator === undefined || /^&>/.test(rest)) return false;
    // A line break after the only command separates nothing.
    if (operator !== '\n') this.plain = false;
    this.#at += operator.length;
    this.#endCommand();
    return true;
  }

  #readRedirection(rest: string): boolean {
    const redirection = REDIRECTION.exec(rest)?.[0];
    if (redirection === undefined) return false;
    this.plain = false;
    this.#at += redirection.length;
    this.#skipBlanks();
    const target = this.#readWord();
    if (target && /<$/.test(redirection) && !redirection.includes('<<')) this.#inputs.push(target);
    return true;
  }

  #readArgument(): boolean {
    const word = this.#readWord();
    if (!word) return false;
    if (word.substitution) this.plain = false;
    this.#words.push(word);
    return true;
  }

  #endCommand(): void {
    let words = this.#words;
    while (words[0] && RESERVED.has(words[0].text)) {
      this.plain = false;
      words = words.slice(1);
    }
    const firstOther = words.findIndex((word) => !ASSIGNMENT.test(this.#line.slice(word.start, word.end)));
    const split = firstOther < 0 ? words.length : firstOther;
    if (words.length > 0 || this.#inputs.length > 0) {
      this.commands.push({
        assignments: words.slice(0, split),
        words: words.slice(split),
        inputs: this.#inputs,
      });
    }
    this.#words = [];
    this.#inputs = [];
  }

  /** One word; undefined where a quote stays open. */
  #readWord(): Word | undefined {
    const start = this.#at;
    let text = '';
    let literal = true;
    let substitution = false;
    while (this.#at < this.#line.length && !/[\s;&|()<>]/.test(this.#line[this.#at] ?? '')) {
      const piece = readPiece(this.#line, this.#at);
      if (!piece) return undefined;
      text += piece.text;
      literal &&= piece.literal;
      substitution ||= piece.substitution;
      this.#at = piece.end;
    }
    // `[` alone is the command of that name, no glob.
    if (text === '[') literal = true;
    return { text, literal, substitution, start, end: this.#at };
  }
}

interface Piece {
  readonly text: string;
  readonly literal: boolean;
  readonly substitution: boolean;
  readonly end: number;
}

/** The piece of a word that begins at `at`: a quoted string, an expansion, an escape, or one character. */
function readPiece(line: string, at: number): Piece | undefined {
  const char = line[at];
  if (char === "'") {
    const end = line.indexOf("'", at + 1);
    return end < 0 ? undefined : plainPiece(line.slice(at + 1, end), end + 1);
  }
  if (char === '"') return readDoubleQuoted(line, at);
  if (char === '\\') {
    const next = line[at + 1] ?? '\\';
    return plainPiece(next === '\n' ? '' : next, at + 2);
  }
  if (char === '$' || char === '`') return readExpansion(line, at);
  return { text: char ?? '', literal: !/[*?[]/.test(char ?? ''), substitution: false, end: at + 1 };
}

function readDoubleQuoted(line: string, start: number): Piece | undefined {
  const pieces: Piece[] = [];
  let at = start + 1;
  while (line[at] !== '"') {
    const piece = at < line.length ? readQuotedPiece(line, at) : undefined;
    if (!piece) return undefined;
    pieces.push(piece);
    at = piece.end;
  }
  return {
    text: pieces.map((piece) => piece.text).join(''),
    literal: pieces.every((piece) => piece.literal),
    substitution: pieces.some((piece) => piece.substitution),
    end: at + 1,
  };
}

function readQuotedPiece(line: string, at: number): Piece | undefined {
  const char = line[at] ?? '';
  const next = line[at + 1] ?? '';
  if (char === '$' && next === "'") return plainPiece('$', at + 1);
  if (char === '$' || char === '`') return readExpansion(line, at);
  if (char === '\\' && /[$`"\\\n]/.test(next)) return plainPiece(next === '\n' ? '' : next, at + 2);
  return plainPiece(char, at + 1);
}

function readExpansion(line: string, at: number): Piece | undefined {
  const next = line[at + 1] ?? '';
  if (line[at] === '`') return untilClosed(line, at, line.indexOf('`', at + 1), true);
  if (next === '(') return untilClosed(line, at, closing(line, at + 1, '(', ')'), true);
  if (next === '{') return untilClosed(line, at, closing(line, at + 1, '{', '}'), false);
  if (next === "'") return untilClosed(line, at, line.indexOf("'", at + 2), false);
  const name = /^\$(?:[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-])/.exec(line.slice(at))?.[0];
  if (!name) return plainPiece('$', at + 1);
  return { text: name, literal: false, substitution: false, end: at + name.length };
}

function untilClosed(line: string, start: number, close: number, substitution: boolean): Piece | undefined {
  if (close < 0) return undefined;
  return { text: line.slice(start, close + 1), literal: false, substitution, end: close + 1 };
}

function plainPiece(text: string, end: number): Piece {
  return { text, literal: true, substitution: false, end };
}

function closing(line: string, open: number, opener: string, closer: string): number {
  let depth = 0;
  for (let at = open; at < line.length; at++) {
    if (line[at] === opener) depth += 1;
    else if (line[at] === closer && --depth === 0) return at;
  }
  return -1;
}

/** The text as one word of a shell line. */
export function quoteWord(text: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
