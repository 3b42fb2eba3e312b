import { feedbackOf, fenced, renderFeedback } from './feedback.ts';
import type { History } from './history.ts';
import { ownIterations } from './ladder.ts';
import type { TaskType } from './plugin.ts';
import type { Spec } from './spec.ts';
import { triedBefore } from './tried-before.ts';

export interface Prompt {
  readonly system: string;
  readonly prompt: string;
}

/** The prompt of the next turn. `fence` is a random token, see `renderFeedback`. Pure. */
export function promptOf(spec: Spec, task: TaskType, history: History, fence: string): Prompt {
  const feedback = feedbackOf(history);
  const { prompts } = spec;
  const own = ownIterations(history);
  const first = own.length === 0;
  const lead = first ? (prompts.initial ?? task.initial(spec)) : (prompts.iteration ?? task.iteration(spec));
  const others = sessionOf(spec, history) === undefined ? triedBefore(history, fence) : '';
  const before = lastWords(own.at(-1)?.agent?.summary ?? '', fence);
  const parts = [lead, others, before, feedback ? renderFeedback(feedback, fence) : ''];
  return { system: prompts.system ?? task.system(spec), prompt: parts.filter(Boolean).join('\n\n') };
}

/** The session that the next turn goes on with, if any: never one of another driver's. */
export function sessionOf({ driver, escalate }: Spec, history: History): string | undefined {
  const rung = history.escalations.at(-1)?.rung;
  const inTurn = rung === undefined ? driver : escalate[rung]?.driver;
  if (inTurn?.session !== 'resume') return undefined;
  return ownIterations(history).findLast((it) => it.agent?.sessionId !== undefined)?.agent?.sessionId;
}

/** What the agent said last, for one that does not remember. */
function lastWords(summary: string, fence: string): string {
  return summary === ''
    ? ''
    : `What you said at the end of your last turn:\n${fenced(summary.slice(0, 1_000), fence, 'summary')}`;
}
