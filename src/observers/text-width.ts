import { stripAnsi } from '../system/text.ts';

/** Columns that a terminal gives to `text`: wide characters two, marks that combine none, colours none. */
export function displayWidth(text: string): number {
  const plain = stripAnsi(text);
  if (/^[ -~]*$/.test(plain)) return plain.length;
  let width = 0;
  for (const segment of graphemesOf(plain)) width += widthOf(segment);
  return width;
}

let segmenter: Intl.Segmenter | undefined;

/** The segmenter is made when it is needed: it takes longer than all else that a short command does. */
function* graphemesOf(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  for (const { segment } of segmenter.segment(text)) yield segment;
}

const WIDE =
  /^[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Yi}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|\ufe0f/u;
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u;

function widthOf(grapheme: string): number {
  if (NO_WIDTH.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}

/** The text, or as much of its beginning as fits with the ellipsis. Expects no colours. */
export function cut(text: string, width: number, ellipsis = '…'): string {
  if (displayWidth(text) <= width) return text;
  const room = Math.max(0, width - displayWidth(ellipsis));
  return headOf(text, room) + ellipsis;
}

/** As much of the beginning as fits. */
function headOf(text: string, width: number): string {
  if (/^[ -~]*$/.test(text)) return text.slice(0, width);
  let head = '';
  let used = 0;
  for (const segment of graphemesOf(text)) {
    used += widthOf(segment);
    if (used > width) break;
    head += segment;
  }
  return head;
}

/** Padded with spaces to `width` columns; longer text stays as it is. */
export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - displayWidth(text))) + text;
}

/**
 * Lines of at most `width` columns, broken at spaces; words that are too long are broken too, but for a path: it is
 * there to be copied, and a terminal folds it. A list of paths is broken between them. Expects no colours.
 */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, Math.max(1, width)));
}

/** One absolute path, maybe in quotes; no list of them. */
const PATH = /^['"(]?~?\/(?!.*:\/)[^/]*\/./;
const PATHS = /^['"(]?~?\/[^/].*:~?\//;

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ').flatMap((part) => pieces(part, width))) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (current !== '' && displayWidth(longer) > width) {
      lines.push(current);
      current = word;
    } else current = longer;
  }
  return [...lines, current];
}

function pieces(word: string, width: number): string[] {
  if (PATH.test(word)) return [word];
  if (!PATHS.test(word)) return breakWord(word, width);
  const [first = '', ...paths] = word.split(/(?<=:)(?=~?\/)/);
  const packed = [first];
  for (const path of paths) {
    const longer = `${packed.at(-1) ?? ''}${path}`;
    if (displayWidth(longer) <= width) packed.splice(-1, 1, longer);
    else packed.push(path);
  }
  return packed;
}

/** Pieces of at most `width` columns, blanks and all: for code, where every character counts. */
export function breakWord(word: string, width: number): string[] {
  const pieces: string[] = [];
  let rest = word;
  while (displayWidth(rest) > width) {
    const head = headOf(rest, width) || ([...graphemesOf(rest)][0] ?? rest);
    pieces.push(head);
    rest = rest.slice(head.length);
  }
  return [...pieces, rest];
}

/**
 * Foreign text as it may be shown: without terminal sequences, other control
 * characters and marks that turn the direction of writing; tabs are four spaces.
 */
export function harmless(text: string): string {
  return stripAnsi(text)
    .replace(/\r\n?/g, '\n')
    .replace(/\t/g, '    ')
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '');
}

/** `harmless`, in one line. */
export function oneLine(text: string): string {
  return harmless(text).replace(/\s+/g, ' ').trim();
}
