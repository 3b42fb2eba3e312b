import { lstatSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Key, placeOf } from './names.ts';

/** One part of a git directory that is compared: a file, or a folder with all that is in it. */
export interface GitPart {
  /** Under `.git/`, as in a plain repository. */
  readonly key: Key;
  readonly place: string | Buffer;
}

const OWN_FILES = ['HEAD', 'config.worktree', 'index'];
const COMMON = ['config', 'hooks', 'info'];
const REFS = ['packed-refs', 'refs'];

/** The index changes whenever somebody looks (`git status`), so it is put back, but never named as a change. */
export const GIT_INDEX: Key = '.git/index';

/**
 * The parts of a workspace's git directory that an agent could use or move: configuration, hooks, HEAD, refs.
 * Where `.git` is a file (a worktree, a submodule), they lie elsewhere, and where is settled once. Refs that a
 * worktree shares with others are left out, but for the branch that it is on.
 */
export class GitState {
  readonly #root: string;
  readonly #elsewhere: readonly GitPart[];

  constructor(root: string) {
    this.#root = root;
    const own = gitDirOf(root);
    this.#elsewhere = own === undefined ? [] : partsOf(own, commonDirOf(own));
  }

  parts(): readonly GitPart[] {
    const root = this.#root;
    const dotGit = lstatSync(join(root, '.git'), { throwIfNoEntry: false });
    const file = dotGit && !dotGit.isDirectory() ? [{ key: '.git', place: placeOf(root, '.git') }] : [];
    if (this.#elsewhere.length > 0) return [...file, ...this.#elsewhere];
    if (!dotGit?.isDirectory()) return file;
    const gitDir = join(root, '.git');
    return partsOf(gitDir, gitDir);
  }

  /** Where a path below `.git/` lies. */
  placeOf(key: Key): string | Buffer {
    const part = this.#elsewhere.find((one) => key === one.key || key.startsWith(`${one.key}/`));
    if (!part) return this.#aboveElsewhere(key) ?? placeOf(this.#root, key);
    return key === part.key ? part.place : placeOf(String(part.place), key.slice(part.key.length + 1));
  }

  /** A folder above a part that lies elsewhere. */
  #aboveElsewhere(key: Key): string | undefined {
    const below = this.#elsewhere.find((one) => key !== '.git' && one.key.startsWith(`${key}/`));
    return below && String(below.place).slice(0, -(below.key.length - key.length));
  }
}

function partsOf(own: string, common: string): GitPart[] {
  const branch = /^ref: (refs\/\S+)/.exec(textOf(join(own, 'HEAD')))?.[1];
  const shared = common === own ? REFS : branch === undefined ? [] : [branch];
  return [
    ...OWN_FILES.map((name) => ({ key: `.git/${name}`, place: join(own, name) })),
    ...[...COMMON, ...shared].map((name) => ({ key: `.git/${name}`, place: join(common, name) })),
  ];
}

/** The folder that a `.git` file names, absolute. Undefined where `.git` is no such file. */
export function gitDirOf(dir: string): string | undefined {
  const named = /^gitdir: (.+?)\s*$/m.exec(textOf(join(dir, '.git')))?.[1];
  return named === undefined ? undefined : resolve(dir, named);
}

/** The git directory that a worktree's own one shares with others; itself where it shares none. */
export function commonDirOf(gitDir: string): string {
  const named = textOf(join(gitDir, 'commondir')).trim();
  return named === '' ? gitDir : resolve(gitDir, named);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Not there, or a folder: it names nothing.
    return '';
  }
}
