import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { copyFolder, copyInto } from './copy.ts';
import { isFolder } from './paths.ts';

/** Of the git directory itself, and of the one that worktrees share. Everything but objects. */
const OWN = ['HEAD', 'index', 'config.worktree', 'ORIG_HEAD', 'FETCH_HEAD'];
const SHARED = ['config', 'packed-refs', 'refs', 'hooks', 'info', 'shallow', 'description'];
/** Repositories of submodules and of large files: not copied. */
const ELSEWHERE = ['modules', 'lfs', 'annex'];

/**
 * A repository as it was at the start of the run: its refs, index, configuration and hooks are a copy; its objects,
 * whose names say what they hold, are the repository's own.
 */
export class GitAtStart {
  /** Takes the copy. Undefined where there is no repository. `root`: the folder in which `.git` is. */
  static async take(root: string, to: string): Promise<GitAtStart | undefined> {
    const dotGit = join(root, '.git');
    const linked = isFolder(dotGit) ? undefined : namedIn(dotGit, /^gitdir: (.+?)\s*$/m, root);
    const own = linked ?? dotGit;
    if (!isFolder(own)) return undefined;
    const shared = namedIn(join(own, 'commondir'), /^(.+?)\s*$/, own) ?? own;
    if (!existsSync(join(shared, 'objects'))) return undefined;
    mkdirSync(to, { recursive: true });
    const existing = (dir: string, names: readonly string[]) =>
      names.map((name) => join(dir, name)).filter((place) => existsSync(place));
    await copyInto([...existing(own, OWN), ...existing(shared, SHARED)], to);
    // A submodule's says where its files lie, which is not here.
    if (linked !== undefined) withoutWorktree(join(to, 'config'));
    return new GitAtStart(root, to, shared);
  }

  readonly root: string;
  readonly #kept: string;
  readonly #shared: string;

  private constructor(root: string, kept: string, shared: string) {
    this.root = root;
    this.#kept = kept;
    this.#shared = shared;
  }

  get objects(): string {
    return join(this.#shared, 'objects');
  }

  /** Writes it to `dir`. `objectsAt`: where the objects of the repository are seen from there. */
  async write(dir: string, objectsAt: string): Promise<void> {
    await copyFolder(this.#kept, dir);
    const info = join(dir, 'objects/info');
    mkdirSync(info, { recursive: true });
    mkdirSync(join(dir, 'objects/pack'), { recursive: true });
    mkdirSync(join(dir, 'refs'), { recursive: true });
    const more = linesOf(join(this.objects, 'info/alternates')).map((line) => resolve(this.objects, line));
    writeFileSync(join(info, 'alternates'), `${[objectsAt, ...more].join('\n')}\n`);
  }

  /** Folders of the repository that belong into `dir` as they are: name below `dir`, and place. */
  elsewhere(): readonly { readonly name: string; readonly place: string }[] {
    return ELSEWHERE.map((name) => ({ name, place: join(this.#shared, name) })).filter(({ place }) =>
      isFolder(place),
    );
  }
}

function namedIn(file: string, pattern: RegExp, base: string): string | undefined {
  const named = pattern.exec(textOf(file))?.[1];
  return named === undefined ? undefined : resolve(base, named);
}

function withoutWorktree(config: string): void {
  writeFileSync(config, textOf(config).replace(/^\s*worktree\s*=.*\n?/gim, ''));
}

function linesOf(file: string): string[] {
  return textOf(file)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Not there, or a folder: it names nothing.
    return '';
  }
}
