// Reporter of `node --test`: writes its events as JSON lines, each with the nonce of this run.
import { realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';

const nonce = process.env.LOOPGEN_NONCE ?? '';
const root = realpathSync(process.env.LOOPGEN_ROOT ?? process.cwd());
// The test files inherit this environment: they are not to find it there.
delete process.env.LOOPGEN_NONCE;
delete process.env.LOOPGEN_ROOT;
if (process.env.LOOPGEN_NODE_OPTIONS !== undefined) {
  process.env.NODE_OPTIONS = process.env.LOOPGEN_NODE_OPTIONS;
  delete process.env.LOOPGEN_NODE_OPTIONS;
}
if (process.env.LOOPGEN_IMPORT !== undefined) {
  const options = process.env.NODE_OPTIONS ?? '';
  process.env.NODE_OPTIONS = `${options} --import=${process.env.LOOPGEN_IMPORT}`.trim();
  delete process.env.LOOPGEN_IMPORT;
}

const KINDS = new Set(['test:dequeue', 'test:start', 'test:pass', 'test:fail', 'test:complete']);
const DETAIL = 20_000;

const cut = (text, limit) =>
  text.length <= limit ? text : `${text.slice(0, limit)}\n... ${text.length - limit} characters left out ...`;

function placeIn(stack, file) {
  const frames = [...stack.matchAll(/(?:file:\/\/)?(\/[^\s():]+):(\d+):\d+/g)]
    .map(([, path, line]) => ({ path: decodeURI(path), line }))
    .filter(({ path }) => !path.includes('/node_modules/'));
  const own =
    frames.find(({ path }) => path.startsWith(`${root}/`)) ?? frames.find(({ path }) => path === file);
  return own && `${relative(root, own.path)}:${own.line}`;
}

function describe(error, file) {
  if (!error) return {};
  // What the test threw is the cause of the runner's own error.
  const thrown = error.cause ?? error;
  const isError = typeof thrown === 'object' && thrown !== null;
  const message = isError ? String(thrown.message ?? '') : String(thrown);
  const stack = isError ? String(thrown.stack ?? message) : message;
  return {
    failure: error.failureType,
    exit: error.exitCode ?? undefined,
    signal: error.signal ?? undefined,
    type: isError ? (thrown.name ?? thrown.constructor?.name) : typeof thrown,
    message: cut(message.trim().split('\n')[0] ?? '', 300),
    detail: cut(stack, DETAIL),
    place: placeIn(stack, file),
  };
}

function lineOf({ type, data }) {
  const { name, nesting, file, details } = data;
  const path = file?.startsWith(`${root}/`) ? relative(root, file) : file;
  // A file as a whole is reported under its own path.
  const whole = nesting === 0 && file !== undefined && resolve(name) === file;
  return {
    e: type.slice('test:'.length),
    name: whole ? path : name,
    nesting,
    file: path,
    whole,
    suite: details?.type === 'suite',
    skip: data.skip !== undefined && data.skip !== false,
    todo: data.todo !== undefined && data.todo !== false,
    ms: details?.duration_ms,
    ...describe(details?.error, file),
  };
}

async function* reporter(source) {
  const line = (fields) => `\n${JSON.stringify({ ...fields, n: nonce })}\n`;
  yield line({ e: 'begin', runner: 'node-test', version: process.version });
  for await (const event of source) {
    if (KINDS.has(event.type)) yield line(lineOf(event));
  }
  yield line({ e: 'end' });
}

// biome-ignore lint/style/noDefaultExport: node takes a reporter as the default export
export default reporter;
