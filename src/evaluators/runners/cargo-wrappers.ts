import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../../core/plugin.ts';
import { quoteWord } from '../../core/shell-line.ts';

/** Where the wrappers are, and where they leave what they saw: one folder for each program that they started. */
export interface CargoWrappers {
  readonly runner: string;
  readonly rustdoc: string;
  readonly runs: string;
}

/** Only a program of Rust's own test harness has all of these in its text: it alone writes such a log. */
const HARNESS = ['Write logs to the specified file', 'RUST_TEST_THREADS'];

/**
 * Programs that cargo starts in the place of a test program and of rustdoc: they let the harness write its log to a
 * file of the engine's own. What they are told by stands in their text; `variables` are put back as they were.
 */
export async function placeCargoWrappers(
  scratch: string,
  own: {
    readonly runner: readonly string[];
    readonly variables: readonly string[];
    readonly env: Environment;
  },
): Promise<CargoWrappers> {
  const folder = join(scratch, 'cargo');
  const runs = join(folder, 'runs');
  await mkdir(runs, { recursive: true });
  const wrappers = { runner: join(folder, 'runner.sh'), rustdoc: join(folder, 'rustdoc.sh'), runs };
  const restore = own.variables
    .map((name) => {
      const value = own.env[name];
      return value === undefined ? `unset ${name}` : `export ${name}=${quoteWord(value)}`;
    })
    .join('\n');
  const head = `#!/bin/sh
one=$(mktemp -d ${quoteWord(runs)}/XXXXXXXX) || exit 70
printf %s "$CARGO_PKG_NAME" >"$one/package"
${restore}
`;
  const words = own.runner.map(quoteWord).join(' ');
  await writeFile(wrappers.runner, head + runnerText(words), { mode: 0o755 });
  const real = own.env['RUSTDOC'] ?? 'rustdoc';
  await writeFile(wrappers.rustdoc, head + rustdocText(quoteWord(real), wrappers.runner, own.runner), {
    mode: 0o755,
  });
  return wrappers;
}

/** `prefix`: the project's own runner of programs. */
function runnerText(prefix: string): string {
  return `bin=$1
shift
printf %s "$bin" >"$one/program"
if ${HARNESS.map((text) => `grep -aq '${text}' "$bin"`).join(' && ')}; then
  ${prefix} "$bin" "$@" --list </dev/null >"$one/list" 2>/dev/null
  ${prefix} "$bin" "$@" --logfile "$one/log"
else
  ${prefix} "$bin" "$@"
fi
code=$?
printf %s "$code" >"$one/code"
exit "$code"
`;
}

/**
 * Documentation tests: rustdoc is their harness. It may open its log more than once, so that this is a pipe. The
 * runner of programs is not for them, but the project's own is.
 */
function rustdocText(real: string, runner: string, own: readonly string[]): string {
  const [tool, ...args] = own;
  const words =
    tool === undefined
      ? ''
      : [
          '--test-runtool',
          quoteWord(tool),
          ...args.flatMap((arg) => ['--test-runtool-arg', quoteWord(arg)]),
        ].join(' ');
  return `case " $* " in
  *" --test "*) ;;
  *) rm -rf "$one"; exec ${real} "$@" ;;
esac
left=$#
while [ "$left" -gt 0 ]; do
  word=$1
  shift
  left=$((left - 1))
  if [ "$word" = --test-runtool ] && [ "$1" = ${quoteWord(runner)} ]; then
    shift
    left=$((left - 1))
  else
    set -- "$@" "$word"
  fi
done
mkfifo "$one/pipe" || exit 70
cat <"$one/pipe" >"$one/log" &
exec 3>"$one/pipe"
${real} "$@" ${words} --test-args --logfile --test-args "$one/pipe" 3>&-
code=$?
exec 3>&-
wait
printf doc >"$one/program"
printf %s "$code" >"$one/code"
exit "$code"
`;
}
