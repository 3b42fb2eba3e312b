import { folderOf, isSource, nameOf, type StartTree } from '../start-tree.ts';
import type { ChangedFile } from '../tree.ts';
import type { FamilyContext, Matcher } from './context.ts';

/** Files by which tools pass over others; those of git among them, which linters and formatters read too. */
const IGNORE_FILE =
  /^\.(?:git|eslint|prettier|stylelint|biome|oxlint|ruff|semgrep|secretlint|markdownlint|cspell|jshint|rg|f?d|c8|nyc|docker|vscode|yamllint|sqlfluff|ansible-lint)?ignore$/;

/** Why an edit of an ignore file hides sources that the start has; undefined where it hides none. */
export function hiddenBy(
  { path }: ChangedFile,
  { start, agents }: FamilyContext,
  matcher: Matcher,
): string | undefined {
  if (!IGNORE_FILE.test(nameOf(path))) return undefined;
  const before = new Set(linesOf(start.read(path) ?? ''));
  const added = linesOf(agents(path) ?? '').filter((line) => !before.has(line));
  if (added.length === 0) return undefined;
  const folder = folderOf(path);
  const below = sourcesBelow(folder, start);
  for (const line of added) {
    const matches = matcher(globsOf(line));
    // `/name` is meant at the top alone.
    const isTop = /^\/[^/]+\/?$/.test(line);
    const hidden = below.find((source) => matches(isTop ? topOf(source) : source));
    if (hidden !== undefined)
      return `it hides ${folder === '' ? hidden : `${folder}/${hidden}`} from tools that pass over what is ignored`;
  }
  return undefined;
}

function topOf(path: string): string {
  return path.split('/', 1)[0] ?? path;
}

function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^[#!]/.test(line));
}

/** Relative to the folder. */
function sourcesBelow(folder: string, start: StartTree): string[] {
  const above = folder === '' ? '' : `${folder}/`;
  return start.facts.paths
    .filter((path) => path.startsWith(above) && isSource(path))
    .map((path) => path.slice(above.length));
}

/** A glob without a slash meets names at any depth, here as there. */
function globsOf(line: string): string[] {
  const clean = line.replace(/^\/+|\/+$/g, '');
  return clean === '' ? [] : [clean];
}
