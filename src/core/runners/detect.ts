import { normalisePath } from '../command-line.ts';
import { type Runner, type RunnerName, recogniseRunner, runnerNamed } from '../runners.ts';
import { readShellLine } from '../shell-line.ts';

/** A project as its test command is looked for in it. */
export interface ProjectFiles {
  /** Files relative to the project, with `/`, without dependency folders. */
  readonly files: readonly string[];
  /** Text of one of them; undefined where it cannot be read. */
  readonly read: (path: string) => string | undefined;
}

export interface DetectedTests {
  readonly command: string;
  /** Undefined where the command is a script of the project itself. */
  readonly runner?: RunnerName;
  /** `exit-code` where loopgen has no report of its own for it. */
  readonly judged: Runner['judged'];
  /** What spoke for it, for example `pytest.ini`. */
  readonly because: string;
}

/** How many files are read to find out how tests are written. */
const READ_AT_MOST = 200;

/** The project's test command: the first of `detectTestCommands`. */
export function detectTestCommand(project: ProjectFiles): DetectedTests | undefined {
  return detectTestCommands(project)[0];
}

/** Every test command that something in the project speaks for, likeliest first. */
export function detectTestCommands(project: ProjectFiles): DetectedTests[] {
  return [detectPython, detectJavaScript, detectGo, detectCargo, detectMaven].flatMap(
    (detect) => detect(project) ?? [],
  );
}

function found(runner: RunnerName, because: string, command?: string): DetectedTests | undefined {
  const row = runnerNamed(runner);
  return row && { command: command ?? row.command, runner, judged: row.judged, because };
}

// Python

const PYTHON_TEST = /(?:^|\/)(?:test[^/]*|[^/]*_test|tests)\.py$/;
/** Files that hold pytest configuration when they hold the section. */
const PYTEST_SECTIONS: readonly (readonly [RegExp, RegExp])[] = [
  [/^\.?pytest\.(?:ini|toml)$/, /^/],
  [/(?:^|\/)conftest\.py$/, /^/],
  [/^pyproject\.toml$/, /^\s*\[tool\.pytest|["']pytest["'<>=~! [;]/m],
  [/^setup\.cfg$/, /^\s*\[tool:pytest\]|^\s*pytest\b/m],
  [/^tox\.ini$/, /^\s*\[pytest\]/m],
  [/^requirements[^/]*\.txt$/, /^\s*pytest\b/m],
  [/^setup\.py$/, /["']pytest["'<>=~! [;]/],
];
const WRITTEN_FOR_PYTEST = /^(?:async )?def test_?\w*\(|^\s*(?:import|from) pytest\b/m;
const WRITTEN_FOR_UNITTEST = /^\s*(?:import|from) unittest\b|\bTestCase\b/m;

function detectPython(project: ProjectFiles): DetectedTests | undefined {
  const tests = project.files.filter((file) => PYTHON_TEST.test(file));
  const configured = PYTEST_SECTIONS.flatMap(([name, section]) =>
    project.files.filter((file) => name.test(file) && section.test(project.read(file) ?? '')),
  )[0];
  const python = pythonOf(project);
  const pytest = `${python} -m pytest`;
  if (configured !== undefined) return found('pytest', configured, pytest);
  const written = (pattern: RegExp) =>
    tests.slice(0, READ_AT_MOST).find((file) => pattern.test(project.read(file) ?? ''));
  const plain = written(WRITTEN_FOR_PYTEST);
  if (plain !== undefined) return found('pytest', plain, pytest);
  const unittest = written(WRITTEN_FOR_UNITTEST);
  if (unittest === undefined) return undefined;
  return found('unittest', unittest, `${python} -m unittest ${unittestArguments(unittest, project)}`);
}

/** The interpreter of the project's own virtual environment, where it has one in the usual place. */
function pythonOf(project: ProjectFiles): string {
  const own = ['.venv', 'venv'].find((folder) => project.read(`${folder}/pyvenv.cfg`) !== undefined);
  return own === undefined ? 'python3' : `${own}/bin/python`;
}

/** `discover` only enters packages, so a folder of tests that is none must be named. */
function unittestArguments(test: string, project: ProjectFiles): string {
  const folder = test.includes('/') ? (test.split('/')[0] ?? '') : '';
  const isPackage = folder === '' || project.files.includes(`${folder}/__init__.py`);
  const pattern = /(?:^|\/)test[^/]*\.py$/.test(test) ? '' : " -p '*_test.py'";
  return `discover${isPackage ? '' : ` -s ${folder}`}${pattern}`;
}

// JavaScript

const JS_TEST =
  /(?:^|\/)(?:(?:[^/]+[._-])?(?:test|spec)\.[cm]?[jt]sx?|test-[^/]+\.[cm]?js|(?:tests?|__tests__)\/(?:.*\/)?[^/]+\.[cm]?[jt]sx?)$/;
const NODE_TEST_IMPORT = /(?:from|require\()\s*['"]node:test['"]/;

interface Manifest {
  readonly scripts?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, unknown>>;
  readonly devDependencies?: Readonly<Record<string, unknown>>;
}

function detectJavaScript(project: ProjectFiles): DetectedTests | undefined {
  const manifest = readManifest(project);
  return (
    fromScript(manifest?.scripts?.['test']) ?? fromDependencies(manifest, project) ?? fromNodeTests(project)
  );
}

function readManifest(project: ProjectFiles): Manifest | undefined {
  try {
    const parsed: unknown = JSON.parse(project.read('package.json') ?? 'null');
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    // A manifest that is not JSON says nothing; the other marks still speak.
    return undefined;
  }
}

/** The project's own `npm test`: as the runner it calls where that is plain to see. */
function fromScript(script: unknown): DetectedTests | undefined {
  if (typeof script !== 'string' || script.trim() === '' || /no test specified/.test(script))
    return undefined;
  const because = 'package.json scripts.test';
  const line = readShellLine(script);
  const command = line?.plain ? line.commands[0] : undefined;
  const call =
    command?.assignments.length === 0 ? recogniseRunner(command.words.map((w) => w.text)) : undefined;
  if (call && (call.nameAt > 0 || call.runner.name === 'node-test')) {
    return found(call.runner.name, because, script.trim());
  }
  if (call) {
    const runs =
      call.runner.name === 'vitest' && call.args[0] !== 'run' ? 'vitest run' : call.runner.programs[0];
    const name = command?.words[0];
    return found(
      call.runner.name,
      because,
      `npx ${runs}${script.slice(name?.end ?? script.length).trimEnd()}`,
    );
  }
  return { command: 'npm test', judged: 'exit-code', because };
}

function fromDependencies(manifest: Manifest | undefined, project: ProjectFiles): DetectedTests | undefined {
  const names = new Set(Object.keys({ ...manifest?.dependencies, ...manifest?.devDependencies }));
  for (const name of ['vitest', 'jest', 'mocha'] as const) {
    if (names.has(name)) return found(name, `package.json has ${name}`);
    const config = project.files.find((file) =>
      new RegExp(`^(?:${name}\\.config\\.|\\.${name}rc)`).test(file),
    );
    if (config !== undefined) return found(name, config);
  }
  return undefined;
}

function fromNodeTests(project: ProjectFiles): DetectedTests | undefined {
  const tests = project.files.filter((file) => JS_TEST.test(file)).slice(0, READ_AT_MOST);
  const test = tests.find((file) => NODE_TEST_IMPORT.test(project.read(file) ?? ''));
  return test === undefined ? undefined : found('node-test', test);
}

// Others

function detectGo(project: ProjectFiles): DetectedTests | undefined {
  return project.files.includes('go.mod') ? found('go-test', 'go.mod') : undefined;
}

function detectCargo(project: ProjectFiles): DetectedTests | undefined {
  return project.files.includes('Cargo.toml') ? found('cargo-test', 'Cargo.toml') : undefined;
}

function detectMaven(project: ProjectFiles): DetectedTests | undefined {
  if (!project.files.includes('pom.xml')) return undefined;
  const wrapper = project.files.map(normalisePath).includes('mvnw');
  return found('maven', 'pom.xml', wrapper ? './mvnw -q test' : undefined);
}
