import { messageOf } from '../core/error.ts';
import type { Proposal } from '../core/event.ts';

/** What a reply must hold: the code of one known file, or files by path. */
export type ReplyShape = { readonly type: 'code'; readonly target: string } | { readonly type: 'files' };

/** A reply as read. `note` tells of something odd in a proposal that is taken as it stands. */
export type Reply =
  | { readonly ok: true; readonly proposal: Proposal; readonly note?: string }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads a model's reply. Strict JSON first; one fence around the whole body
 * second; anything else is a problem for the next prompt. Nothing is repaired:
 * strings stay as they are, and keys beside those of the shape are ignored.
 */
export function parseReply(text: string, shape: ReplyShape): Reply {
  const body = text.trim();
  if (body === '') return refuse('the reply was empty');
  const read = readJson(body);
  if ('problem' in read) return refuse(read.problem);
  return readProposal(read.value, shape);
}

/** The JSON schema that a model's output is held to, for servers that can. */
export function schemaOf(shape: ReplyShape): Record<string, unknown> {
  const text = { type: 'string' };
  if (shape.type === 'code') return objectOf({ reasoning: text, code: text });
  return objectOf({
    reasoning: text,
    files: { type: 'array', items: objectOf({ path: text, content: text }) },
  });
}

function objectOf(properties: Record<string, unknown>): Record<string, unknown> {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function refuse(why: string): Reply {
  return { ok: false, problem: `${why}; nothing of the reply was written` };
}

type Json = { readonly value: unknown } | { readonly problem: string };

// Greedy: the fence that closes the body is its last line, whatever the strings inside hold.
const WHOLE_BODY_FENCE = /^```[ \t]*(\S*)[ \t]*\r?\n([\s\S]*)\r?\n[ \t]*```$/;

function readJson(body: string): Json {
  const strict = parse(body);
  if ('value' in strict) return strict;
  const fence = WHOLE_BODY_FENCE.exec(body);
  if (fence) return readFenced(fence[1] ?? '', fence[2] ?? '');
  if (body.startsWith('```'))
    return { problem: 'the reply opens a ``` fence that does not close at its end' };
  const begins = JSON.stringify(body.slice(0, 60));
  return { problem: `the reply is not one JSON object (${strict.problem}); it begins with ${begins}` };
}

function readFenced(language: string, inside: string): Json {
  if (language !== '' && language.toLowerCase() !== 'json') {
    return { problem: `the fence of the reply holds "${language}", not the JSON object that was asked for` };
  }
  const fenced = parse(inside);
  if ('value' in fenced) return fenced;
  return { problem: `the fence of the reply does not hold one JSON object (${fenced.problem})` };
}

function parse(text: string): Json {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

function readProposal(value: unknown, shape: ReplyShape): Reply {
  if (!isObject(value)) return refuse(`the reply is JSON, but ${kindOf(value)} and not an object`);
  const { reasoning } = value;
  if (typeof reasoning !== 'string') return refuse(wrongKey('reasoning', 'a string', reasoning));
  const files = shape.type === 'code' ? readCode(value['code'], shape.target) : readFiles(value['files']);
  if ('problem' in files) return refuse(files.problem);
  const note = noteOn(files.value);
  return { ok: true, proposal: { reasoning, files: files.value }, ...(note !== undefined && { note }) };
}

type Files = { readonly value: Proposal['files'] } | { readonly problem: string };

function readCode(code: unknown, target: string): Files {
  if (typeof code !== 'string') return { problem: wrongKey('code', 'a string', code) };
  if (code.trim() === '') return { problem: '"code" is empty' };
  return { value: [{ path: target, content: code }] };
}

function readFiles(files: unknown): Files {
  if (!Array.isArray(files)) return { problem: wrongKey('files', 'a list of {path, content}', files) };
  if (files.length === 0) return { problem: '"files" is empty' };
  const value: { path: string; content: string }[] = [];
  for (const [index, file] of files.entries()) {
    const { path, content } = isObject(file) ? file : {};
    if (typeof path !== 'string' || path === '') {
      return { problem: wrongKey(`files[${index}].path`, 'a path', path) };
    }
    if (typeof content !== 'string') {
      return { problem: wrongKey(`files[${index}].content`, 'a string', content) };
    }
    if (value.some((other) => other.path === path)) return { problem: `"files" holds ${path} twice` };
    value.push({ path, content });
  }
  return { value };
}

/** Newlines that were escaped twice arrive as the two characters `\n`, and the file is one line. */
function noteOn(files: Proposal['files']): string | undefined {
  const odd = files.filter(({ content }) => !/[\r\n]/.test(content.trim()) && content.includes('\\n'));
  if (odd.length === 0) return undefined;
  const paths = odd
    .map(({ path, content }) => `${path} (first at character ${content.indexOf('\\n') + 1})`)
    .join(', ');
  return (
    `the reply was written as it stands, but a file of it is a single line that holds the two characters \\n: ${paths}. ` +
    'Where a line break was meant, escape it once in the JSON string, not twice'
  );
}

function wrongKey(key: string, wanted: string, found: unknown): string {
  if (found === undefined) return `"${key}" is missing (${wanted})`;
  return `"${key}" must be ${wanted}, but is ${kindOf(found)}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (value === '') return 'an empty string';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
