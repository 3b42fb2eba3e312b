import type { Tool } from './asked.ts';
import { type Fields, fieldsOf, listOf } from './fields.ts';
import type { ModelCall } from './script.ts';
import type { ToolCall } from './wire.ts';

const WRITERS = ['Write', 'write', 'write_file', 'create', 'create_file', 'write_to_file'];
const SHELLS = [
  ...['Bash', 'bash', 'exec_command', 'shell_command', 'shell', 'run_shell_command'],
  ...['run_terminal_command', 'run_terminal_cmd', 'terminal', 'local_shell'],
];
const PATHS = ['file_path', 'filePath', 'path', 'target_file', 'filename'];
const CONTENTS = ['content', 'file_text', 'contents', 'text'];
const COMMANDS = ['command', 'cmd', 'script'];
const PATCHES = ['input', 'patch', 'patchText'];

/** The call in terms of the tools that the agent offers; `undefined` where none of them can do it. */
export function toolCall(call: ModelCall, tools: readonly Tool[]): ToolCall | undefined {
  if ('tool' in call) {
    const tool = tools.find(({ name }) => name === call.tool);
    return { tool: tool ?? { name: call.tool, schema: {}, kind: 'function' }, args: call.args };
  }
  if (call.op === 'run') return shell(call.command, tools);
  const { path, content } = call;
  const byShell = shell(heredoc(path, content), tools);
  if (call.isThere === true && byShell) return byShell;
  return writer(path, content, tools) ?? patch(path, content, tools) ?? byShell;
}

function first(tools: readonly Tool[], names: readonly string[]): Tool | undefined {
  return names.flatMap((name) => tools.find((tool) => tool.name === name) ?? [])[0];
}

/** The name of an argument that the tool's schema knows; the first where it tells nothing. */
function argument(tool: Tool, names: readonly string[]): string {
  const properties = fieldsOf(tool.schema['properties']);
  return names.find((name) => name in properties) ?? names[0] ?? '';
}

/** The arguments, and something for each other one that the tool wants. */
function filled(tool: Tool, args: Fields): Fields {
  const properties = fieldsOf(tool.schema['properties']);
  const missing = listOf(tool.schema['required']).filter((name) => !(String(name) in args));
  const others = missing.map((name) => [String(name), filler(fieldsOf(properties[String(name)])['type'])]);
  return { ...args, ...Object.fromEntries(others) };
}

function filler(type: unknown): unknown {
  if (type === 'number' || type === 'integer') return 30;
  return type === 'boolean' ? false : 'a scripted step';
}

function writer(path: string, content: string, tools: readonly Tool[]): ToolCall | undefined {
  const tool = first(tools, WRITERS);
  if (!tool) return undefined;
  const args = { [argument(tool, PATHS)]: path, [argument(tool, CONTENTS)]: content };
  return { tool, args: filled(tool, args) };
}

function patch(path: string, content: string, tools: readonly Tool[]): ToolCall | undefined {
  const tool = first(tools, ['apply_patch']);
  if (!tool) return undefined;
  const lines = content.replace(/\n$/, '').split('\n');
  const input = [
    ...['*** Begin Patch', `*** Add File: ${path}`, ...lines.map((line) => `+${line}`), '*** End Patch', ''],
  ].join('\n');
  return { tool, args: { [argument(tool, PATCHES)]: input }, input };
}

function shell(command: string, tools: readonly Tool[]): ToolCall | undefined {
  const tool = first(tools, SHELLS);
  if (!tool) return undefined;
  const name = argument(tool, COMMANDS);
  const isList = fieldsOf(fieldsOf(tool.schema['properties'])[name])['type'] === 'array';
  return { tool, args: filled(tool, { [name]: isList ? ['bash', '-lc', command] : command }) };
}

function heredoc(path: string, content: string): string {
  const end = 'END_OF_SCRIPTED_FILE';
  const text = content.endsWith('\n') ? content : `${content}\n`;
  return `cat > '${path}' <<'${end}'\n${text}${end}`;
}
