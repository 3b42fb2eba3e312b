import type { Observer } from './core/plugin.ts';
import type { Report } from './core/report.ts';
import type { Spec } from './core/spec.ts';
import type { LoopEngine, RunOptions } from './loopgen.ts';
import { createTracer, type TraceRecord } from './observers/trace.ts';

/** The trace of a run in memory: the records that `--trace` writes as lines. */
export interface TraceRecorder {
  /** Hand it to a run: `engine.run(spec, { observers: [recorder.observer] })`. */
  readonly observer: Observer;
  /** Grows as the run goes on. */
  readonly records: readonly TraceRecord[];
}

/** A recorder for one run. */
export function createTraceRecorder(): TraceRecorder {
  const trace = createTracer();
  const records: TraceRecord[] = [];
  return {
    records,
    observer: {
      name: 'trace-recorder',
      onEvent: (event) => {
        records.push(...trace(event));
      },
    },
  };
}

/** Runs a spec and gives its report with its trace. */
export async function runWithTrace(
  engine: LoopEngine,
  spec: Spec,
  options: RunOptions = {},
): Promise<{ readonly report: Report; readonly trace: readonly TraceRecord[] }> {
  const recorder = createTraceRecorder();
  const report = await engine.run(spec, {
    ...options,
    observers: [...(options.observers ?? []), recorder.observer],
  });
  return { report, trace: recorder.records };
}
