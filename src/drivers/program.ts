// What a shell runs by itself, so that nothing need be on PATH.
const OF_THE_SHELL = new Set(
  '. : [ [[ { alias bg bind break builtin caller case cd command compgen complete continue coproc declare dirs disown do done echo elif else enable esac eval exec exit export false fc fg fi for function getopts hash help history if in jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return select set shift shopt source suspend test then time times trap true type typeset ulimit umask unalias unset until wait while !'.split(
    ' ',
  ),
);

/**
 * The program that a command begins with; `undefined` where that cannot be told
 * (quotes, variables, shell words), so that nothing is claimed about it.
 */
export function programOf(command: string | readonly string[]): string | undefined {
  if (typeof command !== 'string') return command[0];
  for (const word of command.trim().split(/\s+/)) {
    if (/^[A-Za-z_][A-Za-z0-9_]*=/.test(word)) {
      // A quoted value may hold spaces: what follows is no word of its own.
      if (/["'`$\\]/.test(word)) return undefined;
      continue;
    }
    return /^[A-Za-z0-9_./+@%:,-]+$/.test(word) && !OF_THE_SHELL.has(word) ? word : undefined;
  }
  return undefined;
}
