/** Characters between which a word of a shell line can name a path. */
const BREAKS = /[\s"'`=;|&()<>{}$,:]+/;
/** Behind these a file is written, or nothing is. */
const WRITES = /(?:>>?|-o|--output|--report|--outfile|--log(?:-file)?|xml)[=\s]*["']?$/i;

/**
 * Paths in a command line that may lie outside the workspace: absolute ones, those that begin with `..`, and those in
 * the home. As written; of what the line writes to, none.
 */
export function outsidePathsIn(line: string): string[] {
  const found = new Set<string>();
  for (const word of line.split(BREAKS)) {
    if (!/^(?:\.\.\/|\/|~\/)./.test(word)) continue;
    const before = line.slice(0, line.indexOf(word));
    if (!WRITES.test(before)) found.add(word);
  }
  return [...found];
}
