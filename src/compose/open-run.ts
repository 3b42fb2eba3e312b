import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { runLoop } from '../core/engine.ts';
import type { RunStarted } from '../core/event.ts';
import type { GuardRule } from '../core/guard.ts';
import { outsidePathsIn } from '../core/outside-paths.ts';
import type { Observer } from '../core/plugin.ts';
import type { Report } from '../core/report.ts';
import type { Spec } from '../core/spec.ts';
import type { StopPolicy } from '../core/stop.ts';
import type { Workspace } from '../core/workspace.ts';
import { openRooms, type Rooms, type WatchedPackages } from '../room/rooms.ts';
import { allowedEnvironment, checkEnvironment, notPassed } from '../system/environment.ts';
import { makeOwnFolder } from '../system/own-folder.ts';
import { version } from '../version.ts';
import { dependencyFolders } from '../workspace/dependencies.ts';
import { guardedPaths } from '../workspace/guarded.ts';
import { linksBackInto } from '../workspace/links-back.ts';
import { openWorkspace } from '../workspace/open.ts';
import { driving } from './drive.ts';
import { evaluating } from './evaluate.ts';
import { Judges } from './judging.ts';
import { Ladder, ladderTold } from './ladder.ts';
import { endOrphans, linkBack, tellInterrupted } from './leftovers.ts';
import { keysOf } from './opened-driver.ts';
import { preflight } from './preflight.ts';
import { packagesFor } from './python.ts';
import { Records } from './records.ts';
import { redactFile, redactingDeeply, redactorFor } from './redaction.ts';
import { commandsOf as commandsIn, type Resolved } from './resolve.ts';
import type { RunOptions } from './run-options.ts';
import { runSetup, setUp } from './setup.ts';
import { rulesOf, type Site } from './site.ts';

/** A run whose workspace is locked and whose records are open; gives both up again. */
export class OpenRun implements AsyncDisposable {
  static async open(spec: Spec, options: RunOptions, site: Site, resolved: Resolved): Promise<OpenRun> {
    await endOrphans(options.notice, site.origin);
    if (spec.workspace.mode === 'in-place') await tellInterrupted(site, options);
    const rules = rulesOf(spec, options, site, resolved);
    const observers = [...resolved.observers, ...(options.observers ?? [])];
    const records = new Records({ ...site, name: spec.name, observers, notice: options.notice });
    try {
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
        env: site.env,
        ...(options.signal && { signal: options.signal }),
      });
      records.announce();
      const scratch = makeOwnFolder(tmpdir());
      return new OpenRun({ spec, options, site, resolved, rules, observers, scratch, records, workspace });
    } catch (error) {
      records.discard();
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
    const redactor = redactorFor(spec, { env: site.env, dir: workspace.dir });
    const redact = redactingDeeply(redactor);
    const checkEnv = checkEnvironment(allowedEnvironment(site.env, spec.env.pass));
    options.opened?.({
      runId: records.runId,
      workdir: workspace.dir,
      ...(workspace.origin !== undefined && { origin: workspace.origin }),
      runDir: records.dir,
    });
    for (const notice of resolved.notices) records.warn(notice);
    const place = { workdir: workspace.dir, signal };
    const waiting = (what: string) => records.progress({ type: 'waiting', what });
    const packages = this.#hasRooms
      ? await packagesFor({ workspace, commands: resolved.evaluators.flatMap(commandsIn), env: checkEnv })
      : undefined;
    await using judges = new Judges({
      workspace,
      rules,
      allow: spec.allow,
      commandsOf: (name) => commandsOf(resolved, name),
      run: evaluating({
        evaluators: resolved.evaluators,
        concurrency: spec.evaluation.concurrency,
        env: checkEnv,
        scratch,
        logs: join(records.dir, 'logs'),
        signal,
        redact,
        logFilter: redactor.bytes,
      }),
      notInWorkspace: linkBack(workspace),
      rooms: await this.#rooms(packages),
      ...(packages && { installed: packages.modules }),
      ...(spec.setup.length > 0 && {
        install: (room) => runSetup({ commands: spec.setup, env: checkEnv, signal, waiting }, room),
      }),
    });
    for (const notice of judges.notices) records.warn(notice);
    await using drivers = new Ladder(resolved.driver, resolved.ladder, ({ plugin, options: own }) =>
      allowedEnvironment(site.env, [...spec.env.pass, ...keysOf(plugin, own)]),
    );
    const report = await runLoop({
      runId: records.runId,
      spec,
      start: this.#start(),
      signal,
      ...(policy && { policy }),
      ports: {
        ...records.ports,
        redact,
        ...(redactor.secrets > 0 && { redactFile: (file) => redactFile(file, redactor) }),
        preflight: async () => {
          const missing = options.skipPreflight
            ? []
            : await preflight({
                spec,
                ...drivers.base,
                rungs: drivers.rungs,
                observers,
                ...place,
                warn: records.warn,
              });
          if (missing.length > 0) return missing;
          return await setUp({ commands: spec.setup, workspace, env: checkEnv, signal, waiting });
        },
        unusableHint: () => hintOf(notPassed(site.env, checkEnv)),
        obstacle: () => (judges.canBind ? undefined : linkBack(workspace)),
        workspace,
        rules,
        drive: driving({
          spec,
          task: resolved.task,
          inTurn: (history) => drivers.inTurn(history),
          workspace,
          rules,
          scratch,
          signal,
          progress: records.progress,
          redact,
          pieces: redactor.pieces,
          recordFile: records.file,
        }),
        evaluate: judges.evaluate,
        suspicions: judges.suspicions,
      },
    });
    await drivers.close();
    await records.finish(report);
    await options.finished?.(report, workspace);
    return report;
  }

  /** Rooms are for projects: a challenge has the folder that was made for it. */
  get #hasRooms(): boolean {
    const { spec, options } = this.#parts;
    return options.face !== 'tdd' && spec.limits.confirm === 'room';
  }

  async #rooms(packages: WatchedPackages | undefined): Promise<Rooms | undefined> {
    const { spec, site, resolved, scratch, workspace } = this.#parts;
    if (!this.#hasRooms) return undefined;
    const leadsBack = linksBackInto(workspace.dir, workspace.origin ?? workspace.dir);
    return await openRooms({
      // Where links of a copy lead to the original, its room stands there, and they mean the room.
      workspaceDir: leadsBack === undefined ? workspace.dir : (workspace.origin ?? workspace.dir),
      scratch,
      stateDirs: [site.stateDir, site.userState],
      dependencies: dependencyFolders(workspace.dir),
      dependenciesIn: workspace.dir,
      links: workspace.startLinks(),
      named: namedByChecks(resolved, workspace.dir, site.env),
      packages,
      leadsBack,
      network: spec.evaluation.network === 'on',
      env: site.env,
    });
  }

  #start(): Omit<RunStarted, 'type' | 'tree'> {
    const { spec, options, resolved, workspace } = this.#parts;
    return {
      spec: spec.name,
      ...(options.specFile !== undefined && { specFile: resolve(options.specFile) }),
      requirements: spec.requirements,
      face: options.face ?? 'run',
      workdir: workspace.dir,
      ...(workspace.origin !== undefined && { origin: workspace.origin }),
      mode: workspace.mode,
      ...ladderTold(spec, resolved.driver, resolved.ladder),
      evaluators: spec.evaluators.map(({ name, uses }) => ({ name, type: uses })),
      limits: spec.limits,
      version,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { records, workspace, scratch } = this.#parts;
    try {
      await records.close();
    } finally {
      // The lock is given up whatever became of the records.
      await workspace.close();
      await rm(scratch, { recursive: true, force: true });
    }
  }
}

function commandsOf({ evaluators }: Resolved, name: string): readonly string[] {
  const found = evaluators.find(({ spec }) => spec.name === name);
  return found ? (found.plugin.commands?.(found.options) ?? []) : [];
}

/** Absolute paths that command lines of checks name, as far as they may lie outside the workspace. */
function namedByChecks({ evaluators }: Resolved, workdir: string, env: Site['env']): readonly string[] {
  return evaluators.flatMap((evaluator) => {
    const { cwd } = evaluator.spec.options;
    const folder = resolve(workdir, typeof cwd === 'string' ? cwd : '.');
    const lines = evaluator.plugin.commands?.(evaluator.options) ?? [];
    return lines
      .flatMap(outsidePathsIn)
      .map((path) => resolve(folder, path.replace(/^~(?=\/)/, env['HOME'] ?? '~')));
  });
}

function hintOf(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  return `set here, but not passed to checks: ${names.join(', ')} (env.pass lets them through)`;
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
  readonly workspace: Workspace;
}
