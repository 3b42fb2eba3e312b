import { feedbackOf, fenced, renderFeedback } from './feedback.ts';
import type { History } from './history.ts';
import type { TaskType } from './plugin.ts';
import type { Spec } from './spec.ts';

export interface Prompt {
  readonly system: string;
  readonly prompt: string;
}

/** The prompt of the next turn. `fence` is a random token, see `renderFeedback`. Pure. */
export function promptOf(spec: Spec, task: TaskType, history: History, fence: string): Prompt {
  const feedback = feedbackOf(history);
  const { prompts } = spec;
  const first = history.iterations.length === 0;
  const lead = first ? (prompts.initial ?? task.initial(spec)) : (prompts.iteration ?? task.iteration(spec));
  const before = handover(history, fence);
  const parts = [lead, before, feedback ? renderFeedback(feedback, fence) : ''];
  return { system: prompts.system ?? task.system(spec), prompt: parts.filter(Boolean).join('\n\n') };
}

/** What the agent said last, for one that does not remember. */
function handover({ iterations }: History, fence: string): string {
  const summary = iterations.at(-1)?.agent?.summary ?? '';
  return summary === ''
    ? ''
    : `What you said at the end of your last turn:\n${fenced(summary.slice(0, 1_000), fence, 'summary')}`;
}
