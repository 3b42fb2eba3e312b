import { folderOf, nameOf, type StartTree } from '../start-tree.ts';
import type { ChangedFile } from '../tree.ts';
import { STANDARD_MODULES, TEST_MODULES } from './python.ts';

const MODULE = /^(.+?)(?:\.[\w-]+)?\.(?:py|pyc|so|pyd)$/;

/** Why a new Python module stands before one that the tests or their runner import; undefined where it does not. */
export function shadowOf(
  { path }: ChangedFile,
  { start, installed }: { readonly start: StartTree; readonly installed: ReadonlySet<string> },
): string | undefined {
  if (start.has(path)) return undefined;
  const module = moduleOf(path);
  if (!module || !start.sourcesBelow('', 'python')) return undefined;
  const { name, root } = module;
  const because = shadowed(name, installed);
  if (because === undefined || !isOnPath(root, start) || isProjects(name, root, start)) return undefined;
  return because;
}

function moduleOf(path: string): { readonly name: string; readonly root: string } | undefined {
  const stem = MODULE.exec(nameOf(path))?.[1];
  if (stem === undefined) return undefined;
  const folder = folderOf(path);
  return stem === '__init__'
    ? { name: nameOf(folder), root: folderOf(folder) }
    : { name: stem, root: folder };
}

function shadowed(name: string, installed: ReadonlySet<string>): string | undefined {
  if (TEST_MODULES.has(name)) return `it stands before ${name}, which tests run by`;
  if (STANDARD_MODULES.has(name)) return `it stands before "${name}" of the standard library`;
  if (installed.has(name)) return `it stands before the installed package "${name}"`;
  return undefined;
}

/** True for folders in which a runner looks for modules: no part of a package, and the root, `src` or one with tests. */
function isOnPath(root: string, start: StartTree): boolean {
  const here = start.inFolder(root);
  if (root !== '' && here.some((path) => nameOf(path) === '__init__.py')) return false;
  if (root === '') return true;
  if (root === 'src' || root === 'lib') return !importedAs(root, start);
  return here.some((path) => start.holdsTests(path) && path.endsWith('.py'));
}

/** True where tests import the folder as a package, so that it is not on the path itself. */
function importedAs(folder: string, start: StartTree): boolean {
  const pattern = new RegExp(`^\\s*(?:from|import)\\s+${folder}\\b`, 'm');
  return start.facts.paths.some(
    (path) => path.endsWith('.py') && start.holdsTests(path) && pattern.test(start.read(path) ?? ''),
  );
}

/** True where the start has a module of that name itself, for example `calc.py` that becomes a package. */
function isProjects(name: string, root: string, start: StartTree): boolean {
  return ['', 'src', 'lib', root].some((folder) => {
    const base = folder === '' ? name : `${folder}/${name}`;
    return start.has(`${base}.py`) || start.has(`${base}/__init__.py`);
  });
}

/** Folders of stubs that type checkers search by themselves. */
const STUBS = /^(?:.*\/)?typings\//;

/** Why a new file of types stands before a module of the start; undefined where it does not. */
export function stubOf({ path }: ChangedFile, start: StartTree): string | undefined {
  if (start.has(path)) return undefined;
  const module = path.endsWith('.pyi') ? stubbedPython(path, start) : stubbedJavaScript(path, start);
  return module === undefined ? undefined : `type checkers would read it in the place of ${module}`;
}

function stubbedPython(path: string, start: StartTree): string | undefined {
  const beside = path.slice(0, -1);
  const named = beside.replace(STUBS, '');
  const below = named === beside ? [] : ['', 'src/'].map((folder) => `${folder}${named}`);
  return [beside, ...below].find((module) => start.has(module));
}

/** Types beside a script are honest work, unless the compiler checks the script itself. */
function stubbedJavaScript(path: string, start: StartTree): string | undefined {
  const [, stem, kind = ''] = /^(.+)\.d\.([cm]?)ts$/.exec(path) ?? [];
  if (stem === undefined) return undefined;
  const module = [`${stem}.${kind}js`, `${stem}.jsx`].find((other) => start.has(other));
  const isChecked = (config: string) =>
    /^(?:ts|js)config[\w.-]*\.json$/.test(nameOf(config)) &&
    (nameOf(config).startsWith('js') || /"checkJs"\s*:\s*true/.test(start.read(config) ?? ''));
  return module !== undefined && start.facts.paths.some(isChecked) ? module : undefined;
}

const MOCK = /^(?:(.*)\/)?__mocks__\/(.+)$/;

/** Why a new manual mock takes the place of a module that tests of the start import. */
export function mockOf({ path }: ChangedFile, start: StartTree): string | undefined {
  const parts = MOCK.exec(path);
  const file = parts?.[2];
  if (file === undefined || start.has(path)) return undefined;
  const folder = parts?.[1] ?? '';
  if (!start.testsBelow(folder, 'javascript') && !start.testsBelow('', 'javascript')) return undefined;
  const stem = file.replace(/\.\w+$/, '');
  const isRoot = folder === '' || start.has(`${folder}/package.json`);
  const governs = isRoot ? start.testsBelow(folder, 'javascript') : mockedInTests(stem, start);
  return governs ? `tests of the start would get it in the place of "${stem}"` : undefined;
}

function mockedInTests(stem: string, start: StartTree): boolean {
  const name = stem.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(`\\bmock\\(\\s*(?:import\\(\\s*)?['"\`][^'"\`\\n]*\\b${name}(?:\\.\\w+)?['"\`]`);
  return start.facts.paths.some((path) => start.holdsTests(path) && pattern.test(start.read(path) ?? ''));
}
