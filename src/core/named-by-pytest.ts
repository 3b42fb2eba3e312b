import { commandsOf, executionOf } from './command-line.ts';
import { Modules } from './imports.ts';
import { linesBehind } from './lines-behind.ts';
import { nameOf, type StartTree } from './start-tree.ts';

/** Configuration of pytest in which options stand. */
const CONFIGS = /^(?:\.?pytest\.(?:ini|toml)|tox\.ini|setup\.cfg|pyproject\.toml)$/;
/** The options, over lines that go on. */
const ADDED = /^[ \t]*addopts\b[^\n]*(?:\n[ \t]+[^\n]*|\n[ \t]*["'][^\n]*|\n[ \t]*\][^\n]*)*/gm;
const OPTION = /(?:^|[\s"'=,[])-p(?:\s+|=|["']\s*,\s*["'])?([A-Za-z_][\w.]*)/g;
const IN_MODULE = /^pytest_plugins\b[^=\n]*=\s*(\[[^\]]*\]|\([^)]*\)|[^\n]+)/gm;
const IN_ENVIRONMENT = /\bPYTEST_PLUGINS=["']?([\w.,]+)/g;
const PACKAGE = /^(?:setup\.cfg|setup\.py|pyproject\.toml)$/;

/** Modules of the start that pytest loads as plug-ins, since configuration, a module or a command names them; each with what does so. */
export function namedByPytest(commands: readonly string[], start: StartTree): ReadonlyMap<string, string> {
  const named = new Map<string, string>();
  const { paths } = start.facts;
  const names = [...inFiles(start), ...inCommands(commands, start)];
  if (names.length === 0) return named;
  const modules = new Modules(paths);
  const own = textsOf(start, PACKAGE).filter((text) => /\bpytest11\b/.test(text));
  for (const { name, by } of names) {
    // The plug-in may be the very product.
    const isProduct = own.some((text) => new RegExp(`["'\\s=]${name.split('.')[0]}\\b`).test(text));
    if (isProduct) continue;
    for (const path of modules.resolve('conftest.py', name)) if (!named.has(path)) named.set(path, by);
  }
  return named;
}

interface Named {
  readonly name: string;
  /** A phrase: `pytest.ini`. */
  readonly by: string;
}

function inFiles(start: StartTree): Named[] {
  return start.facts.paths.flatMap((path) => {
    if (CONFIGS.test(nameOf(path)))
      return addedIn(start.read(path) ?? '').map((name) => ({ name, by: path }));
    const mayName = nameOf(path) === 'conftest.py' || (path.endsWith('.py') && start.isTestFile(path));
    return mayName ? pluginsIn(start.read(path) ?? '').map((name) => ({ name, by: path })) : [];
  });
}

function inCommands(commands: readonly string[], start: StartTree): Named[] {
  const by = 'the command of a check';
  return commands
    .flatMap((command) => linesBehind(command, (path) => start.read(path)))
    .flatMap(({ line, cwd }) => {
      const words = commandsOf(line, cwd).flatMap(({ command }) => {
        const { words: all = [] } = executionOf(command) ?? {};
        const text = all.map((word) => word.text).join(' ');
        return /\b(?:pytest|py\.test)\b/.test(text) ? optionsIn(text) : [];
      });
      const set = [...line.matchAll(IN_ENVIRONMENT)].flatMap(([, list = '']) => list.split(','));
      return [...words, ...set].map((name) => ({ name, by }));
    });
}

function addedIn(text: string): string[] {
  return [...text.matchAll(ADDED)].flatMap(([lines]) => optionsIn(lines));
}

/** Without what is switched off: `-p no:cacheprovider`. */
function optionsIn(text: string): string[] {
  return [...text.matchAll(OPTION)].flatMap(({ index, 0: whole, 1: name = '' }) =>
    text[index + whole.length] === ':' ? [] : [name],
  );
}

function pluginsIn(text: string): string[] {
  return [...text.matchAll(IN_MODULE)].flatMap(([, list = '']) =>
    [...list.matchAll(/["']([\w.]+)["']/g)].map(([, name = '']) => name),
  );
}

function textsOf(start: StartTree, names: RegExp): string[] {
  return start.facts.paths.filter((path) => names.test(nameOf(path))).map((path) => start.read(path) ?? '');
}
