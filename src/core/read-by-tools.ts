import { makeReads } from './makefile.ts';
import { namedByCommands } from './named-by-command.ts';
import { namedByConfig } from './named-by-config.ts';
import { folderOf, foldersAbove, joinPath, nameOf, type StartTree } from './start-tree.ts';

/** What tools read because something of the start names it: why it stays as it was, by path. */
export interface ReadByTools {
  /** Files of the start: configuration, or a check's command, names them. They run with every test. */
  readonly setups: ReadonlyMap<string, string>;
  /** Paths where the start has nothing: a makefile of the start would look for them. */
  readonly absent: ReadonlyMap<string, string>;
}

const MAKEFILE = /^(?:GNUmakefile|[Mm]akefile(?:\.\w+)?|\w[\w.-]*\.mk)$/;

/** @param commands command lines of the checks, in the workspace */
export function readByTools(start: StartTree, commands: readonly string[]): ReadByTools {
  const setups = new Map<string, string>();
  for (const [path, config] of namedByConfig(start)) setups.set(path, `${config} names it`);
  for (const path of namedByCommands(commands, start))
    if (!setups.has(path)) setups.set(path, 'the command of a check names it');
  return { setups, absent: soughtByMake(start) };
}

/** Why a new file, or one in a new folder, stays out. */
export function soughtOf(path: string, { absent }: ReadByTools): string | undefined {
  if (absent.size === 0) return undefined;
  const place = [path, ...foldersAbove(path)].find((candidate) => absent.has(candidate));
  return place === undefined ? undefined : absent.get(place);
}

function soughtByMake(start: StartTree): ReadonlyMap<string, string> {
  const sought = new Map<string, string>();
  for (const makefile of start.facts.paths.filter((path) => MAKEFILE.test(nameOf(path)))) {
    const { targets, includes } = makeReads(start.read(makefile) ?? '');
    const seek = (name: string, because: string) => {
      const path = joinPath(folderOf(makefile), name);
      if (path && !start.has(path) && !start.isFolder(path)) sought.set(path, because);
    };
    for (const name of targets) seek(name, `make would take its target "${name}" for done`);
    for (const name of includes) seek(name, `${makefile} includes it`);
  }
  return sought;
}
