import type { Suspicion } from './row.ts';

interface Reading {
  readonly path: string;
  /** Without comments, with the names of modules written out. */
  readonly code: string;
  /** The same without texts in quotes. */
  readonly bare: string;
  readonly added: ReadonlySet<number>;
}

/** A function that stands for `__eq__`. */
interface Equality {
  readonly parameters: string;
  readonly body: string;
  readonly from: number;
  readonly to: number;
}

/** Returns that never say that two things are equal. */
const SAYS_NO = /^(?:False|NotImplemented|None|0|not\s+True)?$/;
const OR_YES = /\bor\s+(?:True|1)\b/;

/** Classes of Python whose `__eq__` never compares the own value with the other: they equal whatever they meet. */
export function equalsEverything({ path, code, bare, added }: Reading): Suspicion[] {
  return [...functions(bare, '__eq__'), ...lambdas(code), ...named(code, bare)]
    .filter((equality) => !compares(equality, bare))
    .flatMap(({ from, to }) => {
      const first = lineAt(bare, from);
      const last = lineAt(bare, to);
      const line = Array.from({ length: last - first + 1 }, (_, i) => first + i).find((each) =>
        added.has(each),
      );
      return line === undefined
        ? []
        : [{ path, line, name: 'equals-everything', because: 'it equals whatever it is compared with' }];
    });
}

/** Functions of a name with what is set in from them, or what follows on their line. */
function functions(bare: string, name: string): Equality[] {
  const head = new RegExp(String.raw`^([ \t]*)(?:async\s+)?def\s+${name}\s*\(([^)]*)\)[^:\n]*:`, 'gm');
  return [...bare.matchAll(head)].map((match) => {
    const [whole, indent = '', parameters = ''] = match;
    const start = match.index + whole.length;
    const rest = bare.slice(start);
    const below = new RegExp(
      String.raw`^[^\n]*(?:\n(?:[ \t]*$|${indent}[ \t]+[^\n]*|${indent}[)\]}][^\n]*))*`,
      'm',
    );
    const body = below.exec(rest)?.[0].trimEnd() ?? '';
    return { parameters, body, from: match.index + indent.length, to: start + body.length };
  });
}

/** `__eq__ = lambda s, o: …`, `{"__eq__": lambda s, o: …}`, `setattr(C, "__eq__", lambda s, o: …)`. */
function lambdas(code: string): Equality[] {
  return [...code.matchAll(/\b__eq__['"]?\s*[=:,]\s*lambda\b([^:\n]*):/g)].map((match) => {
    const start = match.index + match[0].length;
    const value = expressionAt(code, start);
    const body = `return ${value.trim()}`;
    return { parameters: match[1] ?? '', body, from: match.index, to: start + value.length };
  });
}

/** `__eq__ = always`, where the text has that function. */
function named(code: string, bare: string): Equality[] {
  return [...code.matchAll(/\b__eq__['"]?\s*[=:,]\s*(?!lambda\b)([a-zA-Z_]\w*)\s*(?:[,)}]|$)/gm)].flatMap(
    (match) =>
      functions(bare, match[1] ?? '').map((found) => ({
        ...found,
        from: match.index,
        to: match.index + match[0].length,
      })),
  );
}

/** Up to the comma or bracket that ends it, or the end of its line. */
function expressionAt(text: string, from: number): string {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at);
    if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char)) depth -= 1;
    if (depth < 0 || (depth === 0 && (char === ',' || char === '\n'))) return text.slice(from, at);
  }
  return text.slice(from);
}

/** True where a statement speaks of both values, or where nothing is ever said to be equal. */
function compares({ parameters, body }: Equality, bare: string): boolean {
  const statements = statementsOf(body);
  const returns = statements.flatMap((text) => {
    const value = /\breturn\b\s*(.*)$/s.exec(text)?.[1];
    return value === undefined ? [] : [value.trim()];
  });
  const yes = returns.filter((value) => !SAYS_NO.test(value));
  if (yes.length === 0) return true;
  const [own = 'self', other] = parameters.split(',').map((name) => /\w+/.exec(name)?.[0]);
  const mine = spokenOf([own, 'super', '__class__', ...classesOf(bare)], statements);
  const theirs = spokenOf(other === undefined || own === other ? [] : [other], statements);
  const meet = statements.some((text) => mine(text) && theirs(text));
  return meet && !yes.some((value) => OR_YES.test(value));
}

function classesOf(bare: string): string[] {
  return [...bare.matchAll(/^[ \t]*class\s+(\w+)/gm)].flatMap(([, name]) => name ?? []);
}

/** Whether a text speaks of one of the names, or of what was made from them. */
function spokenOf(names: readonly string[], statements: readonly string[]): (text: string) => boolean {
  const known = new Set(names);
  const speaks = (text: string) => (text.match(/\w+/g) ?? []).some((word) => known.has(word));
  for (const text of statements) {
    const [, made, value = ''] = /^([\w, ]+?)\s*(?::[^=]*)?=(?!=)(.*)$/s.exec(text) ?? [];
    if (made !== undefined && speaks(value)) for (const name of made.match(/\w+/g) ?? []) known.add(name);
  }
  return speaks;
}

/** Statements, each on a line of its own: what stands in brackets goes on. */
function statementsOf(body: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let text = '';
  for (const char of body) {
    if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char)) depth -= 1;
    if (depth <= 0 && (char === '\n' || char === ';') && !text.endsWith('\\')) {
      found.push(text.trim());
      text = '';
    } else text += char;
  }
  return [...found, text.trim()].filter(Boolean);
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}
