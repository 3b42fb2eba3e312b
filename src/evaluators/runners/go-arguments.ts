/** The words behind `go test`, by what they mean. */
export interface GoArguments {
  /** Which word each flag is (and its value, where that is a word of its own), by its name without dashes. */
  readonly flags: readonly GoFlag[];
  /** Packages, or files. */
  readonly packages: readonly string[];
}

export interface GoFlag {
  readonly name: string;
  readonly value: string | undefined;
  /** Index of the first of its words, and how many they are. */
  readonly at: number;
  readonly words: number;
}

/** Flags of `go test` whose value is a word of its own where no `=` is given. */
const WITH_VALUE = new Set(
  'C asmflags bench benchtime blockprofile blockprofilerate buildmode compiler count covermode coverpkg coverprofile cpu cpuprofile exec fuzz fuzzminimizetime fuzztime gccgoflags gcflags installsuffix ldflags list memprofile memprofilerate mod modfile mutexprofile mutexprofilefraction o outputdir overlay p parallel pgo pkgdir run shuffle skip tags timeout toolexec trace vet'.split(
    ' ',
  ),
);

export function readGoArguments(words: readonly string[]): GoArguments {
  const flags: GoFlag[] = [];
  const packages: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (/^--?args$/.test(word)) break;
    const flag = flagAt(words, at);
    if (flag === undefined) packages.push(word);
    else {
      flags.push(flag);
      at += flag.words - 1;
    }
  }
  return { flags, packages };
}

function flagAt(words: readonly string[], at: number): GoFlag | undefined {
  const [, given = '', equals, inline] = /^--?(?!-)([^=]+)(=)?(.*)$/s.exec(words[at] ?? '') ?? [];
  if (given === '') return undefined;
  const name = given.replace(/^test\./, '');
  if (equals !== undefined) return { name, value: inline ?? '', at, words: 1 };
  return WITH_VALUE.has(name)
    ? { name, value: words[at + 1], at, words: 2 }
    : { name, value: undefined, at, words: 1 };
}

/** Flags that say what is built, and that `go list` takes too. */
const OF_BUILD = new Set(['C', 'compiler', 'mod', 'modfile', 'tags', 'race', 'msan', 'asan']);

/** The words with which `go list` sees the packages that `go test` would. */
export function listArguments({ flags, packages }: GoArguments): string[] {
  const build = flags
    .filter(({ name }) => OF_BUILD.has(name))
    .map(({ name, value }) => (value === undefined ? `-${name}` : `-${name}=${value}`));
  return [...build, ...packages];
}
