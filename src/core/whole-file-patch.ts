/** A patch that replaces a whole text file, as `git apply` reads it. `before` is undefined for a new file. */
export function wholeFilePatch(path: string, before: string | undefined, after: string): string {
  const old = lines(before ?? '', '-');
  const now = lines(after, '+');
  return [
    `diff --git a/${path} b/${path}`,
    ...(before === undefined ? ['new file mode 100644', '--- /dev/null'] : [`--- a/${path}`]),
    `+++ b/${path}`,
    `@@ -${range(old.count)} +${range(now.count)} @@`,
    ...old.text,
    ...now.text,
    '',
  ].join('\n');
}

const range = (count: number) => (count === 0 ? '0,0' : `1,${count}`);

function lines(text: string, sign: string): { readonly text: string[]; readonly count: number } {
  if (text === '') return { text: [], count: 0 };
  const ends = text.endsWith('\n');
  const all = (ends ? text.slice(0, -1) : text).split('\n').map((line) => sign + line);
  return { text: ends ? all : [...all, '\\ No newline at end of file'], count: all.length };
}
