/** Tests that stand inside a source file, which the agent has to edit for its work. */
export interface InSource {
  /** `mod tests`, `doctests`, `in-source tests`. */
  readonly kind: string;
  /** One piece a test or example, as written. */
  readonly pieces: readonly string[];
}

/** The tests inside a source; undefined where there are none. */
export function inSourceTests(path: string, text: string): InSource | undefined {
  if (path.endsWith('.rs')) return found('mod tests', rustPieces(text));
  if (path.endsWith('.py')) return found('doctests', pythonExamples(text));
  if (/\.[cm]?[jt]sx?$/.test(path))
    return found('in-source tests', blocksAt(text, /\bif\s*\(\s*import\.meta\.vitest\s*\)/g));
  return undefined;
}

/** True where the agent's text has every test of the start as it was written. */
export function keepsInSourceTests(tests: InSource, agents: string): boolean {
  const text = plain(agents);
  return tests.pieces.every((piece) => text.includes(plain(piece)));
}

function found(kind: string, pieces: readonly string[]): InSource | undefined {
  return pieces.length > 0 ? { kind, pieces } : undefined;
}

/** Indentation and empty lines say nothing. */
function plain(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n');
}

/** Each test function of the file, and each line of what else stands in its test modules. */
function rustPieces(text: string): string[] {
  const examples = text.match(/^[ \t]*\/\/[/!] ```[\s\S]*?\/\/[/!] ```/gm) ?? [];
  const tests = blocksAt(
    text,
    /#\[\s*(?:\w+::)*test(?:_case)?\b[^\]]*\](?:\s*#\[[^\]]*\])*\s*(?:pub\s+)?(?:async\s+)?fn\b[^{]*/g,
  );
  const modules = blocksAt(text, /#\[\s*cfg\s*\(\s*test\s*\)\s*\]\s*(?:pub\s+)?mod\s+\w+\s*/g);
  return [...tests, ...modules.flatMap((module) => helpersIn(module, tests)), ...examples];
}

function helpersIn(module: string, tests: readonly string[]): string[] {
  const inner = module.slice(module.indexOf('{') + 1, -1);
  const rest = tests.reduce((left, test) => left.replace(test, '\n'), inner);
  return plain(rest).split('\n').filter(Boolean);
}

/** Examples of docstrings: the lines of the prompt and what they say comes out, up to an empty line. */
function pythonExamples(text: string): string[] {
  return [...text.matchAll(/^([ \t]*)>>> [^\n]*(?:\n\1(?!"""|''')[^\n]*\S[^\n]*)*/gm)].map(
    ([example]) => example,
  );
}

/** Every match of the pattern with the block in braces behind it. */
function blocksAt(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const open = text.indexOf('{', match.index + match[0].length - 1);
    const end = open < 0 ? undefined : endOfBlock(text, open);
    return end === undefined ? [] : [text.slice(match.index, end)];
  });
}

const TOKEN =
  /"(?:\\[\s\S]|[^"\\])*"|`(?:\\[\s\S]|[^`\\])*`|'(?:\\.|[^'\\\n])'|\/\/[^\n]*|\/\*[\s\S]*?\*\/|[{}]/g;

function endOfBlock(text: string, open: number): number | undefined {
  let depth = 0;
  TOKEN.lastIndex = open;
  for (let token = TOKEN.exec(text); token; token = TOKEN.exec(text)) {
    if (token[0] === '{') depth += 1;
    if (token[0] === '}') depth -= 1;
    if (depth === 0) return TOKEN.lastIndex;
  }
  return undefined;
}
