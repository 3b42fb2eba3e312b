import { makeReads } from './makefile.ts';
import { namedByCommands } from './named-by-command.ts';
import { namedByConfig } from './named-by-config.ts';
import { namedByPytest } from './named-by-pytest.ts';
import { folderOf, foldersAbove, joinPath, nameOf, type StartTree } from './start-tree.ts';

/** What tools read because something of the start names it: why it stays as it was, by path. */
export interface ReadByTools {
  /** Files of the start: configuration, or a check's command, names them. They run with every test. */
  readonly setups: ReadonlyMap<string, string>;
  /** Paths where the start has nothing: a makefile or a project file of the start would look for them. */
  readonly absent: ReadonlyMap<string, string>;
}

const MAKEFILE = /^(?:GNUmakefile|[Mm]akefile(?:\.\w+)?|\w[\w.-]*\.mk)$/;

/** @param commands command lines of the checks, in the workspace */
export function readByTools(start: StartTree, commands: readonly string[]): ReadByTools {
  const setups = new Map<string, string>();
  for (const [path, config] of namedByConfig(start)) setups.set(path, `${config} names it`);
  for (const [path, by] of namedByPytest(commands, start))
    if (!setups.has(path)) setups.set(path, `pytest loads it as a plug-in, since ${by} names it`);
  for (const path of namedByCommands(commands, start))
    if (!setups.has(path)) setups.set(path, 'the command of a check names it');
  return { setups, absent: new Map([...soughtByMake(start), ...soughtByMaven(start)]) };
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

/** A project with a parent looks for it here first, and only then among what is installed. */
function soughtByMaven(start: StartTree): ReadonlyMap<string, string> {
  const sought = new Map<string, string>();
  for (const pom of start.facts.paths.filter((path) => nameOf(path) === 'pom.xml')) {
    const parent = /<parent>([\s\S]*?)<\/parent>/.exec(start.read(pom) ?? '')?.[1];
    if (parent === undefined) continue;
    const named = /<relativePath\s*(?:\/>|>\s*([^<\s]*))/.exec(parent);
    const relative = named ? (named[1] ?? '') : '../pom.xml';
    const place = relative === '' ? undefined : joinPath(folderOf(pom), relative);
    if (place === undefined) continue;
    const path = place.endsWith('.xml') ? place : `${place}/pom.xml`;
    if (!start.has(path)) sought.set(path, `${pom} would take it for its parent`);
  }
  return sought;
}
