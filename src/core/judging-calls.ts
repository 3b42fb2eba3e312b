import { nameOf } from './start-tree.ts';

/** How a test calls a function that it imports. */
export interface Call {
  readonly name: string;
  /** `judges`: the call is a statement or is asserted to be true; `judged`: what it gives is compared, or it has to fail. */
  readonly kind: 'judges' | 'judged' | 'other';
  /** What stands between its brackets. */
  readonly args: string;
}

/** Names that a text takes from a module: by themselves, or as attributes of a name. */
interface Bound {
  readonly names: readonly string[];
  readonly holders: readonly string[];
}

/**
 * Calls of what a text imports from the modules of which `isWanted` says so. Strings and comments count as code.
 * Pure.
 */
export function callsOf(path: string, text: string, isWanted: (module: string) => boolean): readonly Call[] {
  const { names, holders } = boundNames(path, text, isWanted);
  return [
    ...names.flatMap((name) => callsAt(text, escaped(name), () => name)),
    ...holders.flatMap((holder) => callsAt(text, `${escaped(holder)}\\.(\\w+)`, (match) => match[1] ?? '')),
  ];
}

function callsAt(text: string, callee: string, nameIn: (match: RegExpMatchArray) => string): Call[] {
  return [...text.matchAll(new RegExp(`(?<![\\w.$])(?:${callee})\\s*\\(`, 'g'))].flatMap((match) => {
    const line = text.slice(text.lastIndexOf('\n', match.index) + 1, match.index);
    if (/^\s*(?:(?:async\s+)?def|(?:export\s+)?(?:async\s+)?function|func)\s+$/.test(line)) return [];
    const open = match.index + match[0].length;
    const end = endOfCall(text, open);
    const kind = kindOf(text.slice(0, match.index), line, text.slice(end, end + 30));
    return [{ name: nameIn(match), kind, args: text.slice(open, end - 1) }];
  });
}

const STATEMENT =
  /(?:^|[;{}:)]|=>|\breturn|\bawait|\bassert|\bassert not|\b(?:assert|ok|assertTrue|assert_true)\(|\bif)\s*!?$/;
const COMPARED =
  /^\s*(?:[=!]=|<|>|is\b|in\b|not in\b|\.(?:should|to[A-Z])|\)\s*\.(?:not\.)?(?:to|resolves|rejects)\b)/;
const IN_COMPARISON = /\b(?:expect|\w*[eE]quals?|assert\w+|is|same)\(\s*(?:await\s+)?$|[=!]==?\s*$/;
const HAS_TO_FAIL = /\b(?:raises|assertRaises\w*|throws|toThrow|rejects|Panics)\s*\([^\n]*\s*$/;

function kindOf(before: string, line: string, after: string): Call['kind'] {
  const trimmed = line.trimEnd();
  const near = trimmed.trim() === '' ? before.trimEnd().slice(-120) : line;
  if (HAS_TO_FAIL.test(near.slice(near.lastIndexOf('\n') + 1))) return 'judged';
  const asserted = /\b(?:assert|ok|if)\b/.test(line);
  if (asserted && COMPARED.test(after)) return 'judged';
  if (STATEMENT.test(trimmed)) return 'judges';
  if (COMPARED.test(after) || IN_COMPARISON.test(line)) return 'judged';
  return 'other';
}

/** Behind the bracket that closes a call; brackets in texts count too. */
function endOfCall(text: string, open: number): number {
  let depth = 1;
  for (let at = open; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if ('([{'.includes(char)) depth += 1;
    if (')]}'.includes(char)) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

const PYTHON_FROM = /^[ \t]*from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]*(\([^)]*\)|[^\n]+)/gm;
const PYTHON_IMPORT = /^[ \t]*import[ \t]+([\w.]+)(?:[ \t]+as[ \t]+(\w+))?/gm;
const JS_BOUND =
  /\b(?:import|const|let|var)\s+([^;='"`]*?)\s*(?:\bfrom\s*|=\s*(?:await\s+)?(?:require|import)\s*\(\s*)['"`]([^'"`\n]+)['"`]/g;
const GO_BOUND = /^[ \t]*(?:import[ \t]+)?(?:([\w.]+)[ \t]+)?"([^"\n]+)"/gm;

function boundNames(path: string, text: string, isWanted: (module: string) => boolean): Bound {
  if (path.endsWith('.py')) return pythonNames(text, isWanted);
  return path.endsWith('.go') ? goNames(text, isWanted) : jsNames(text, isWanted);
}

function pythonNames(text: string, isWanted: (module: string) => boolean): Bound {
  const from = [...text.matchAll(PYTHON_FROM)].map(([, module = '', list = '']) =>
    pythonNamesFrom(module.replace(/^\.+/, ''), list.replace(/#[^\n]*/g, ''), isWanted),
  );
  const whole = [...text.matchAll(PYTHON_IMPORT)].filter(([, module = '']) => isWanted(module));
  return {
    names: from.flatMap(({ names }) => names),
    holders: [...from.flatMap(({ holders }) => holders), ...whole.map(([, module = '', as = module]) => as)],
  };
}

function pythonNamesFrom(module: string, list: string, isWanted: (module: string) => boolean): Bound {
  const all = listed(list);
  const isModule = (name: string) => isWanted(module === '' ? name : `${module}.${name}`);
  const names = module !== '' && isWanted(module) ? all.filter(({ name }) => !isModule(name)) : [];
  const holders = all.filter(({ name }) => isModule(name));
  return { names: names.map(({ as }) => as), holders: holders.map(({ as }) => as) };
}

function jsNames(text: string, isWanted: (module: string) => boolean): Bound {
  const names: string[] = [];
  const holders: string[] = [];
  for (const [, bound = '', module = ''] of text.matchAll(JS_BOUND)) {
    if (!isWanted(module)) continue;
    const list = /\{([^}]*)\}/.exec(bound)?.[1] ?? '';
    names.push(...listed(list.replaceAll(':', ' as ')).map(({ as }) => as));
    const whole = bound.replace(/\{[^}]*\}/, '').match(/[\w$]+(?=\s*,?\s*$)/)?.[0];
    if (whole !== undefined && whole !== 'type') {
      names.push(whole);
      holders.push(whole);
    }
  }
  return { names, holders };
}

function goNames(text: string, isWanted: (module: string) => boolean): Bound {
  const found = [...text.matchAll(GO_BOUND)].filter(([, , module = '']) => isWanted(module));
  return { names: [], holders: found.map(([, as, module = '']) => as ?? nameOf(module)) };
}

function listed(list: string): { name: string; as: string }[] {
  return list
    .replace(/[()]/g, '')
    .split(',')
    .flatMap((part) => {
      const [name = '', by, as] = part.trim().split(/\s+/);
      return /^[\w$]+$/.test(name) ? [{ name, as: by === 'as' && as !== undefined ? as : name }] : [];
    });
}

/** The lines of a text that define a function: from its head to the next line that is indented no deeper. */
export function definitionOf(text: string, name: string): string | undefined {
  const lines = text.split('\n');
  const head = new RegExp(
    `\\b(?:def|function\\*?|const|let|var|func)\\s+${escaped(name)}\\b|\\b(?:exports\\.)${escaped(name)}\\s*=`,
  );
  const from = lines.findIndex((line) => head.test(line));
  if (from < 0) return undefined;
  const indent = /^\s*/.exec(lines[from] ?? '')?.[0].length ?? 0;
  const after = lines.slice(from + 1);
  const to = after.findIndex(
    (line) => /\S/.test(line) && !/^\s*[)}\]]/.test(line) && (/^\s*/.exec(line)?.[0].length ?? 0) <= indent,
  );
  return [lines[from], ...(to < 0 ? after : after.slice(0, to))].join('\n').trim();
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
