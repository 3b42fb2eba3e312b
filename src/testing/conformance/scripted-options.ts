import type { ModelCall } from '../model-server/script.ts';
import type { ScenarioBrief } from './scenario.ts';

/** Options with which drivers that need no model do what a scenario asks; `undefined` for all other drivers. */
export function scriptedOptions(driver: string): ((brief: ScenarioBrief) => unknown) | undefined {
  return { mock, command }[driver];
}

function mock({ id, assignments }: ScenarioBrief): unknown {
  // It denies nothing, and has nobody to be denied by.
  if (id === 'tells-a-denied-permission') return undefined;
  if (id === 'tells-a-rate-limit') return { steps: [{ stopReason: 'rate-limited' }] };
  return { steps: assignments.map(({ does }) => ({ files: filesOf(does), ...runOf(does) })) };
}

function filesOf(does: readonly ModelCall[]): Record<string, string> {
  const writes = does.filter((call) => 'op' in call && call.op === 'write');
  return Object.fromEntries(writes.map(({ path, content }) => [path, content]));
}

function runOf(does: readonly ModelCall[]): { readonly run?: string } {
  const command = does.find((call) => 'op' in call && call.op === 'run');
  return command && 'op' in command && command.op === 'run' ? { run: command.command } : {};
}

/** A shell line in place of an agent. It prints no events, and has no model that could be limited. */
function command({ id, assignments, turn }: ScenarioBrief): unknown {
  const cannot = ['tells-a-rate-limit', 'tells-a-denied-permission', 'streams-events-in-order'];
  if (cannot.includes(id)) return undefined;
  const lines = (assignments[turn]?.does ?? []).map(lineOf);
  return { command: ['cat >/dev/null', ...lines].join('\n') };
}

function lineOf(call: ModelCall): string {
  if ('tool' in call) return 'true';
  if (call.op === 'run') return call.command;
  return `printf %s ${quoted(call.content)} > ${quoted(call.path)}`;
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
