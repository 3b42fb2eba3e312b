export { type MemoryWorkspace, type MemoryWorkspaceOptions, memoryWorkspace } from './memory-workspace.ts';
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
