import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { createDefaultRegistries, type Registries } from '../../src/compose/registries.ts';
import type { Event } from '../../src/core/event.ts';
import type { AgentDriver, Evaluator } from '../../src/core/plugin.ts';
import type { Report } from '../../src/core/report.ts';
import type { Spec } from '../../src/core/spec.ts';
import { readJournal } from '../../src/journal/journal.ts';
import { replay } from '../../src/journal/replay.ts';
import { type EngineOptions, LoopEngine, type RunOptions } from '../../src/loopgen.ts';
import { parseSpec } from '../../src/spec/parse.ts';
import { type Scripted, scriptedDriver } from '../../src/testing/index.ts';
import { tempDir } from './temp-dir.ts';

/** A folder for a spec, its target, and state of its own, with an engine that has a scripted driver. */
export interface Bench extends AsyncDisposable {
  /** Where the spec would lie; the workspace is `target/` in it. */
  readonly dir: string;
  readonly target: string;
  readonly state: string;
  readonly registries: Registries;
  readonly options: RunOptions;
  write(files: Readonly<Record<string, string>>): void;
  read(path: string): string;
  spec(change?: object): Spec;
  run(spec: Spec, more?: RunOptions & { readonly engine?: EngineOptions }): Promise<Ran>;
}

export interface Ran {
  readonly report: Report;
  readonly events: readonly Event[];
  readonly runDir: string;
}

export interface BenchPlugins {
  readonly steps?: readonly Scripted[];
  readonly kind?: 'agent' | 'one-shot';
  readonly drivers?: readonly AgentDriver[];
  readonly evaluators?: readonly Evaluator[];
}

export async function openBench(plugins: BenchPlugins = {}): Promise<Bench> {
  const dir = await tempDir();
  const [target, state] = [join(dir.path, 'target'), join(dir.path, 'state')];
  mkdirSync(target);
  const registries = createDefaultRegistries();
  registries.drivers.register(scriptedDriver(plugins.steps ?? [], { kind: plugins.kind ?? 'agent' }));
  for (const driver of plugins.drivers ?? []) registries.drivers.register(driver);
  for (const evaluator of plugins.evaluators ?? []) registries.evaluators.register(evaluator);
  const options: RunOptions = {
    baseDir: dir.path,
    stateDir: state,
    env: { PATH: process.env['PATH'], HOME: dir.path, XDG_STATE_HOME: join(dir.path, 'user-state') },
  };
  return {
    dir: dir.path,
    target,
    state,
    registries,
    options,
    write(files) {
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(target, path)), { recursive: true });
        writeFileSync(join(target, path), content);
        if (path.endsWith('.sh')) chmodSync(join(target, path), 0o755);
      }
    },
    read: (path) => readFileSync(join(target, path), 'utf8'),
    spec: (change = {}) =>
      parseSpec({
        name: 'try',
        requirements: 'Do it.',
        workspace: { dir: 'target' },
        driver: { uses: 'scripted' },
        evaluators: [{ uses: 'command', as: 'check', options: { command: 'grep -qx done a.txt' } }],
        ...change,
      }),
    async run(spec, { engine, ...more } = {}) {
      const report = await new LoopEngine(registries, engine).run(spec, { ...options, ...more });
      const runDir = join(state, 'runs', report.runId);
      const events = readJournal(join(runDir, 'events.jsonl'));
      const kept: unknown = JSON.parse(readFileSync(join(runDir, 'report.json'), 'utf8'));
      expect(replay(events), 'the journal gives the report').toEqual(kept);
      expect(JSON.parse(JSON.stringify(report)), 'the report is kept').toEqual(kept);
      return { report, events, runDir };
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

/** The names of the runs that are recorded. */
export function runsOf({ state }: Bench): string[] {
  try {
    return readdirSync(join(state, 'runs'));
  } catch {
    return [];
  }
}
