import type { TaskType } from '../core/plugin.ts';
import type { EvaluatorSpec, Spec } from '../core/spec.ts';

/** What one kind of task adds to the prompts that all kinds share. */
export interface TaskDefinition {
  readonly type: string;
  /** Who the agent is: `You are …`, one sentence. */
  readonly role: string;
  /** How to go about this kind of work, one sentence each. */
  readonly guidance: readonly string[];
}

const RULES = [
  'Work only inside the workspace, which is the current folder. Leave everything else on the machine as it is.',
  'Do not edit, move, delete or get round what judges the work: the spec, the checks and the tests that were there before, and their configuration. Such edits are undone.',
  'Solve the task for every input that it speaks of, not only for those that the checks try. Do not detect that a check is running, and do not hard-code what it expects.',
  'The checks decide when the work is done, not what you say about it. They run after your turn; where you can run them yourself, do so before you end it.',
  'Make the smallest change that does the whole task, in the style of the code that is there.',
];

/** Makes a task type of its definition. */
export function defineTask(definition: TaskDefinition): TaskType {
  const { type, role, guidance } = definition;
  return {
    type,
    system: () => [role, '', 'Rules:', ...bullets(RULES)].join('\n'),
    initial: (spec) =>
      sections([
        ['Task', taskText(spec)],
        ['Requirements', spec.requirements.trim()],
        ['Stack', stackText(spec)],
        ['How to go about it', bullets(guidance).join('\n')],
        ['Checks that decide', checksText(spec.evaluators)],
      ]),
    iteration: (spec) =>
      sections([
        ['Task', `${spec.name}: not done yet.`],
        ['Requirements', spec.requirements.trim()],
        [
          'Now',
          'Some checks still fail; what they say follows. Find the cause before you change anything, mend that, and keep green what is green.',
        ],
      ]),
  };
}

/** Sections without text are left out. */
function sections(parts: readonly (readonly [title: string, text: string])[]): string {
  return parts
    .filter(([, text]) => text !== '')
    .map(([title, text]) => `## ${title}\n\n${text}`)
    .join('\n\n');
}

function bullets(lines: readonly string[]): string[] {
  return lines.map((line) => `- ${line}`);
}

function taskText(spec: Spec): string {
  const details = Object.entries(spec.task).filter(([key]) => key !== 'type');
  const lines = [`Name: ${spec.name}`, ...pairs(details)];
  return [lines.join('\n'), spec.description?.trim() ?? ''].filter(Boolean).join('\n\n');
}

function stackText(spec: Spec): string {
  const words: Readonly<Record<string, string>> = { packageManager: 'package manager' };
  return pairs(Object.entries(spec.stack).map(([key, value]) => [words[key] ?? key, value])).join('\n');
}

function pairs(entries: readonly (readonly [string, unknown])[]): string[] {
  return entries
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
}

function checksText(evaluators: readonly EvaluatorSpec[]): string {
  return bullets(evaluators.map(describeCheck)).join('\n');
}

function describeCheck({ name, uses, options }: EvaluatorSpec): string {
  const command = options['command'];
  if (typeof command === 'string') return `${name}: \`${command.trim()}\``;
  return name === uses ? name : `${name} (${uses})`;
}
