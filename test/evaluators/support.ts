import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { EvaluationOutcome, TestStatus } from '../../src/core/check.ts';
import { requireOptions } from '../../src/core/options.ts';
import { builtInEvaluators } from '../../src/evaluators/index.ts';
import { allowedEnvironment, checkEnvironment } from '../../src/system/environment.ts';
import { tempDir } from '../support/temp-dir.ts';

export interface Given {
  readonly files?: Readonly<Record<string, string>>;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Links the project's own `node_modules` into the workspace. */
  readonly nodeModules?: boolean;
  /** Called with the workspace before the check runs. */
  readonly before?: (workdir: string) => Promise<void>;
  /** Called with the workspace after it ran. */
  readonly after?: (workdir: string) => Promise<void>;
}

/** Runs a built-in evaluator in a workspace of its own. */
export async function evaluate(type: string, given: Given): Promise<EvaluationOutcome> {
  await using dir = await tempDir();
  const workdir = join(dir.path, 'work');
  const scratch = join(dir.path, 'scratch');
  await mkdir(workdir);
  await mkdir(scratch);
  for (const [path, text] of Object.entries(given.files ?? {})) await writeInto(workdir, path, text);
  if (given.nodeModules)
    await symlink(join(import.meta.dirname, '../../node_modules'), join(workdir, 'node_modules'));
  await given.before?.(workdir);
  const plugin = await builtInEvaluators.find(({ name }) => name === type)?.load();
  if (!plugin) throw new Error(`no evaluator ${type}`);
  const outcome = await plugin.evaluate({
    name: 'check',
    workdir,
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
