import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { exec } from '../system/exec.ts';
import { which } from '../system/which.ts';
import { isWithin } from './paths.ts';

export interface SitesOptions {
  /** The tree in which dependency folders lie; a real path. */
  readonly root: string;
  /** Dependency folders, relative to it. */
  readonly dependencies: readonly string[];
  /** Command lines of the checks. */
  readonly commands: readonly string[];
  /** The environment of the checks. */
  readonly env: Readonly<Record<string, string>>;
}

/** Where the interpreters of a project find packages. */
export interface PythonSites {
  /** `site-packages` of virtual environments in the workspace, absolute. */
  readonly own: readonly string[];
  /** Those of the interpreter on the PATH, and its standard library. Real paths. */
  readonly around: readonly string[];
  readonly library: string | undefined;
}

/** Names no path of a virtual environment: whatever the PATH says is asked. */
const PYTHON = /\b(?:python[\d.]*|pytest|py\.test|unittest|tox|nox)\b/;

export function runsPython(commands: readonly string[]): boolean {
  return commands.some((command) => PYTHON.test(command));
}

/** Reads names of folders; starts one process at most. */
export async function pythonSites(options: SitesOptions): Promise<PythonSites> {
  const { root, dependencies, commands } = options;
  const environments = dependencies.filter((path) => existsSync(join(root, path, 'pyvenv.cfg')));
  const own = environments.flatMap((path) => sitesIn(join(root, path, 'lib')));
  const isApart =
    environments.length > 0 &&
    environments.every((path) => !seesSystem(join(root, path))) &&
    commands.every((line) => environments.some((path) => line.includes(`${path}/`)));
  return { own, ...(isApart ? { around: [], library: undefined } : await asked(options)) };
}

function sitesIn(lib: string): string[] {
  if (!existsSync(lib)) return [];
  const versions = readdirSync(lib).filter((name) => name.startsWith('python'));
  return versions.map((name) => join(lib, name, 'site-packages')).filter((place) => existsSync(place));
}

function seesSystem(environment: string): boolean {
  return /^include-system-site-packages\s*=\s*true/im.test(
    readFileSync(join(environment, 'pyvenv.cfg'), 'utf8'),
  );
}

const QUESTION = [
  'import json, os, sys, sysconfig',
  'p = sysconfig.get_paths()',
  'sites = [p["purelib"], p["platlib"]] + [s for s in sys.path if s.endswith("-packages")]',
  'print(json.dumps([p["stdlib"]] + [s for s in sites if os.path.isdir(s)]))',
].join('\n');
/** An interpreter that does not answer by then is not asked again. */
const ANSWER_MS = 20_000;

async function asked({ env, root }: SitesOptions): Promise<Omit<PythonSites, 'own'>> {
  const python = which('python3', env, '/') ?? which('python', env, '/');
  if (python === undefined) return { around: [], library: undefined };
  const result = await exec(
    { file: python, args: ['-c', QUESTION] },
    { cwd: '/', env, timeoutMs: ANSWER_MS },
  );
  const [library, ...sites] = pathsIn(result.stdout.text);
  // An environment of the project that is first on the PATH is its own.
  return { around: [...new Set(sites)].filter((site) => !isWithin(site, root)), library };
}

function pathsIn(said: string): string[] {
  try {
    const paths: unknown = JSON.parse(said.trim().split('\n').at(-1) ?? '');
    return Array.isArray(paths) ? paths.map((path) => realpathSync(String(path))) : [];
  } catch {
    // It could not be started, or its folders are not there.
    return [];
  }
}
