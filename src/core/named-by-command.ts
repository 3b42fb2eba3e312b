import { baseName, commandsOf, executionOf } from './command-line.ts';
import { linesBehind } from './lines-behind.ts';
import { joinPath, type StartTree } from './start-tree.ts';

/** Options whose value is a file that sets up a runner, a compiler or a checker. Plain data. */
const OPTIONS: readonly { readonly programs?: RegExp; readonly options: RegExp }[] = [
  {
    options:
      /^--(?:config|config-file|configuration|config-path|rcfile|cfg|ini|settings|settings-file|init-script|ignore-path|globals?-setup|setup-file|setupFiles|setupFilesAfterEnv|globalSetup|globalTeardown|env-file|tsconfig)$/,
  },
  {
    programs: /^(?:node|nodejs|tsx|ts-node|bun|c8|nyc)$/,
    options: /^(?:-r|--require|--import|--loader|--experimental-loader|--preload)$/,
  },
  { programs: /^_?mocha$/, options: /^(?:-r|--require|--file|--package|--opts)$/ },
  { programs: /^(?:g|gnu)?make$/, options: /^(?:-f|--file|--makefile)$/ },
  {
    programs: /^(?:tsc|vue-tsc|tsgo|pyright|basedpyright|tsd)$/,
    options: /^(?:-p|--project|--build|-b)$/,
  },
  {
    programs:
      /^(?:pytest|py\.test|vitest|jest|eslint|stylelint|golangci-lint|ava|karma|coverage|nox|tox|bandit|yamllint|phpunit)$/,
    options: /^-c$/,
  },
  { programs: /^(?:mvnw?|gradlew?)$/, options: /^(?:-s|-I|-f|-b|-c)$/ },
  { programs: /^nox$/, options: /^(?:-f|--noxfile)$/ },
];

/** Files of the start that the checks' commands name as set-up of what they run, or read before they run it. */
export function namedByCommands(commands: readonly string[], start: StartTree): ReadonlySet<string> {
  const named = new Set<string>();
  for (const { line, cwd } of commands.flatMap((command) =>
    linesBehind(command, (path) => start.read(path)),
  )) {
    for (const { command, cwd: at } of commandsOf(line, cwd)) {
      const { words = [] } = executionOf(command) ?? {};
      for (const name of namesIn(words.map(({ text }) => text))) {
        const path = joinPath(at, name);
        if (path !== undefined && start.has(path)) named.add(path);
      }
    }
  }
  return named;
}

function namesIn([first = '', ...args]: readonly string[]): string[] {
  const module = args.indexOf('-m');
  const program = /^python/.test(baseName(first)) && module >= 0 ? (args[module + 1] ?? '') : baseName(first);
  // What a shell reads in decides what the names of the rest of the line mean.
  if (program === 'source' || program === '.') return args.slice(0, 1);
  const rows = OPTIONS.filter(({ programs }) => programs?.test(program) ?? true);
  return args.flatMap((arg, i) => {
    const [option = '', value] = arg.startsWith('--') ? arg.split(/=(.*)/s) : [arg];
    return rows.some(({ options }) => options.test(option)) ? [value ?? args[i + 1] ?? ''] : [];
  });
}
