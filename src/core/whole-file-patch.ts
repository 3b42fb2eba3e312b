/**
 * A patch that replaces a whole text file, as `git apply` reads it. `before` is
 * undefined for a new file, `after` for a deleted one; empty where nothing differs.
 */
export function wholeFilePatch(path: string, before: string | undefined, after: string | undefined): string {
  if (before === after) return '';
  const [a, b] = [quoted(`a/${path}`), quoted(`b/${path}`)];
  const mode = [
    ...(before === undefined ? ['new file mode 100644'] : []),
    ...(after === undefined ? ['deleted file mode 100644'] : []),
  ];
  return [`diff --git ${a} ${b}`, ...mode, ...hunk(before, after, a, b), ''].join('\n');
}

/** Nothing for an empty file that comes or goes: there git wants no hunk, but the ids of what is there. */
function hunk(before: string | undefined, after: string | undefined, a: string, b: string): string[] {
  const old = lines(before ?? '', '-');
  const now = lines(after ?? '', '+');
  if (old.count === 0 && now.count === 0)
    return [before === undefined ? `index ${NONE}..${EMPTY}` : `index ${EMPTY}..${NONE}`];
  return [
    `--- ${before === undefined ? '/dev/null' : named(a)}`,
    `+++ ${after === undefined ? '/dev/null' : named(b)}`,
    `@@ -${range(old.count)} +${range(now.count)} @@`,
    ...old.text,
    ...now.text,
  ];
}

const NONE = '0000000';
/** Git's id of an empty file. */
const EMPTY = 'e69de29';

const range = (count: number) => (count === 0 ? '0,0' : `1,${count}`);

function lines(text: string, sign: string): { readonly text: string[]; readonly count: number } {
  if (text === '') return { text: [], count: 0 };
  const ends = text.endsWith('\n');
  const all = (ends ? text.slice(0, -1) : text).split('\n').map((line) => sign + line);
  return { text: ends ? all : [...all, '\\ No newline at end of file'], count: all.length };
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

/** A name with characters that would end it, as git quotes it. */
function quoted(name: string): string {
  if (!/[\p{Cc}"\\]/u.test(name)) return name;
  const inner = name.replace(
    /[\p{Cc}"\\]/gu,
    (char) => ESCAPES[char] ?? `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  return `"${inner}"`;
}

/** A bare name that holds a space is ended by a tab. */
const named = (name: string) => (name.includes(' ') && !name.startsWith('"') ? `${name}\t` : name);
