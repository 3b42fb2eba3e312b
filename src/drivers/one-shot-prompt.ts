import { type Feedback, fenced } from '../core/feedback.ts';
import type { ContextFile } from './context.ts';
import type { ReplyShape } from './reply.ts';

export interface PromptParts {
  /** What to do and what still fails. */
  readonly task: string;
  readonly files: readonly ContextFile[];
  readonly feedback?: Feedback | undefined;
  readonly shape: ReplyShape;
  /** Most characters of the whole prompt. Absent: no limit. */
  readonly maxChars?: number | undefined;
  /** A token that no file can hold: marks where one begins and ends, so that it cannot pose as the prompt's own. */
  readonly fence: string;
}

export interface OneShotPrompt {
  readonly text: string;
  /** How many characters had to be left out to keep to `maxChars`. */
  readonly leftOut: number;
}

/**
 * The prompt of a proposer that answers once: the task, the files, how to go
 * about it, the form of the answer. Where it would be too long, the task text is
 * cut first, down to half of the room; its head, with the requirements and the
 * first failures, stays.
 */
export function oneShotPrompt(parts: PromptParts): OneShotPrompt {
  const ending = [advice(parts.feedback), answerForm(parts.shape)].filter(Boolean).join('\n\n');
  const room = parts.maxChars === undefined ? Infinity : Math.max(0, parts.maxChars - ending.length);
  const whole = lengthOf(parts.files);
  const task = cut(parts.task, Math.max(room - whole, Math.floor(room / 2)));
  const files = cutFiles(parts.files, room - task.length);
  const text = [task, ...files.map((file) => showFile(file, parts.fence)), ending].join('\n\n');
  return { text, leftOut: parts.task.length - task.length + whole - lengthOf(files) };
}

/** After a failed turn: the cause first; after the same failure twice, another shape of solution. */
export function advice(feedback: Feedback | undefined): string {
  if (feedback?.iteration === undefined) return '';
  const cause =
    'Begin "reasoning" with the cause of the first failure above: which part of the last attempt is wrong, and why. Only then write the new version.';
  if (feedback.repeats < 2) return cause;
  return (
    `${cause}\n` +
    `This same failure has now come ${feedback.repeats} times running, so changing details does not help. ` +
    'Throw the last approach away and solve it in another shape: another data structure, another algorithm, or another order of steps. Say in "reasoning" what is different.'
  );
}

function answerForm(shape: ReplyShape): string {
  const rules =
    'Write line breaks inside the strings as \\n, escaped once. No text before or after the object, and no code fences.';
  if (shape.type === 'code') {
    return (
      'Answer with one JSON object: {"reasoning": "…", "code": "…"}.\n' +
      `"code" is the whole new content of ${shape.target}, complete and ready to run. ${rules}`
    );
  }
  return (
    'Answer with one JSON object: {"reasoning": "…", "files": [{"path": "…", "content": "…"}]}.\n' +
    `"files" holds each file that you add or change, once, with its path in the project and its whole new content. ${rules}`
  );
}

function showFile(file: ContextFile, fence: string): string {
  if ('absent' in file) return `The file ${file.path}: ${file.absent}.`;
  return fenced(file.content, fence, `file ${file.path}`) || `The file ${file.path} is empty.`;
}

function lengthOf(files: readonly ContextFile[]): number {
  return files.reduce((sum, file) => sum + ('content' in file ? file.content.length : 0), 0);
}

/** Each file gets its share of the room; what a short file does not need goes to the others. */
function cutFiles(files: readonly ContextFile[], room: number): readonly ContextFile[] {
  if (lengthOf(files) <= room) return files;
  const bySize = files
    .filter((file) => 'content' in file)
    .sort((a, b) => a.content.length - b.content.length);
  const share = new Map<ContextFile, number>();
  let left = Math.max(0, room);
  for (const [index, file] of bySize.entries()) {
    const size = Math.min(file.content.length, Math.floor(left / (bySize.length - index)));
    share.set(file, size);
    left -= size;
  }
  return files.map((file) =>
    'content' in file ? { path: file.path, content: cut(file.content, share.get(file) ?? 0) } : file,
  );
}

const NOTE_ROOM = 90;

/** Three quarters from the head, the rest from the tail, and a line that says what is missing. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const keep = Math.max(0, max - NOTE_ROOM);
  const note = `\n[… ${text.length - keep} characters left out: the prompt would not fit the model …]\n`;
  const head = Math.ceil(keep * 0.75);
  return text.slice(0, head) + note + (keep > head ? text.slice(-(keep - head)) : '');
}
