import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { EvaluationOutcome, TestStatus } from '../../src/core/check.ts';
import { requireOptions } from '../../src/core/options.ts';
import type { Call } from '../../src/core/room.ts';
import { builtInEvaluators } from '../../src/evaluators/index.ts';
import { allowedEnvironment, checkEnvironment } from '../../src/system/environment.ts';
import { tempDir } from '../support/temp-dir.ts';
import { TOOLS } from '../support/tools.ts';

export interface Given {
  readonly files?: Readonly<Record<string, string>>;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Links the project's own `node_modules`, or those of the test tools, into the workspace. */
  readonly nodeModules?: boolean | 'tools';
  /** Adds tests that have to fail. */
  readonly canary?: boolean;
  /** Processes see the tree at another path than this process does. */
  readonly seenElsewhere?: boolean;
  /** The tree is bound by bubblewrap over a folder that is empty outside. */
  readonly bound?: boolean;
  /** Called with the workspace before the check runs. */
  readonly before?: (workdir: string) => Promise<void>;
  /** Called with the workspace after it ran. */
  readonly after?: (workdir: string) => Promise<void>;
}

/** Runs a built-in evaluator in a workspace of its own. */
export async function evaluate(type: string, given: Given): Promise<EvaluationOutcome> {
  await using dir = await tempDir();
  const workdir = join(dir.path, 'work');
  const seenAt = given.seenElsewhere || given.bound ? join(dir.path, 'seen') : workdir;
  const scratch = join(dir.path, 'scratch');
  await mkdir(scratch);
  await fill(workdir, given);
  if (given.seenElsewhere) await fill(seenAt, given);
  if (given.bound) await mkdir(seenAt);
  await given.before?.(workdir);
  const plugin = await builtInEvaluators.find(({ name }) => name === type)?.load();
  if (!plugin) throw new Error(`no evaluator ${type}`);
  const outcome = await plugin.evaluate({
    name: 'check',
    workdir,
    seenAt,
    enter: (call) => {
      const inside = entered(call, workdir, seenAt);
      return given.bound ? boundOver(inside, workdir, seenAt) : inside;
    },
    ...(given.canary !== undefined && { canary: given.canary }),
    options: await requireOptions(type, plugin.options, given.options ?? {}),
    env: { ...checkEnvironment(allowedEnvironment(process.env, [])), ...given.env },
    timeoutMs: given.timeoutMs ?? 60_000,
    signal: given.signal ?? new AbortController().signal,
    phase: 'iteration',
    scratch,
    logFile: join(dir.path, 'check.log'),
  });
  await given.after?.(workdir);
  return outcome;
}

async function fill(root: string, given: Given): Promise<void> {
  await mkdir(root);
  for (const [path, text] of Object.entries(given.files ?? {})) await writeInto(root, path, text);
  const own = join(import.meta.dirname, '../../node_modules');
  if (given.nodeModules)
    await symlink(given.nodeModules === 'tools' ? TOOLS : own, join(root, 'node_modules'));
}

/** As a room does it: the folder below the one path comes out below the other. */
function entered(call: Call, workdir: string, seenAt: string): Call {
  const below = relative(workdir, call.cwd);
  if (below.startsWith('..')) throw new Error(`${call.cwd} does not lie in ${workdir}`);
  return { ...call, cwd: join(seenAt, below), env: { ...call.env, ENTERED: '1' } };
}

function boundOver({ command, cwd, env }: Call, workdir: string, seenAt: string): Call {
  const line =
    'shell' in command ? ['bash', '-o', 'pipefail', '-c', command.shell] : [command.file, ...command.args];
  const walls = ['--dev-bind', '/', '/', '--bind', workdir, seenAt, '--unshare-pid', '--proc', '/proc'];
  const args = [...walls, '--die-with-parent', '--cap-drop', 'ALL', '--chdir', cwd, ...line];
  return { command: { file: 'bwrap', args }, cwd: '/', env };
}

export async function writeInto(root: string, path: string, text: string): Promise<void> {
  const file = join(root, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
}

/** `pass`, `fail`, or the cause of being unusable. */
export function verdictOf(outcome: EvaluationOutcome): string {
  if (outcome.ok === false) return outcome.cause ?? 'crash';
  return outcome.passed ? 'pass' : 'fail';
}

/** Id → status. */
export function statusesOf(outcome: EvaluationOutcome): Record<string, TestStatus> {
  return Object.fromEntries((outcome.tests ?? []).map((test) => [test.id, test.status]));
}
