#!/usr/bin/env node
import { isatty } from 'node:tty';
import { LoopgenError } from '../core/error.ts';
import { EXIT_CODES, EXIT_USAGE } from '../core/exit-codes.ts';
import { CommanderError } from './commander.ts';
import { interruption } from './interruption.ts';
import { buildProgram } from './program.ts';

/** Codes of errors that are not about the spec or the command line, with the exit code of their class. */
const OTHER_CLASSES: Readonly<Record<string, number>> = {
  'workspace-busy': EXIT_CODES['preflight-failed'],
  'bad-state-dir': EXIT_CODES['preflight-failed'],
};

async function main(): Promise<number> {
  const { stdout, stderr } = process;
  // A reader that goes away (`| head -1`) must not end the run: it goes on in silence.
  for (const stream of [stdout, stderr]) stream.on('error', () => {});
  const interrupted = interruption(
    process,
    (text) => stderr.write(text),
    () => leave(EXIT_CODES.aborted),
  );
  let code = 0;
  const context = { stdout, stderr, env: process.env, cwd: process.cwd(), signal: interrupted.signal };
  const program = buildProgram(context, (exit) => {
    code = exit;
  });
  try {
    await program.parseAsync(process.argv);
    return code;
  } catch (error) {
    // What was cut short is no fault of the spec.
    if (interrupted.signal.aborted && error instanceof LoopgenError) return EXIT_CODES.aborted;
    return await told(error, (text) => stderr.write(`${text}\n`));
  } finally {
    interrupted.release();
  }
}

async function told(error: unknown, print: (text: string) => void): Promise<number> {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    if (error.code !== 'commander.help') print(`loopgen: ${error.message.replace(/^error: /, '')}`);
    if (error.code === 'commander.unknownCommand' && !error.message.includes('Did you mean'))
      print('  loopgen --help shows what there is');
    return EXIT_USAGE;
  }
  if (error instanceof LoopgenError) {
    const { renderDiagnostics } = await import('../spec/diagnostic.ts');
    // A place comes first on its line, so that terminals and editors can open it.
    const text = renderDiagnostics(error);
    print(error.at ? text : `loopgen: ${text}`);
    return OTHER_CLASSES[error.code] ?? EXIT_USAGE;
  }
  if (isOfSystem(error)) {
    print(`loopgen: the system refused: ${error.message}`);
    return EXIT_CODES.error;
  }
  print(
    `loopgen: this is a bug in loopgen: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  );
  return EXIT_CODES.error;
}

/** A full disk, a missing right and the like: nobody's bug, and a stack would say nothing. */
function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

/** Node crashes where it exits on a terminal that is gone; dying of that instead is what a shell expects. */
function leave(code: number): void {
  if (terminals.some((fd) => !isatty(fd))) {
    process.emit('exit', code);
    process.removeAllListeners('SIGHUP');
    process.kill(process.pid, 'SIGHUP');
  }
  process.exit(code);
}

const terminals = [0, 1, 2].filter((fd) => isatty(fd));
const code = await main();
// What is still to be written goes out first; a plug-in that holds on to something must not keep the process.
process.stdout.write('', () => process.stderr.write('', () => leave(code)));
