import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Workspace } from '../../src/core/workspace.ts';
import { type OpenOptions, openWorkspace } from '../../src/workspace/open.ts';
import { tempDir } from '../support/temp-dir.ts';

/** A folder for the user's tree, and one beside it for loopgen's own files. */
export interface Bench extends AsyncDisposable {
  readonly root: string;
  readonly dir: string;
  readonly userState: string;
  open(options?: Partial<OpenOptions>): Promise<Workspace>;
}

let runs = 0;

export async function bench(files: Readonly<Record<string, string>> = {}, sub = 'ws'): Promise<Bench> {
  const temp = await tempDir();
  const dir = join(temp.path, sub);
  const userState = join(temp.path, 'user-state');
  mkdirSync(dir, { recursive: true });
  for (const [path, content] of Object.entries(files)) put(dir, path, content);
  const opened: Workspace[] = [];
  return {
    root: temp.path,
    dir,
    userState,
    async open(options = {}) {
      const runId = `run-${++runs}`;
      const defaults = {
        dir,
        mode: 'in-place',
        userState,
        storeDir: join(temp.path, 'stores', runId),
        runId,
      } as const;
      const workspace = await openWorkspace({ ...defaults, ...options });
      opened.push(workspace);
      return workspace;
    },
    async [Symbol.asyncDispose]() {
      for (const workspace of opened) await workspace.close();
      // Folders without rights cannot be emptied, unless by root.
      execFileSync('chmod', ['-R', 'u+rwX', temp.path]);
      await temp[Symbol.asyncDispose]();
    },
  };
}

export function put(dir: string, path: string, content: string | Buffer): void {
  const file = join(dir, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** Git as a user would have it: with an identity, without the settings of this machine. */
export function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', ['-c', 'protocol.file.allow=always', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: cwd,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@example.com',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@example.com',
    },
  });
}

/** All that a restore promises: types, modes, bytes, link targets. Names byte by byte. */
export function picture(dir: string, without: readonly string[] = []): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (place: Buffer, key: string) => {
    const stats = lstatSync(place);
    const mode = (stats.mode & 0o7777).toString(8);
    if (stats.isSymbolicLink()) found[key] = `link ${readlinkSync(place, { encoding: 'latin1' })}`;
    else if (stats.isFile()) found[key] = `file ${mode} ${readFileSync(place, 'latin1')}`;
    else found[key] = stats.isDirectory() ? `dir ${mode}` : `other ${mode}`;
    if (!stats.isDirectory()) return;
    for (const name of readdirSync(place, { encoding: 'buffer' })) {
      const inner = `${key}/${name.toString('latin1')}`;
      if (!without.includes(inner)) visit(Buffer.concat([place, Buffer.from('/'), name]), inner);
    }
  };
  visit(Buffer.from(dir), '');
  return found;
}

/** Changes in short: `+a.txt ~b.txt -c.txt`, artefacts in brackets. */
export function short(changes: ReturnType<Workspace['changes']>): string {
  const sign = { added: '+', modified: '~', deleted: '-' };
  return changes
    .map(({ path, change, work }) => (work ? sign[change] + path : `(${sign[change]}${path})`))
    .join(' ');
}
