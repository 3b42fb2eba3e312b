import type { Usage } from '../../core/usage.ts';
import type { ModelServer } from '../model-server/server.ts';
import type { Rig } from './rig.ts';
import { type Assignment, meets, needs, Unmet, write } from './scenario.ts';

/** What one request to the scripted model costs; requests of helpers cost next to nothing. */
const PER_CALL = { inputTokens: 1000, outputTokens: 50 };
/** For helpers that are counted or not. */
const SLACK = 20;

/** What mends it, or says that it cannot be mended. */
const UNKNOWN =
  'in an agent CLI, read() and report() give no "used" note with it; where the agent tells no usage at all, its facts (else the driver) have to say reportsUsage: false';

const TOKENS = ['inputTokens', 'outputTokens'] as const;

interface Counted {
  readonly key: (typeof TOKENS)[number];
  readonly value: number | undefined;
  readonly turn: number;
  readonly model: ModelServer;
}

/** Usage of a turn, which does not grow with the session. */
export async function usageScenario(rig: Rig): Promise<string | undefined> {
  needs(rig.driver.reportsUsage !== false, 'it says itself that it reports none');
  const assignments: readonly Assignment[] = ['one.txt', 'two.txt'].map((path) => ({
    prompt: `Create the file ${path} with the word "done".`,
    does: [write(path, 'done\n')],
  }));
  let sessionId: string | undefined;
  const notes: string[] = [];
  for (const n of assignments.keys()) {
    const { result } = await rig.turn(assignments, n, { sessionId });
    sessionId = result.sessionId ?? sessionId;
    notes.push(...checked(result.usage, n + 1, rig));
  }
  return notes.length > 0 ? [...new Set(notes)].join('; ') : undefined;
}

function checked(usage: Usage | undefined, turn: number, { model }: Rig): readonly string[] {
  const known = Object.entries(usage ?? {}).filter(([, value]) => value !== undefined);
  meets(known.length > 0, `turn ${turn} tells no usage: ${UNKNOWN}`);
  for (const [key, value] of known)
    meets(Number.isFinite(value) && value >= 0, `turn ${turn}: ${key} is ${value}`);
  const notes: string[] = [];
  for (const key of TOKENS) {
    const value = usage?.[key];
    if (!model && value === undefined) notes.push(`${key} is unknown`);
    if (model) isExact({ key, value, turn, model });
  }
  return notes;
}

function isExact({ key, value, turn, model }: Counted): void {
  if (value === undefined) throw new Unmet(`turn ${turn}: ${key} is unknown: ${UNKNOWN}`);
  const calls = model.log.filter(({ step, fault }) => step !== undefined && fault === undefined).length;
  const used = calls * PER_CALL[key];
  meets(
    Math.abs(value - used) <= SLACK,
    `turn ${turn}: ${key} is ${value}, where its ${calls} calls of the model used ${used}`,
  );
}
