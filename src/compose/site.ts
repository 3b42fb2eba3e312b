import { mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { LoopgenError, messageOf } from '../core/error.ts';
import type { GuardRule } from '../core/guard.ts';
import type { Spec } from '../core/spec.ts';
import { stateDirOf, userStateDir } from '../journal/state.ts';
import { guardRules } from '../workspace/guarded.ts';
import { commandsOf, type Locate, type Resolved } from './resolve.ts';
import type { RunOptions } from './run-options.ts';

/** The places of a run, before it is opened. */
export interface Site {
  readonly origin: string;
  readonly specDir: string;
  readonly locate?: Locate | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userState: string;
  readonly stateDir: string;
}

export function siteOf(spec: Spec, options: RunOptions, { make } = { make: true }): Site {
  const env = options.env ?? process.env;
  const baseDir = resolve(options.baseDir ?? process.cwd());
  const origin = resolve(baseDir, spec.workspace.dir);
  if (make) makeDir(origin);
  const specDir = options.specFile === undefined ? baseDir : dirname(resolve(options.specFile));
  const asked = options.stateDir;
  return {
    origin: make ? realpathSync(origin) : origin,
    specDir,
    locate: options.locate,
    env,
    userState: userStateDir(env),
    stateDir: stateDirOf({
      asked,
      specDir: options.specFile === undefined ? undefined : specDir,
      workspace: origin,
      env,
    }),
  };
}

function makeDir(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true });
    if (statSync(dir).isDirectory()) return;
  } catch (error) {
    throw new LoopgenError('bad-workspace', `workspace.dir cannot be made: ${messageOf(error)}`);
  }
  throw new LoopgenError('bad-workspace', `workspace.dir is not a folder: ${dir}`);
}

export function rulesOf(
  spec: Spec,
  options: RunOptions,
  site: Site,
  resolved: Resolved,
): readonly GuardRule[] {
  return guardRules({
    workdir: site.origin,
    specFile: options.specFile === undefined ? undefined : resolve(options.specFile),
    checks: resolved.evaluators.map((evaluator) => ({
      name: evaluator.spec.name,
      commands: commandsOf(evaluator),
      cwd: typeof evaluator.spec.options['cwd'] === 'string' ? evaluator.spec.options['cwd'] : '.',
      guard: evaluator.spec.guard,
    })),
    protect: spec.protect,
    faceProtects: options.protect ?? [],
    allow: spec.allow,
    limits: spec.limits,
  });
}
