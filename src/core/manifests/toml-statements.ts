/** A header or a `key = value` of a TOML file, with the whole path that it speaks of. */
export interface Statement {
  readonly isHeader: boolean;
  /** Path of the table it stands in; a header's own path. */
  readonly table: readonly string[];
  /** Table and key. */
  readonly path: readonly string[];
  /** Comments and empty lines before it. */
  readonly lead: string;
  readonly text: string;
}

/** The statements of a TOML text, in order; undefined where it cannot be taken apart. */
export function statementsOf(text: string): readonly Statement[] | undefined {
  const statements: Statement[] = [];
  let table: readonly string[] = [];
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  while (at < text.length) {
    const lead = /^(?:[ \t]*(?:#[^\n]*)?(?:\r?\n|$))*/.exec(text.slice(at))?.[0] ?? '';
    const from = at + lead.length;
    if (from >= text.length) break;
    const end = endOfStatement(text, from);
    if (end === undefined) return undefined;
    const piece = text.slice(from, end);
    const read = readStatement(piece);
    if (!read) return undefined;
    if (read.isHeader) table = read.path;
    const path = read.isHeader ? read.path : [...table, ...read.path];
    statements.push({ isHeader: read.isHeader, table, path, lead, text: withNewline(piece) });
    at = end;
  }
  return statements;
}

function withNewline(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

/** Strings, comments, brackets, line ends, and runs of anything else. */
const TOKEN =
  /"""(?:\\[\s\S]|[^\\])*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*|[[\]{}]|\n|[^"'#[\]{}\n]+/y;

/** Where the line ends on which no string, array or inline table is open any more. */
function endOfStatement(text: string, from: number): number | undefined {
  let depth = 0;
  TOKEN.lastIndex = from;
  while (TOKEN.lastIndex < text.length) {
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined) return undefined;
    if (token === '\n' && depth <= 0) return TOKEN.lastIndex;
    if (token === '[' || token === '{') depth += 1;
    if (token === ']' || token === '}') depth -= 1;
  }
  return depth > 0 ? undefined : text.length;
}

const KEY = /^[ \t]*(?:([A-Za-z0-9_-]+)|"((?:\\.|[^"\\\n])*)"|'([^'\n]*)')[ \t]*/;

function readStatement(piece: string): { isHeader: boolean; path: string[] } | undefined {
  const open = /^[ \t]*(\[\[?)/.exec(piece);
  const key = readKey(piece.slice(open?.[0].length ?? 0));
  if (!key) return undefined;
  const end = open ? ']'.repeat(open[1]?.length ?? 1) : '=';
  return key.rest.startsWith(end) ? { isHeader: open !== null, path: key.path } : undefined;
}

/** A dotted key and what comes after it. */
function readKey(text: string): { readonly path: string[]; readonly rest: string } | undefined {
  const path: string[] = [];
  for (let rest = text; ; rest = rest.slice(1)) {
    const key = KEY.exec(rest);
    const part = key?.[1] ?? key?.[3] ?? unescaped(key?.[2]);
    if (!key || part === undefined) return undefined;
    path.push(part);
    rest = rest.slice(key[0].length);
    if (!rest.startsWith('.')) return { path, rest };
  }
}

function unescaped(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const json = text.replace(/\\U([0-9a-fA-F]{8})/g, (_, code: string) => codeAsJson(code));
  try {
    return JSON.parse(
      `"${json
        .replace(/\t/g, '\\t')
        .replace(/\\x([0-9a-fA-F]{2})/g, '\\u00$1')
        .replace(/\\e/g, '\\u001b')}"`,
    );
  } catch {
    return undefined;
  }
}

function codeAsJson(code: string): string {
  const point = Number.parseInt(code, 16);
  return point <= 0x10ffff ? JSON.stringify(String.fromCodePoint(point)).slice(1, -1) : '';
}
