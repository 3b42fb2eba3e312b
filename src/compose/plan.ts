import type { GuardRule } from '../core/guard.ts';
import { emptyHistory } from '../core/history.ts';
import { type Prompt, promptOf } from '../core/prompt.ts';
import type { Spec } from '../core/spec.ts';
import { commandsOf, type Resolved } from './resolve.ts';

/** What a run would do, for `run --dry-run`. */
export interface Plan {
  readonly spec: Spec;
  readonly workdir: string;
  readonly stateDir: string;
  readonly firstPrompt: Prompt;
  readonly rules: readonly Pick<GuardRule, 'name' | 'reaction' | 'because' | 'paths'>[];
  readonly commands: readonly { readonly check: string; readonly command: string }[];
  readonly notices: readonly string[];
}

export function planOf(
  spec: Spec,
  resolved: Resolved,
  rules: readonly GuardRule[],
  site: { readonly origin: string; readonly stateDir: string },
): Plan {
  return {
    spec,
    workdir: site.origin,
    stateDir: site.stateDir,
    firstPrompt: promptOf(spec, resolved.task, emptyHistory, 'xxxxxxxxxxxx'),
    rules: rules.map(({ name, reaction, because, paths }) => ({ name, reaction, because, paths })),
    commands: resolved.evaluators.flatMap((evaluator) =>
      commandsOf(evaluator).map((command) => ({ check: evaluator.spec.name, command })),
    ),
    notices: resolved.notices,
  };
}
