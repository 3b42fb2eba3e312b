import type { AgentResult } from '../../core/event.ts';
import type { ModelCall } from '../model-server/script.ts';

/** What every driver has to do; each is tried by itself, in fresh folders. */
export const SCENARIO_IDS = [
  'reports-a-name',
  'creates-a-file',
  'applies-feedback',
  'handles-an-abort',
  'resumes-a-session',
  'begins-a-lost-session-anew',
  'reports-usage',
  'ends-on-time',
  'leaves-no-process',
  'survives-a-long-prompt',
  'tells-a-rate-limit',
  'tells-a-denied-permission',
  'streams-events-in-order',
] as const;

export type ScenarioId = (typeof SCENARIO_IDS)[number];

/** One turn, as prose for a model and as data for a script. */
export interface Assignment {
  readonly prompt: string;
  /** What it has to do, one after another. */
  readonly does: readonly ModelCall[];
}

/** What a driver is told of a scenario, where its options make it do what is asked. */
export interface ScenarioBrief {
  readonly id: ScenarioId;
  readonly assignments: readonly Assignment[];
  /** 0-based number of the turn that the options are for. */
  readonly turn: number;
}

export interface ScenarioResult {
  readonly id: ScenarioId;
  readonly title: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** Why it failed or was skipped, or something odd about a pass. */
  readonly because?: string;
  readonly durationMs: number;
}

export interface ConformanceReport {
  readonly driver: string;
  /** True where nothing failed and the driver could run. */
  readonly passed: boolean;
  /** What its preflight says is missing; then no scenario was tried. */
  readonly missing: readonly string[];
  readonly scenarios: readonly ScenarioResult[];
  readonly durationMs: number;
}

/** Something that the driver did, with the milliseconds since its turn began. */
export interface Acted {
  readonly tool: string;
  readonly input: string;
  readonly atMs: number;
}

/** A turn that has ended. */
export interface Played {
  readonly result: AgentResult;
  readonly acted: readonly Acted[];
  readonly durationMs: number;
}

/** Thrown by a scenario that the driver does not keep to. */
export class Unmet extends Error {
  override readonly name = 'Unmet';
}

/** Thrown by a scenario that this driver cannot have. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}

export function meets(condition: boolean, because: string): void {
  if (!condition) throw new Unmet(because);
}

export function needs(condition: boolean, because: string): void {
  if (!condition) throw new NotApplicable(because);
}

export const write = (path: string, content: string): ModelCall => ({ op: 'write', path, content });
export const run = (command: string): ModelCall => ({ op: 'run', command });
