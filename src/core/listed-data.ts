import { folderOf, isSource, nameOf } from './start-tree.ts';

const LITERAL = /(["'`])((?:\\.|(?!\1)[^\\\n])*)\1/g;
const EMBEDS = /^\/\/go:embed[ \t]+([^\n]+)/gm;
/** How a program reads files of a folder at all, and how it asks which there are. */
const READS =
  /\b(?:open|read_text|read_bytes|readlines|readFile\w*|createReadStream|ReadFile|OpenFile|Open|importlib|resources|pkgutil)\b/;
const LISTS =
  /\b(?:i?glob|rglob|iterdir|listdir|scandir|walk|readdir\w*|globSync|fastGlob|Glob|ReadDir|Walk|WalkDir|DirFS)\b|import\.meta\.glob|^\/\/go:embed/m;
/** Folders of a program or its documents, which tests may well read for what the agent writes there. */
const OF_THE_PROGRAM =
  /^(?:docs?|src|lib|app|bin|dist|build|out|target|templates?|views|static|public|assets|migrations|config|configs|conf|locales?|i18n|scripts?|node_modules|\.\w.*)$/i;

interface Named {
  readonly folders: ReadonlySet<string>;
  readonly files: readonly string[];
}

/** Data of the start that red tests reach through a folder which they name, and no source does. */
export class ListedData {
  readonly #tests: Named;
  readonly #listing: ReadonlySet<string>;
  readonly #sources: ReadonlySet<string>;

  constructor(tests: readonly string[], sources: readonly string[]) {
    const readers = tests.filter((text) => READS.test(text) || LISTS.test(text));
    this.#tests = namedIn(readers);
    this.#listing = namedIn(readers.filter((text) => LISTS.test(text))).folders;
    const named = namedIn(sources);
    this.#sources = new Set([
      ...named.folders,
      ...named.files.flatMap((file) => file.split('/').slice(0, -1)),
    ]);
  }

  /** True for a file of the start. */
  has(path: string): boolean {
    if (isSource(path)) return false;
    return this.#isIn(path, this.#tests.folders) || this.#isNamed(path);
  }

  /** The folder that tests list, in which a new file would be one more of what they expect. */
  listing(path: string): string | undefined {
    return !isSource(path) && this.#isIn(path, this.#listing) ? folderOf(path) : undefined;
  }

  #isIn(path: string, named: ReadonlySet<string>): boolean {
    const folders = folderOf(path).split('/').filter(Boolean);
    return folders.some((name) => named.has(name) && !OF_THE_PROGRAM.test(name) && !this.#sources.has(name));
  }

  #isNamed(path: string): boolean {
    const folder = nameOf(folderOf(path));
    if (folder === '' || OF_THE_PROGRAM.test(folder) || this.#sources.has(folder)) return false;
    return this.#tests.files.some((file) => path === file || path.endsWith(`/${file}`));
  }
}

/** Folders that stand in literals by themselves or before a name that is worked out, and files of a folder in full. */
function namedIn(texts: readonly string[]): Named {
  const folders = new Set<string>();
  const files: string[] = [];
  for (const literal of texts.flatMap(literalsOf)) {
    const parts = literal.split('/').filter((part) => part !== '' && part !== '.' && part !== '..');
    const last = parts.at(-1) ?? '';
    const plain = parts.filter((part) => /^[\w.-]+$/.test(part));
    if (parts.length > 1 && plain.length === parts.length && /\.\w+$/.test(last)) files.push(parts.join('/'));
    else for (const part of plain) folders.add(part);
  }
  return { folders, files };
}

function literalsOf(text: string): string[] {
  const quoted = [...text.matchAll(LITERAL)].map(([, , literal = '']) => literal);
  return [...quoted, ...[...text.matchAll(EMBEDS)].flatMap(([, list = '']) => list.split(/\s+/))];
}
