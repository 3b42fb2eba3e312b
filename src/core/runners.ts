import { baseName } from './command-line.ts';

export type RunnerName =
  | 'pytest'
  | 'unittest'
  | 'node-test'
  | 'vitest'
  | 'jest'
  | 'mocha'
  | 'go-test'
  | 'cargo-test'
  | 'maven';

/** Facts about a test runner, as plain data. */
export interface Runner {
  readonly name: RunnerName;
  /** `test-ids`: loopgen has a report of its own for it. `exit-code`: not yet, its exit code decides. */
  readonly judged: 'test-ids' | 'exit-code';
  readonly capabilities: {
    /** Each test is known to loopgen by its id. */
    readonly ids: boolean;
    /** loopgen can add a test that must fail to a run. */
    readonly canary: boolean;
    /** What is ended, and fails, when a test hangs. `suite`: only the check's own time-out helps. */
    readonly bound: 'test' | 'file' | 'package' | 'suite';
  };
  /** Names of its program. */
  readonly programs: readonly string[];
  /** One of these words must follow the program, for example `test` in `go test`. */
  readonly verbs?: readonly string[];
  /** The verb may stand behind other words: `mvn clean test`. */
  readonly verbAnywhere?: boolean;
  /** Its script where it is called by `node`. */
  readonly script?: RegExp;
  /** Its name behind `python -m`. */
  readonly pythonModule?: string;
  /** A flag that makes the program this runner, for example `node --test`. */
  readonly flag?: string;
  /** First arguments with which it is no single run of tests (it watches, or lists). */
  readonly notWith: readonly string[];
  /** The command without arguments of the user's. */
  readonly command: string;
}

const WATCH = ['--watch', '-w', '--watchAll'];

export const RUNNERS: readonly Runner[] = [
  {
    name: 'pytest',
    judged: 'test-ids',
    capabilities: { ids: true, canary: true, bound: 'test' },
    programs: ['pytest', 'py.test'],
    pythonModule: 'pytest',
    notWith: [],
    command: 'python3 -m pytest',
  },
  {
    name: 'unittest',
    judged: 'test-ids',
    capabilities: { ids: true, canary: true, bound: 'test' },
    programs: [],
    pythonModule: 'unittest',
    notWith: [],
    command: 'python3 -m unittest',
  },
  {
    name: 'node-test',
    judged: 'test-ids',
    capabilities: { ids: true, canary: true, bound: 'file' },
    programs: ['node', 'nodejs'],
    flag: '--test',
    notWith: WATCH,
    command: 'node --test',
  },
  {
    name: 'vitest',
    judged: 'test-ids',
    capabilities: { ids: true, canary: true, bound: 'suite' },
    programs: ['vitest'],
    script: /(?:^|\/)node_modules\/(?:\.bin\/vitest|vitest\/vitest\.mjs)$/,
    notWith: [...WATCH, 'watch', 'dev', 'bench', 'list', 'init', '--outputFile', '--ui'],
    command: 'npx vitest run',
  },
  {
    name: 'jest',
    judged: 'test-ids',
    capabilities: { ids: true, canary: true, bound: 'suite' },
    programs: ['jest'],
    script: /(?:^|\/)node_modules\/(?:\.bin\/jest|jest\/bin\/jest(?:\.js)?)$/,
    notWith: [
      ...WATCH,
      ...['--listTests', '--showConfig', '--clearCache', '--init', '--help', '-h', '--version', '-v'],
    ],
    command: 'npx jest',
  },
  {
    name: 'mocha',
    judged: 'test-ids',
    capabilities: { ids: true, canary: true, bound: 'suite' },
    programs: ['mocha', '_mocha'],
    script: /(?:^|\/)node_modules\/(?:\.bin\/_?mocha|mocha\/bin\/_?mocha(?:\.js)?)$/,
    notWith: [
      ...WATCH,
      ...['init', 'inspect', '--list-files', '--list-interfaces', '--list-reporters'],
      ...['--help', '-h', '--version', '-V'],
    ],
    command: 'npx mocha',
  },
  {
    name: 'go-test',
    judged: 'test-ids',
    capabilities: { ids: true, canary: true, bound: 'package' },
    programs: ['go'],
    verbs: ['test'],
    notWith: ['c', 'list', 'n', 'fuzz', 'h', 'help'].flatMap((flag) => [`-${flag}`, `--${flag}`]),
    command: 'go test ./...',
  },
  {
    name: 'cargo-test',
    judged: 'test-ids',
    capabilities: { ids: true, canary: false, bound: 'suite' },
    programs: ['cargo'],
    verbs: ['test', 't'],
    notWith: ['--no-run', '--list', '--logfile', '--help', '-h'],
    command: 'cargo test',
  },
  {
    name: 'maven',
    judged: 'test-ids',
    capabilities: { ids: true, canary: false, bound: 'suite' },
    programs: ['mvn', 'mvnw'],
    verbs: ['test', 'integration-test', 'verify'],
    verbAnywhere: true,
    notWith: ['--help', '-h', '--version', '-v'],
    command: 'mvn -q test',
  },
];

/** The runner of that name. */
export function runnerNamed(name: string): Runner | undefined {
  return RUNNERS.find((runner) => runner.name === name);
}

/** A command line's words, read as one call of a known runner. */
export interface RunnerCall {
  readonly runner: Runner;
  /** Index of the word that names the runner: its program, or the module behind `-m`. */
  readonly nameAt: number;
  /** The words after it (and after its verb). */
  readonly args: readonly string[];
}

/** Programs that run another one of the project's environment, and the options they may have. */
const ENVIRONMENTS: ReadonlyMap<string, { readonly verb?: string; readonly options: RegExp }> = new Map([
  ['uv', { verb: 'run', options: /^(?:--frozen|--locked|--no-sync|--offline|-q|--quiet|--)$/ }],
  ['poetry', { verb: 'run', options: /^(?:-q|--quiet|-n|--no-interaction|--)$/ }],
  ['pipenv', { verb: 'run', options: /^--$/ }],
  ['pdm', { verb: 'run', options: /^--$/ }],
  ['rye', { verb: 'run', options: /^--$/ }],
  ['hatch', { verb: 'run', options: /^--$/ }],
  ['npx', { options: /^(?:-y|--yes|--no|--no-install|--)$/ }],
  ['bunx', { options: /^--$/ }],
  ['pnpm', { verb: 'exec', options: /^--$/ }],
  ['yarn', { options: /^(?:exec|run|--)$/ }],
]);

const PYTHON = /^(?:python(?:\d+(?:\.\d+)*)?|pypy3?)$/;
const PYTHON_FLAGS = /^-(?:[BbdOqSsuv]+|[WX].+)$/;

/** What runner the words call, if any. Behind `python -I` and `-E` none is seen: these take no reporter of ours. */
export function recogniseRunner(words: readonly string[]): RunnerCall | undefined {
  const at = afterEnvironment(words);
  const program = baseName(words[at] ?? '');
  if (PYTHON.test(program)) return pythonCall(words, at);
  if (NODE.test(program) && !words.includes('--test')) return scriptCall(words, at);
  const runner = RUNNERS.find((candidate) => candidate.programs.includes(program));
  if (!runner) return undefined;
  const args = words.slice(at + 1);
  if (runner.flag !== undefined && !args.includes(runner.flag)) return undefined;
  if (runner.verbs === undefined) return call(runner, at, args);
  const verb = verbIn(args, runner.verbs, runner.verbAnywhere === true);
  return verb < 0 ? undefined : call(runner, at, runner.verbAnywhere ? args : args.slice(verb + 1));
}

function verbIn(args: readonly string[], verbs: readonly string[], anywhere: boolean): number {
  if (anywhere) return args.findIndex((word) => verbs.includes(word));
  // `cargo +nightly test`
  const first = args.findIndex((word) => !/^[-+]/.test(word));
  return verbs.includes(args[first] ?? '') ? first : -1;
}

const NODE = /^node(?:js)?$/;
const NODE_FLAG_WITH_VALUE = /^(?:-r|--require|--import|--loader|--experimental-loader|-C|--conditions)$/;

/** `node FLAGS node_modules/.bin/jest`. */
function scriptCall(words: readonly string[], node: number): RunnerCall | undefined {
  let at = node + 1;
  for (let word = words[at]; word?.startsWith('-'); word = words[at])
    at += NODE_FLAG_WITH_VALUE.test(word) ? 2 : 1;
  const script = words[at] ?? '';
  const runner = RUNNERS.find((candidate) => candidate.script?.test(script));
  return runner && call(runner, at, words.slice(at + 1));
}

function call(runner: Runner, nameAt: number, args: readonly string[]): RunnerCall | undefined {
  const unwanted = args.some((arg, i) =>
    runner.notWith.some((word) =>
      word.startsWith('-') ? arg === word || arg.startsWith(`${word}=`) : i === 0 && arg === word,
    ),
  );
  return unwanted ? undefined : { runner, nameAt, args };
}

function afterEnvironment(words: readonly string[]): number {
  let at = 0;
  for (let env = ENVIRONMENTS.get(words[at] ?? ''); env; env = ENVIRONMENTS.get(words[at] ?? '')) {
    if (env.verb !== undefined && words[at + 1] !== env.verb) return at;
    at += env.verb === undefined ? 1 : 2;
    while (env.options.test(words[at] ?? '')) at += 1;
  }
  return at;
}

function pythonCall(words: readonly string[], python: number): RunnerCall | undefined {
  let at = python + 1;
  for (let word = words[at]; word !== undefined && word !== '-m'; word = words[at]) {
    if (word === '-W' || word === '-X') at += 2;
    else if (PYTHON_FLAGS.test(word)) at += 1;
    else return undefined;
  }
  const runner = RUNNERS.find((candidate) => candidate.pythonModule === words[at + 1]);
  return runner && call(runner, at + 1, words.slice(at + 2));
}
