export { type ConformanceOptions, runDriverConformance } from './conformance/conformance.ts';
export { formatConformanceReport } from './conformance/format.ts';
export type {
  Assignment,
  ConformanceReport,
  ScenarioBrief,
  ScenarioId,
  ScenarioResult,
} from './conformance/scenario.ts';
export { type MemoryWorkspace, type MemoryWorkspaceOptions, memoryWorkspace } from './memory-workspace.ts';
export type { Asked, AskedTurn, Tool, WireName } from './model-server/asked.ts';
export type {
  Fault,
  ModelCall,
  ModelStep,
  ModelUsage,
  Script,
} from './model-server/script.ts';
export {
  type ModelRequestLog,
  type ModelServer,
  type ModelServerOptions,
  startModelServer,
} from './model-server/server.ts';
export {
  type Judge,
  type ReadFile,
  type Scripted,
  type ScriptedDriverOptions,
  type ScriptedEvaluatorOptions,
  type ScriptedStep,
  scriptedDriver,
  scriptedEvaluator,
} from './scripted.ts';
