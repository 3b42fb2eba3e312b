import type { Event, Phase } from '../core/event.ts';
import { oneLine } from './text-width.ts';

/** What the run waits for after an event, for the status line; undefined where that stays as it was. */
export function waitingFor(event: Event): string | undefined {
  switch (event.type) {
    case 'run.started':
      return 'looking whether it can run';
    case 'iteration.started':
      return 'agent working';
    case 'agent.finished':
      return 'looking at the changes';
    case 'check.started':
      return `${PHASES[event.phase]} ${oneLine(event.name)}`;
    case 'run.aborted':
      return 'stopping';
    default:
      return undefined;
  }
}

const PHASES: Readonly<Record<Phase, string>> = {
  baseline: 'check',
  iteration: 'check',
  confirm: 'trying the green again: check',
};
