import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';

/** The user's own state folder: locks, the index of runs, and runs that have no other place. */
export function userStateDir(env: Readonly<Record<string, string | undefined>>): string {
  const base = env['XDG_STATE_HOME'];
  return join(base && isAbsolute(base) ? base : join(env['HOME'] ?? homedir(), '.local', 'state'), 'loopgen');
}

/**
 * Where the runs of a spec are kept: as asked for, else `.loopgen/` beside the
 * spec where that lies outside of the workspace (the agent must not reach it), else the user's state folder.
 */
export function stateDirOf(options: {
  readonly asked?: string | undefined;
  readonly specDir?: string | undefined;
  readonly workspace: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}): string {
  if (options.asked !== undefined) return resolve(options.asked);
  if (options.specDir !== undefined && !contains(options.workspace, options.specDir))
    return join(options.specDir, '.loopgen');
  return userStateDir(options.env);
}

/** True when `inner` is `outer` or lies below it, links resolved as far as the paths exist. */
export function contains(outer: string, inner: string): boolean {
  const path = relative(real(outer), real(inner));
  return path === '' || (!path.startsWith('..') && !isAbsolute(path));
}

function real(path: string): string {
  let existing = resolve(path);
  const rest: string[] = [];
  while (!existsSync(existing) && dirname(existing) !== existing) {
    rest.unshift(existing.slice(dirname(existing).length).replace(/^\//, ''));
    existing = dirname(existing);
  }
  return join(realpathSync(existing), ...rest);
}

/** `20261129T194500Z-add-retry-3f9a`: sorts by time, names the spec, unique. */
export function newRunId(name: string, now: Date): string {
  const stamp = now.toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '');
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40);
  return [stamp, slug, randomBytes(2).toString('hex')].filter(Boolean).join('-');
}

/** Makes the folder of one run, with a `.gitignore` in a state folder that lies in somebody's tree. */
export function makeRunDir(stateDir: string, runId: string): string {
  const dir = join(stateDir, 'runs', runId);
  mkdirSync(join(dir, 'logs'), { recursive: true, mode: 0o700 });
  const ignore = join(stateDir, '.gitignore');
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n');
  return dir;
}

/** One line a run, so that all are found wherever they lie. A lost line loses no run. */
export function indexRun(
  userState: string,
  entry: { readonly runId: string; readonly dir: string; readonly spec: string; readonly startedAt: string },
): void {
  mkdirSync(userState, { recursive: true, mode: 0o700 });
  appendFileSync(join(userState, 'runs.jsonl'), `${JSON.stringify(entry)}\n`, { mode: 0o600 });
}
