import { commandsOf } from './command-line.ts';

const MOST_NESTED = 4;

/** A shell line and the folder it runs in, relative to the workspace. */
export interface LineAt {
  readonly line: string;
  readonly cwd: string;
}

/** A line, and those that it stands for: scripts of `package.json`, as the start has them, the lines before them included. */
export function linesBehind(
  line: string,
  read: (path: string) => string | undefined,
  cwd = '',
  depth = 0,
): LineAt[] {
  const behind = commandsOf(line, cwd).flatMap(({ command, cwd: at }) => {
    const script = scriptOf(command.words.map(({ text }) => text));
    const text = script === undefined ? undefined : scriptIn(read(pathIn(at, 'package.json')), script);
    return text === undefined || depth >= MOST_NESTED ? [] : linesBehind(text, read, at, depth + 1);
  });
  return [{ line, cwd }, ...behind];
}

/** The script that words run. */
export function scriptOf([program = '', ...words]: readonly string[]): string | undefined {
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(program)) return undefined;
  const [verb, name] = words.filter((word) => !word.startsWith('-'));
  if (verb === 'run' || verb === 'run-script') return name;
  if (verb === 't' || verb === 'tst') return 'test';
  return program === 'npm' && verb !== 'test' ? undefined : verb;
}

function scriptIn(manifest: string | undefined, name: string): string | undefined {
  try {
    const { scripts } = JSON.parse(manifest ?? '{}') as { scripts?: Readonly<Record<string, unknown>> };
    const text = scripts?.[name];
    return typeof text === 'string' ? text : undefined;
  } catch {
    // A manifest that cannot be read has no scripts.
    return undefined;
  }
}

/** A path as it is written in a command that runs in the folder. */
export function pathIn(folder: string, path: string): string {
  const clean = path.replace(/^\.\//, '');
  return folder === '' ? clean : `${folder}/${clean}`;
}
