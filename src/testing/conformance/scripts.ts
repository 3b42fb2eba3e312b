import type { AgentDriver } from '../../core/plugin.ts';
import type { ModelCall, ModelStep, Script } from '../model-server/script.ts';
import type { Assignment } from './scenario.ts';

/** What becomes of the model's answers: as they should, none at all, or a usage limit. */
export type Fate = 'answers' | 'hangs' | 'is-limited';

/** Long enough to tell a driver that passes on what happens from one that tells it all at the end. */
const LAST_DELAY_MS = 1500;

/**
 * What the scripted model says in one turn. The steps are counted from the turn's first request, since a session that
 * is gone on with holds the answers of the turns before.
 */
export function scriptOf(
  { does }: Assignment,
  kind: NonNullable<AgentDriver['kind']>,
  fate: Fate = 'answers',
): Script {
  const steps = fate === 'answers' ? stepsOf(does, kind) : [FATES[fate]];
  let first: number | undefined;
  return ({ answers, tools }) => {
    // A title is asked for without tools, or with one that takes it.
    if (kind === 'agent' && tools.length < 2) return undefined;
    first ??= answers;
    return steps[Math.max(0, answers - first)] ?? steps.at(-1);
  };
}

const FATES: Readonly<Record<Exclude<Fate, 'answers'>, ModelStep>> = {
  hangs: { fault: { kind: 'hang' } },
  'is-limited': { fault: { kind: 'status', status: 429, message: 'rate limit exceeded, try again in 1h' } },
};

function stepsOf(does: readonly ModelCall[], kind: NonNullable<AgentDriver['kind']>): readonly ModelStep[] {
  if (kind === 'one-shot') return [{ text: proposal(does) }];
  const last = { text: 'Done as asked.', ...(does.length > 1 && { delayMs: LAST_DELAY_MS }) };
  return [...does.map((call) => ({ calls: [call] })), last];
}

/** A one-shot model has no tools: its reply holds whole files. */
function proposal(does: readonly ModelCall[]): string {
  const files = does.flatMap((call) =>
    'op' in call && call.op === 'write' ? [{ path: call.path, content: call.content }] : [],
  );
  return JSON.stringify({ reasoning: 'as asked', files });
}
