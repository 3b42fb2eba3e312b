import type { Report } from './core/report.ts';
import type { Spec } from './core/spec.ts';
import type { LoopEngine, RunOptions } from './loopgen.ts';
import { createTraceRecorder, type TraceRecord } from './observers/trace.ts';

/** Runs a spec and gives its report with its trace. */
export async function runWithTrace(
  engine: LoopEngine,
  spec: Spec,
  options: RunOptions = {},
): Promise<{ readonly report: Report; readonly trace: readonly TraceRecord[] }> {
  const recorder = createTraceRecorder();
  const report = await engine.run(spec, {
    ...options,
    observers: [...(options.observers ?? []), recorder],
  });
  return { report, trace: recorder.records };
}
