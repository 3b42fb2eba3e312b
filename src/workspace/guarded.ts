import { lstatSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { guardedFiles } from '../core/command-line.ts';
import type { GuardRule } from '../core/guard.ts';
import type { Limits } from '../core/spec.ts';
import { globMatcher } from './globs.ts';

export interface Judges {
  /** Absolute, real path of the tree at the start of the run. */
  readonly workdir: string;
  /** Absolute path of the spec, where it is a file. */
  readonly specFile?: string | undefined;
  readonly checks: readonly {
    readonly name: string;
    /** Command lines that it runs, and the folder, relative to the workspace, in which. */
    readonly commands: readonly string[];
    readonly cwd: string;
    readonly guard: readonly string[];
  }[];
  /** `protect` of the spec. */
  readonly protect: readonly string[];
  /** Globs that the face protects (`fix`). */
  readonly faceProtects: readonly string[];
  readonly allow: readonly string[];
  readonly limits: Limits;
}

/** What a rule is made of, before its reaction is known. */
interface Row {
  readonly name: GuardRule['name'];
  readonly because: string;
  readonly files?: readonly string[];
  readonly globs?: readonly string[];
}

/** The rules on who may touch what judges: a list of data, first match wins. Reads the tree as it is now. */
export function guardRules(judges: Judges): readonly GuardRule[] {
  const { limits, checks } = judges;
  const allowed = judges.allow.length > 0 ? globMatcher(judges.allow) : () => false;
  const rows: Row[] = [
    { name: 'spec', because: 'it is the spec of this run', files: specFile(judges) },
    ...checks.flatMap((check): Row[] => [
      {
        name: 'evaluator',
        because: `the check "${check.name}" rests on it`,
        files: filesOf(judges.workdir, check),
      },
      { name: 'evaluator', because: `the check "${check.name}" guards it`, globs: check.guard },
    ]),
    { name: 'protected', because: 'the spec protects it', globs: judges.protect },
    { name: 'protected', because: 'it judges the work', globs: judges.faceProtects },
  ];
  return rows.flatMap(({ name, because, files = [], globs = [] }) => {
    const paths = [...files, ...globs];
    if (paths.length === 0) return [];
    const exact = new Set(files.map((file) => file.normalize('NFC')));
    const meets = globs.length > 0 ? globMatcher(globs) : () => false;
    const matches = (path: string) => (exact.has(path.normalize('NFC')) || meets(path)) && !allowed(path);
    return [
      { name, because, paths, matches, reaction: name === 'spec' ? limits.specGuard : limits.evaluatorGuard },
    ];
  });
}

/** Files that the rules name one by one: they are watched wherever they lie. */
export function guardedPaths(rules: readonly GuardRule[], workdir: string): readonly string[] {
  return rules.flatMap((rule) => rule.paths).filter((path) => kindOf(join(workdir, path)) === 'file');
}

function specFile({ specFile: file, workdir }: Judges): string[] {
  return file === undefined ? [] : inside(workdir, file);
}

function filesOf(workdir: string, check: Judges['checks'][number]): string[] {
  const kind = (path: string) => kindOf(join(workdir, path));
  const named = check.commands.flatMap((line) => guardedFiles(line, check.cwd, kind, workdir));
  return [...new Set(named.flatMap((path) => [path, ...inside(workdir, join(workdir, path))]))];
}

/** The real place of a file, relative to the workspace; none where it lies outside. */
function inside(workdir: string, file: string): string[] {
  const path = relative(workdir, realpathSync(file));
  return path.startsWith('..') || isAbsolute(path) ? [] : [path];
}

/** A link counts as what it leads to: the agent could turn it elsewhere. */
function kindOf(path: string): 'file' | 'dir' | undefined {
  try {
    lstatSync(path);
    return statSync(path).isDirectory() ? 'dir' : 'file';
  } catch {
    // Not there at the start, so there is nothing to guard.
    return undefined;
  }
}
