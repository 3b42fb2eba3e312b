import { mkdirSync, realpathSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { driving } from './compose/drive.ts';
import { evaluating } from './compose/evaluate.ts';
import { type Plan, planOf } from './compose/plan.ts';
import { preflight } from './compose/preflight.ts';
import { Records } from './compose/records.ts';
import { redactingDeeply } from './compose/redaction.ts';
import type { Registries } from './compose/registries.ts';
import { type Locate, type Resolved, resolvePlugins } from './compose/resolve.ts';
import type { Check } from './core/check.ts';
import { runLoop } from './core/engine.ts';
import { LoopgenError, messageOf } from './core/error.ts';
import type { Face, RunStarted } from './core/event.ts';
import type { GuardRule } from './core/guard.ts';
import type { Observer } from './core/plugin.ts';
import type { Report } from './core/report.ts';
import type { Spec } from './core/spec.ts';
import type { StopPolicy } from './core/stop.ts';
import { type Verdict, verdictOf } from './core/verdict.ts';
import type { Workspace } from './core/workspace.ts';
import { stateDirOf, userStateDir } from './journal/state.ts';
import { allowedEnvironment, checkEnvironment } from './system/environment.ts';
import { sweepOrphans } from './system/orphans.ts';
import { redactor } from './system/redact.ts';
import { version } from './version.ts';
import { guardedPaths, guardRules } from './workspace/guarded.ts';
import { openWorkspace } from './workspace/open.ts';

export interface EngineOptions {
  /** In place of the default stop policies: `firstOf(mine, defaultPolicy(spec.limits))`. */
  readonly policy?: (spec: Spec) => StopPolicy;
}

export interface RunOptions {
  /** What `workspace.dir` is relative to. Default: the current folder. */
  readonly baseDir?: string;
  /** The spec's file, where it has one: it is guarded, and records lie beside it. */
  readonly specFile?: string;
  /** Where a key stands in that file, for errors of plug-in options. */
  readonly locate?: Locate;
  /** Default: `run`. */
  readonly face?: Face;
  /** Where the runs are kept. Default: `.loopgen/` beside the spec, else the user's state folder. */
  readonly stateDir?: string;
  /** Aborting ends the run as `aborted`. */
  readonly signal?: AbortSignal;
  /** Beside those of the spec. */
  readonly observers?: readonly Observer[];
  readonly skipPreflight?: boolean;
  /** The environment to choose from. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Globs that a face protects beside the spec's. */
  readonly protect?: readonly string[];
  /** Told things that belong to no run: what an earlier, killed one left, plug-ins that fail late. */
  readonly notice?: (message: string) => void;
  /** Called once the workspace is open, for faces that show where it is. */
  readonly opened?: (place: Place) => void;
  /** Called with the report while the workspace is still open, for faces that take the result out of it. */
  readonly finished?: (report: Report, workspace: Workspace) => Promise<void>;
  /** Files that the caller writes inside the workspace; they never count as work. */
  readonly ownFiles?: readonly string[];
}

export interface CheckOptions extends RunOptions {
  readonly started?: (name: string) => void;
  readonly finished?: (check: Check) => void;
}

/** What `check` found. */
export interface CheckedOnce {
  readonly name: string;
  readonly workdir: string;
  readonly verdict: Verdict;
  readonly checks: readonly Check[];
}

/** Where a run works and is recorded. */
export interface Place {
  readonly runId: string;
  readonly workdir: string;
  /** Where a copy came from. */
  readonly origin?: string;
  readonly runDir: string;
}

/** Puts plug-ins, workspace, guard and observers into one loop. One engine runs any number of specs. */
export class LoopEngine {
  readonly #registries: Registries;
  readonly #options: EngineOptions;

  constructor(registries: Registries, options: EngineOptions = {}) {
    this.#registries = registries;
    this.#options = options;
  }

  /**
   * Brings a spec to an outcome. Rejects with a `LoopgenError` only for what the
   * user got wrong, before anything was spent; how the run went is the report.
   */
  async run(spec: Spec, options: RunOptions = {}): Promise<Report> {
    const site = siteOf(spec, options);
    const resolved = await resolvePlugins(spec, this.#registries, site);
    await using run = await Opened.open(spec, options, site, resolved);
    return await run.loop(this.#options.policy?.(spec));
  }

  /** The checks once, without an agent. Changes nothing but what the checks themselves do. */
  async check(spec: Spec, options: CheckOptions = {}): Promise<CheckedOnce> {
    const site = siteOf(spec, options);
    const resolved = await resolvePlugins(spec, this.#registries, site);
    const scratch = await mkdtemp(join(tmpdir(), 'loopgen-'));
    try {
      const evaluate = evaluating({
        evaluators: resolved.evaluators,
        concurrency: spec.evaluation.concurrency,
        workdir: site.origin,
        env: checkEnvironment(allowedEnvironment(site.env, spec.env.pass)),
        scratch,
        logs: scratch,
        signal: options.signal ?? new AbortController().signal,
        redact: redactingDeeply(redactor(site.env)),
      });
      const checks = await evaluate({
        phase: 'baseline',
        started: options.started ?? (() => {}),
        finished: options.finished ?? (() => {}),
      });
      return { name: spec.name, workdir: site.origin, verdict: verdictOf(spec.success, checks), checks };
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }

  /** What `run` would do: the rules, the caps and the first prompt. Nothing runs, nothing is written. */
  async plan(spec: Spec, options: RunOptions = {}): Promise<Plan> {
    const site = siteOf(spec, options, { make: false });
    const resolved = await resolvePlugins(spec, this.#registries, site);
    return planOf(spec, resolved, rulesOf(spec, options, site, resolved), site);
  }
}

/** The places of a run, before it is opened. */
interface Site {
  readonly origin: string;
  readonly specDir: string;
  readonly locate?: Locate | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userState: string;
  readonly stateDir: string;
}

function siteOf(spec: Spec, options: RunOptions, { make } = { make: true }): Site {
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

function rulesOf(spec: Spec, options: RunOptions, site: Site, resolved: Resolved): readonly GuardRule[] {
  return guardRules({
    workdir: site.origin,
    specFile: options.specFile === undefined ? undefined : resolve(options.specFile),
    checks: resolved.evaluators.map(({ spec: entry, plugin, options: read }) => ({
      name: entry.name,
      commands: plugin.commands?.(read) ?? [],
      cwd: typeof entry.options['cwd'] === 'string' ? entry.options['cwd'] : '.',
      guard: entry.guard,
    })),
    protect: spec.protect,
    faceProtects: options.protect ?? [],
    allow: spec.allow,
    limits: spec.limits,
  });
}

/** A run whose workspace is locked and whose records are open; gives both up again. */
class Opened implements AsyncDisposable {
  static async open(spec: Spec, options: RunOptions, site: Site, resolved: Resolved): Promise<Opened> {
    for (const orphan of await sweepOrphans())
      options.notice?.(`ended a process that a killed run left: ${orphan.pid} ${orphan.command}`);
    const rules = rulesOf(spec, options, site, resolved);
    const observers = [...resolved.observers, ...(options.observers ?? [])];
    const scratch = await mkdtemp(join(tmpdir(), 'loopgen-'));
    try {
      const records = new Records({ ...site, name: spec.name, observers, notice: options.notice });
      const workspace = await openWorkspace({
        dir: site.origin,
        mode: spec.workspace.mode,
        copyTo: join(records.dir, 'workspace', basename(site.origin)),
        ignore: spec.workspace.ignore,
        watch: guardedPaths(rules, site.origin),
        ownFiles: [...observers.flatMap((observer) => observer.files ?? []), ...(options.ownFiles ?? [])],
        stateDir: site.stateDir,
        userState: site.userState,
        storeDir: join(records.dir, 'store.git'),
        runId: records.runId,
      });
      return new Opened({ spec, options, site, resolved, rules, observers, scratch, records, workspace });
    } catch (error) {
      await rm(scratch, { recursive: true, force: true });
      throw error;
    }
  }

  readonly #parts: Parts;

  private constructor(parts: Parts) {
    this.#parts = parts;
  }

  async loop(policy: StopPolicy | undefined): Promise<Report> {
    const { spec, options, site, resolved, rules, observers, scratch, records, workspace } = this.#parts;
    const signal = options.signal ?? new AbortController().signal;
    const redact = redactingDeeply(redactor(site.env));
    const { plugin: driver, options: driverOptions } = resolved.driver;
    const agentEnv = allowedEnvironment(site.env, [...spec.env.pass, ...(driver.env ?? [])]);
    const checkEnv = checkEnvironment(allowedEnvironment(site.env, spec.env.pass));
    options.opened?.({
      runId: records.runId,
      workdir: workspace.dir,
      ...(workspace.origin !== undefined && { origin: workspace.origin }),
      runDir: records.dir,
    });
    for (const notice of resolved.notices) records.warn(notice);
    const report = await runLoop({
      runId: records.runId,
      spec,
      start: this.#start(),
      signal,
      ...(policy && { policy }),
      ports: {
        ...records.ports,
        preflight: async () =>
          options.skipPreflight
            ? []
            : await preflight({
                spec,
                driver,
                options: driverOptions,
                observers,
                workdir: workspace.dir,
                env: agentEnv,
                signal,
              }),
        workspace,
        rules,
        drive: driving({
          spec,
          task: resolved.task,
          driver,
          options: driverOptions,
          workspace,
          rules,
          env: agentEnv,
          scratch,
          signal,
          progress: records.progress,
          redact,
          recordFile: records.file,
        }),
        evaluate: evaluating({
          evaluators: resolved.evaluators,
          concurrency: spec.evaluation.concurrency,
          workdir: workspace.dir,
          env: checkEnv,
          scratch,
          logs: join(records.dir, 'logs'),
          signal,
          redact,
        }),
      },
    });
    await options.finished?.(report, workspace);
    await records.finish(report);
    return report;
  }

  #start(): Omit<RunStarted, 'type' | 'tree'> {
    const { spec, options, resolved, workspace } = this.#parts;
    const kind = resolved.driver.plugin.kind ?? 'agent';
    return {
      spec: spec.name,
      ...(options.specFile !== undefined && { specFile: resolve(options.specFile) }),
      requirements: spec.requirements,
      face: options.face ?? 'run',
      workdir: workspace.dir,
      ...(workspace.origin !== undefined && { origin: workspace.origin }),
      mode: workspace.mode,
      driver: spec.driver.uses,
      driverKind: kind,
      evaluators: spec.evaluators.map(({ name, uses }) => ({ name, type: uses })),
      limits: spec.limits,
      revert: spec.workspace.revert ?? (kind === 'one-shot' ? 'regression' : 'never'),
      version,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { records, workspace, scratch } = this.#parts;
    await records.close();
    await workspace.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

interface Parts {
  readonly spec: Spec;
  readonly options: RunOptions;
  readonly site: Site;
  readonly resolved: Resolved;
  readonly rules: readonly GuardRule[];
  readonly observers: readonly Observer[];
  readonly scratch: string;
  readonly records: Records;
  readonly workspace: Awaited<ReturnType<typeof openWorkspace>>;
}
