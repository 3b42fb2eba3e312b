import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { headAndTail } from '../system/text.ts';
import type { Git } from './git.ts';
import { type Differences, isContent, type State } from './manifest.ts';
import type { Store } from './store.ts';
import { WorkTree } from './work-tree.ts';

const ALWAYS = ['diff-tree', '-r', '--no-color', '--no-ext-diff', '--no-textconv'];

/** `git diff --stat` and the patch, each cut to about `maxChars`. */
export async function describe(store: Store, git: Git, differences: Differences, maxChars: number) {
  const trees = treesOf(store, differences);
  if (!trees) return { stat: '', patch: '' };
  const output = await git.run([...ALWAYS, '-M', '--patch-with-stat', '--stat=100,70,60', ...trees]);
  const at = output.search(/^diff --git /m);
  const stat = (at < 0 ? output : output.slice(0, at)).trimEnd();
  return { stat: headAndTail(stat, maxChars), patch: headAndTail(at < 0 ? '' : output.slice(at), maxChars) };
}

/** Writes a patch that `git apply` takes, whatever bytes it holds. */
export async function writePatch(
  store: Store,
  git: Git,
  differences: Differences,
  file: string,
): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const trees = treesOf(store, differences);
  if (!trees) return await writeFile(file, '');
  await git.run([...ALWAYS, '-p', '--binary', '--full-index', '--no-renames', `--output=${file}`, ...trees]);
}

/** Two trees that hold only what differs; undefined where git would see no difference. */
function treesOf(store: Store, differences: Differences): readonly [string, string] | undefined {
  const before = new WorkTree(store);
  const after = new WorkTree(store);
  for (const [key, difference] of differences) {
    if (isLost(difference.before) || isLost(difference.after)) continue;
    before.set(key, difference.before);
    after.set(key, difference.after);
  }
  const trees = [before.id(), after.id()] as const;
  store.flush();
  return trees[0] === trees[1] ? undefined : trees;
}

/** Bytes that were not kept are in no patch. */
function isLost(state: State | undefined): boolean {
  return isContent(state) && !state.kept;
}
