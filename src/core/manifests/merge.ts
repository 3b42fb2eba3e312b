import type { Language } from '../families/row.ts';
import { foldedPath } from '../same-path.ts';
import { nameOf } from '../start-tree.ts';
import { mergeGoMod } from './go-mod.ts';
import { mergeIni } from './ini.ts';
import type { MergeContext, Merged } from './merged.ts';
import { mergePackageJson } from './package-json.ts';
import { mergePom } from './pom.ts';
import { mergeSnapshot } from './snapshot.ts';
import { type JudgingTables, mergeToml } from './toml.ts';

type Merge = (start: string, agents: string, context: MergeContext) => Merged;

const PYPROJECT: JudgingTables = {
  runners: [
    ...['tool.pytest', 'tool.pytest_env', 'tool.coverage', 'tool.hypothesis', 'tool.nose2', 'tool.mutmut'],
    ...[
      'tool.tox',
      'tool.nox',
      'tool.hatch.envs',
      'tool.hatch.scripts',
      'tool.pdm.scripts',
      'tool.rye.scripts',
    ],
    ...['tool.poe', 'tool.taskipy', 'tool.pixi.tasks'],
    ...['project.entry-points.pytest11', 'tool.poetry.plugins.pytest11'],
  ],
  checkers: [
    ...['tool.mypy', 'tool.pyright', 'tool.basedpyright', 'tool.pyre', 'tool.ty', 'tool.ruff', 'tool.pylint'],
    ...['tool.black', 'tool.isort', 'tool.bandit', 'tool.flake8', 'tool.pydocstyle', 'tool.interrogate'],
    ...['tool.vulture', 'tool.importlinter'],
  ],
};

/** `pipenv run pytest` runs a script of that name, where there is one. */
const PIPFILE: JudgingTables = { runners: ['scripts'], checkers: [] };

const CARGO: JudgingTables = {
  runners: [
    ...['test', 'bench', 'profile.test', 'lib.test', 'lib.doctest', 'lib.harness'],
    ...['package.autotests', 'package.autobenches', 'package.build', 'package.metadata.nextest'],
    ...['patch', 'replace', 'workspace.exclude', 'workspace.default-members', 'workspace.metadata.nextest'],
  ],
  checkers: ['lints', 'workspace.lints'],
};

interface Manifest {
  readonly name: RegExp;
  readonly language: Language;
  readonly merge: Merge;
}

const MANIFESTS: readonly Manifest[] = [
  { name: /^package\.json$/, language: 'javascript', merge: mergePackageJson },
  { name: /^composer\.json$/, language: 'php', merge: mergePackageJson },
  {
    name: /^pyproject\.toml$/,
    language: 'python',
    merge: (start, agents, context) => mergeToml(start, agents, PYPROJECT, context),
  },
  {
    name: /^cargo\.toml$/,
    language: 'rust',
    merge: (start, agents, context) => mergeToml(start, agents, CARGO, context),
  },
  {
    name: /^pipfile$/,
    language: 'python',
    merge: (start, agents, context) => mergeToml(start, agents, PIPFILE, context),
  },
  { name: /^setup\.cfg$/, language: 'python', merge: mergeIni },
  { name: /^go\.mod$/, language: 'go', merge: mergeGoMod },
  { name: /^pom\.xml$/, language: 'jvm', merge: mergePom },
  { name: /\.snap$/, language: 'javascript', merge: mergeSnapshot },
];

/** The language whose tests a manifest can govern; undefined for files that are none. */
export function manifestLanguage(path: string): Language | undefined {
  return manifestOf(path)?.language;
}

/**
 * The agent's version of a manifest with the sections of the start that judge: scripts and runner
 * configuration. `start` is absent for a new file. Pure; undefined for files that are no manifest.
 */
export function mergeManifest(
  path: string,
  start: string | undefined,
  agents: string,
  context: MergeContext = { governs: true },
): Merged | undefined {
  return manifestOf(path)?.merge(start ?? '', agents, context);
}

function manifestOf(path: string): Manifest | undefined {
  const name = foldedPath(nameOf(path));
  return MANIFESTS.find((row) => row.name.test(name));
}
