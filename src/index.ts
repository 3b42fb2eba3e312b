// Run a loop.
export { createDefaultRegistries, type Registries } from './compose/registries.ts';
// Write a plug-in.
// Read a report.
export type {
  Check,
  CheckStatus,
  EvaluationOutcome,
  TestResult,
  TestStatus,
  UnusableCause,
} from './core/check.ts';
export { LoopgenError, type Place as SourcePlace } from './core/error.ts';
export type { AgentResult, Event, Progress, Proposal, StopReason } from './core/event.ts';
export type { Feedback } from './core/feedback.ts';
// Stop a run by a policy of your own.
export type { History, Iteration } from './core/history.ts';
export type { ReportedEscalation } from './core/ladder.ts';
export { exitCodeOf, type Outcome } from './core/outcome.ts';
export type {
  AgentDriver,
  Evaluator,
  EvaluatorContext,
  Installation,
  Machine,
  Observer,
  ObserverFactory,
  OptionsSchema,
  PreflightContext,
  Proposer,
  TaskType,
  Turn,
  WriteResult,
} from './core/plugin.ts';
export { Registry } from './core/registry.ts';
export type { Report, ReportedIteration, ReportedRound } from './core/report.ts';
export type { Spec } from './core/spec.ts';
export { defaultPolicy, firstOf, type StopPolicy } from './core/stop.ts';
export { type Grade, type Trust, trustLine } from './core/trust.ts';
export type { Usage } from './core/usage.ts';
export type { Verdict } from './core/verdict.ts';
export { proposerDriver } from './drivers/proposer.ts';
export { readJournal } from './journal/journal.ts';
export { replay } from './journal/replay.ts';
export {
  type CheckedOnce,
  type CheckOptions,
  type EngineOptions,
  LoopEngine,
  type Place,
  type RunOptions,
} from './loopgen.ts';
// Observe a run.
export { createTraceRecorder, type TraceRecord } from './observers/trace.ts';
export { loadSpec } from './spec/load.ts';
export { parseSpec, safeParseSpec } from './spec/parse.ts';
export { runWithTrace } from './trace.ts';
