import type { Command as Program } from 'commander';
import { version } from '../version.ts';
import { Command, InvalidArgumentError, Option } from './commander.ts';
import type { Context, Flags } from './context.ts';

/** Puts one command into the program. */
type Define = (program: Program, context: Context, done: Done) => void;
/** Takes the exit code. */
type Done = (code: number) => void;

const COMMANDS: Readonly<Record<string, Define>> = {
  run: defineRun,
  check: defineCheck,
  fix: defineFix,
  tdd: defineTdd,
  list: defineList,
  doctor: defineDoctor,
  'verify-driver': defineVerifyDriver,
};

/**
 * The command line as data. Each command's code is loaded when it runs. `done` gets its exit code. Where `first`, the
 * first word, names a command, the others are left out: nothing can lead to them, and defining them takes time.
 */
export function buildProgram(context: Context, done: Done, first?: string): Program {
  const program = new Command('loopgen')
    .description('runs a coding agent until your checks are green, and says how far the green can be trusted')
    .version(version, '-V, --version', 'print the version')
    .helpCommand(false)
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 not done, 2 wrong spec or command line, 3 cannot be judged,\n4 tampering, 5 the agent failed, 70 a bug, 130 stopped.',
    );

  const only = first !== undefined && Object.hasOwn(COMMANDS, first) ? first : undefined;
  for (const [name, define] of Object.entries(COMMANDS))
    if (only === undefined || name === only) define(program, context, done);
  return strict(program);
}

const example = (line: string) => `\nExample:\n  ${line}`;

function defineRun(program: Program, context: Context, done: Done): void {
  shared(program.command('run <spec>'))
    .description('run one loop: agent, checks, feedback, until a stop rule speaks')
    .option('-b, --base <dir>', 'what workspace.dir is relative to (default: the folder of the spec)')
    .option('-m, --max-iterations <n>', 'in place of limits.maxIterations', positiveInteger)
    .option('-d, --driver <name>', 'in place of driver.uses; its options are kept where it knows them')
    .addOption(
      new Option('--baseline', 'warn where the checks are green before any work').conflicts([
        'strictBaseline',
        'skipBaseline',
      ]),
    )
    .addOption(
      new Option(
        '--strict-baseline',
        'stop where the checks are green before any work (the default)',
      ).conflicts('skipBaseline'),
    )
    .option('--skip-baseline', 'do not run the checks before the work')
    .option('--skip-preflight', 'do not ask driver and observers whether they can run')
    .option('--report <file>', 'write the report as JSON')
    .option('--trace <file>', 'write a trace as JSON lines')
    .option('--dry-run', 'show the resolved spec, guards, caps and first prompt; run nothing')
    .addHelpText('after', example('loopgen run my-task.loop.yaml --trace trace.jsonl'))
    .action(async (spec: string, flags: Flags) =>
      done(await (await import('./commands/run.ts')).run(context, spec, flags)),
    );
}

function defineCheck(program: Program, context: Context, done: Done): void {
  program
    .command('check <spec>')
    .description('run the checks of a spec once, without an agent')
    .option('-b, --base <dir>', 'what workspace.dir is relative to (default: the folder of the spec)')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      `${example('loopgen check my-task.loop.yaml')}\n\nExit codes: 0 green, 1 red, 3 unusable.`,
    )
    .action(async (spec: string, flags: Flags) =>
      done(await (await import('./commands/check.ts')).check(context, spec, flags)),
    );
}

function defineFix(program: Program, context: Context, done: Done): void {
  shared(program.command('fix <dir>'))
    .description('mend a red project without a spec, on a copy of it')
    .option('--task <text>', 'what to do (default: make the failing tests pass)')
    .option(
      '--check <command>',
      'what judges, in place of the test command that is found; repeatable',
      collect,
    )
    .option('-d, --driver <name>', 'the agent (default: of the configuration, else "none")')
    .option('--driver-options <json>', 'options of the driver, as JSON', jsonObject)
    .option('--max-attempts <n>', 'the last resort', positiveInteger, 10)
    .option('--patience <n>', 'attempts that may share one failure', positiveInteger, 2)
    .option('--timeout <seconds>', 'one run of the tests', seconds, 120)
    .option('--no-revert', 'keep an edit that makes things worse')
    .option('--in-place', 'work in the folder itself, not on a copy')
    .option('--apply', 'write a result that is green back into the folder')
    .option('--patch <file>', 'write the result as a patch')
    .option('--report <file>', 'write the report as JSON')
    .addHelpText(
      'after',
      example('loopgen fix ./my-project --driver command --driver-options \'{"command": "my-agent"}\''),
    )
    .action(async (dir: string, flags: Flags) =>
      done(await (await import('./commands/fix.ts')).fix(context, dir, flags)),
    );
}

function defineTdd(program: Program, context: Context, done: Done): void {
  const tdd = program
    .command('tdd')
    .description('solve challenges (spec.md + test_solution.py) with a local model');
  challenge(shared(tdd.command('run <dir>')))
    .description('solve one challenge')
    .option('--replay <file>', "replies of an earlier run's summary.json in place of the model")
    .option('--out-dir <dir>', 'where the attempts are written (default: runs/<UTC stamp>-<challenge>)')
    .addHelpText('after', example('loopgen tdd run challenges/04_lru_cache --model mistral:7b-instruct'))
    .action(async (dir: string, flags: Flags) =>
      done(await (await import('./commands/tdd-run.ts')).tddRun(context, dir, flags)),
    );
  challenge(shared(tdd.command('benchmark [dirs...]')))
    .description('solve many challenges and print a table')
    .option('--all', 'every folder of challenges/')
    .option('--replay <file>', "replies of an earlier run's summary.json in place of the model")
    .option('--runs-dir <dir>', 'where the attempts are written', 'runs')
    .addHelpText(
      'after',
      `${example('loopgen tdd benchmark --all')}\n\nExit codes: 0 where all are solved, else 1.`,
    )
    .action(async (dirs: string[], flags: Flags) =>
      done(await (await import('./commands/tdd-benchmark.ts')).tddBenchmark(context, dirs, flags)),
    );
}

function defineList(program: Program, context: Context, done: Done): void {
  program
    .command('list')
    .argument('[kind]', 'drivers (with versions and log-ins), evaluators, tasks or observers')
    .description('what is registered, and whether it can be used here')
    .option('--json', 'print the list as JSON')
    .addHelpText('after', example('loopgen list drivers'))
    .action(async (kind: string | undefined, flags: Flags) =>
      done(await (await import('./commands/list.ts')).list(context, kind, flags)),
    );
}

function defineDoctor(program: Program, context: Context, done: Done): void {
  program
    .command('doctor')
    .description('what this machine has of what runs may need, and what mends the rest')
    .option('--json', 'print the findings as JSON')
    .addHelpText(
      'after',
      `${example('loopgen doctor --json')}\n\nExit codes: 0, or 3 where something is missing that every run needs.`,
    )
    .action(async (flags: Flags) =>
      done(await (await import('./commands/doctor.ts')).doctor(context, flags)),
    );
}

function defineVerifyDriver(program: Program, context: Context, done: Done): void {
  program
    .command('verify-driver <name>')
    .description('try a driver against all that a run relies on, in temporary folders')
    .option('--scripted', 'a scripted model on this machine answers, in place of the real one')
    .option('--options <json>', 'options of the driver, as JSON', jsonObject)
    .option('--skip <scenario>', 'leave one out; repeatable', collect)
    .option('--timeout <seconds>', 'one turn', seconds, 120)
    .option('--json', 'print the report as JSON')
    .addHelpText(
      'after',
      `${example('loopgen verify-driver acp --scripted --options \'{"preset": "gemini"}\'')}\n\nExit codes: 0 all passed or skipped, 1 one failed, 2 wrong command line, 3 cannot run here.`,
    )
    .action(async (name: string, flags: Flags) =>
      done(await (await import('./commands/verify-driver.ts')).verifyDriver(context, name, flags)),
    );
}

/** Options that every command with a run has. */
function shared(command: Program): Program {
  return command
    .option('--state-dir <dir>', 'where the records of the run are kept')
    .option('-v, --verbose', 'show what the agent prints, as it does')
    .addOption(
      new Option('--log-level <level>', 'how much is told on the way')
        .choices(['quiet', 'info', 'debug'])
        .default('info'),
    )
    .option('--json', 'print the report as JSON on standard output');
}

function challenge(command: Program): Program {
  return command
    .option('--max-attempts <n>', 'attempts at most', positiveInteger, 5)
    .option('--model <name>', 'the model', 'mistral:7b-instruct')
    .option('--host <url>', 'the Ollama server', 'http://localhost:11434')
    .option('--timeout <seconds>', 'one run of the tests', seconds, 30)
    .option('--model-timeout <seconds>', 'one generation', seconds, 360)
    .option('--temperature <number>', 'how freely the model writes', nonNegative, 0.6);
}

/** Errors are thrown, not printed and exited on, so that one place ends the process. */
function strict(command: Program): Program {
  command.exitOverride().configureOutput({ outputError: () => {} });
  for (const sub of command.commands) strict(sub);
  return command;
}

const collect = (value: string, before: readonly string[] = []) => [...before, value];

function positiveInteger(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('A whole number above zero is needed.');
}

function seconds(text: string): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value > 0 && value < 2_000_000) return value;
  throw new InvalidArgumentError('A number of seconds above zero is needed.');
}

function nonNegative(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('A number, zero or more, is needed.');
}

function jsonObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Readonly<Record<string, unknown>>;
  } catch {
    // Told below, with what would be right.
  }
  throw new InvalidArgumentError('A JSON object is needed, for example {"command": "my-agent"}.');
}
