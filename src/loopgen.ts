import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluating, workspaceAsRoom } from './compose/evaluate.ts';
import { OpenRun } from './compose/open-run.ts';
import { type Plan, planOf } from './compose/plan.ts';
import { redactingDeeply, redactorFor } from './compose/redaction.ts';
import type { Registries } from './compose/registries.ts';
import { resolvePlugins } from './compose/resolve.ts';
import type { CheckOptions, RunOptions } from './compose/run-options.ts';
import { rulesOf, siteOf } from './compose/site.ts';
import type { Check } from './core/check.ts';
import type { Report } from './core/report.ts';
import type { Spec } from './core/spec.ts';
import type { StopPolicy } from './core/stop.ts';
import { type Verdict, verdictOf } from './core/verdict.ts';
import { allowedEnvironment, checkEnvironment } from './system/environment.ts';

export type { CheckOptions, Place, RunOptions } from './compose/run-options.ts';

export interface EngineOptions {
  /** In place of the default stop policies: `firstOf(mine, defaultPolicy(spec.limits))`. */
  readonly policy?: (spec: Spec) => StopPolicy;
}

/** What `check` found. */
export interface CheckedOnce {
  readonly spec: string;
  readonly workdir: string;
  readonly verdict: Verdict;
  readonly checks: readonly Check[];
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
    await using run = await OpenRun.open(spec, options, site, resolved);
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
        env: checkEnvironment(allowedEnvironment(site.env, spec.env.pass)),
        scratch,
        logs: scratch,
        signal: options.signal ?? new AbortController().signal,
        redact: redactingDeeply(redactorFor(spec, { env: site.env, dir: site.origin })),
      });
      const checks = await evaluate({
        phase: 'baseline',
        room: workspaceAsRoom(site.origin),
        started: options.checkStarted ?? (() => {}),
        finished: options.checkFinished ?? (() => {}),
      });
      return { spec: spec.name, workdir: site.origin, verdict: verdictOf(spec.success, checks), checks };
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }

  /** What `run` would do: the rules, the caps and the first prompt. Nothing runs, nothing is written. */
  async plan(spec: Spec, options: RunOptions = {}): Promise<Plan> {
    const site = siteOf(spec, options, { make: false });
    const resolved = await resolvePlugins(spec, this.#registries, site);
    const redact = redactingDeeply(redactorFor(spec, { env: site.env, dir: site.origin }));
    return redact(planOf(spec, resolved, rulesOf(spec, options, site, resolved), site));
  }
}
