import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { headAndTail, printable } from '../system/text.ts';
import type { Git } from './git.ts';
import { type Differences, isContent, type State } from './manifest.ts';
import type { Store } from './store.ts';
import { WorkTree } from './work-tree.ts';

const DIFF = ['diff-tree', '-r', '-p', '-M', '--stat=100,70,60', '--binary', '--full-index'];
const DEAF = ['--no-color', '--no-ext-diff', '--no-textconv'];
/** Of a patch that is shown, at most this much is read from either end. */
const SHOWN_BYTES = 2 << 20;
/** The list of files before the patch is shorter than this. */
const STAT_BYTES = 64 << 10;
const KEPT = 2;

/** A diff as git wrote it: the list of files, then the patch. */
interface Written {
  /** Open, and without a name: what the workspace holds, secrets too, lies readable nowhere. */
  readonly file: FileHandle;
  /** Where the patch begins. */
  readonly patchAt: number;
  readonly size: number;
}

/** What is compared. */
export interface Comparison {
  readonly differences: Differences;
  /** Trees in the store that differ in just that, where there are such: it saves making some. */
  readonly trees?: readonly [string, string];
}

/** Diffs by git. One process serves both the text that is shown and the patch that is saved. */
export class Patches {
  readonly #store: Store;
  readonly #git: Git;
  readonly #written = new Map<string, Promise<Written>>();
  #count = 0;

  constructor(store: Store, git: Git) {
    this.#store = store;
    this.#git = git;
  }

  /** `git diff --stat` and the patch, each cut to about `maxChars`. */
  async describe(compared: Comparison, maxChars: number): Promise<{ stat: string; patch: string }> {
    const written = await this.#write(compared);
    if (!written) return { stat: '', patch: '' };
    const stat = printable(await readRange(written.file, 0, written.patchAt)).trimEnd();
    const patch = forPeople(await readPatch(written));
    return { stat: headAndTail(stat, maxChars), patch: headAndTail(patch, maxChars) };
  }

  /** Writes a patch that `git apply` takes, whatever bytes it holds. Empty where git sees no difference. */
  async save(compared: Comparison, file: string): Promise<void> {
    await mkdir(dirname(file), { recursive: true });
    const written = await this.#write(compared);
    if (!written || written.patchAt === written.size) return await writeFile(file, '');
    const { file: diff, patchAt } = written;
    await pipeline(diff.createReadStream({ start: patchAt, autoClose: false }), createWriteStream(file));
  }

  /** Lets go of what was kept to save a process. */
  async close(): Promise<void> {
    const all = await Promise.allSettled(this.#written.values());
    this.#written.clear();
    for (const one of all) if (one.status === 'fulfilled') await one.value.file.close();
  }

  async #write(compared: Comparison): Promise<Written | undefined> {
    const trees = this.#treesOf(compared);
    if (!trees) return undefined;
    const name = trees.join(' ');
    const known = this.#written.get(name);
    if (known) return await known;
    const writing = this.#diff(trees);
    this.#written.set(name, writing);
    try {
      const written = await writing;
      await this.#forgetOldest();
      return written;
    } catch (error) {
      this.#written.delete(name);
      throw error;
    }
  }

  /** Trees to compare; undefined where git would see no difference. */
  #treesOf({ differences, trees }: Comparison): readonly [string, string] | undefined {
    const isWhole = ![...differences.values()].some(({ before, after }) => isLost(before) || isLost(after));
    const [before, after] = trees && isWhole ? trees : partsOf(this.#store, differences);
    return before === after ? undefined : [before, after];
  }

  async #diff(trees: readonly [string, string]): Promise<Written> {
    const path = join(this.#store.dir, `diff-${++this.#count}`);
    try {
      await this.#git.run([...DIFF, ...DEAF, `--output=${path}`, ...trees]);
      const file = await open(path);
      return { file, ...(await measure(file)) };
    } finally {
      await rm(path, { force: true });
    }
  }

  async #forgetOldest(): Promise<void> {
    for (const [oldest, writing] of this.#written) {
      if (this.#written.size <= KEPT) break;
      this.#written.delete(oldest);
      await (await writing).file.close();
    }
  }
}

/** Two trees that hold only what differs, without what is not kept. */
function partsOf(store: Store, differences: Differences): readonly [string, string] {
  const before = new WorkTree(store);
  const after = new WorkTree(store);
  for (const [key, difference] of differences) {
    if (isLost(difference.before) || isLost(difference.after)) continue;
    before.set(key, difference.before);
    after.set(key, difference.after);
  }
  const trees = [before.id(), after.id()] as const;
  store.flush();
  return trees;
}

/** Bytes that were not kept are in no patch. */
function isLost(state: State | undefined): boolean {
  return isContent(state) && !state.kept;
}

/** Lines of the list begin with a space, so that the first other line is the patch's. */
async function measure(file: FileHandle): Promise<{ patchAt: number; size: number }> {
  const { size } = await file.stat();
  const head = await readRange(file, 0, Math.min(size, STAT_BYTES));
  const at = head.indexOf('\ndiff --git ');
  return { patchAt: at < 0 ? size : at + 1, size };
}

async function readPatch({ file, patchAt, size }: Written): Promise<string> {
  const length = size - patchAt;
  if (length <= 2 * SHOWN_BYTES) return printable(await readRange(file, patchAt, length));
  const head = printable(await readRange(file, patchAt, SHOWN_BYTES));
  const tail = printable(await readRange(file, size - SHOWN_BYTES, SHOWN_BYTES));
  return `${head}\n… ${length - 2 * SHOWN_BYTES} bytes left out …\n${tail}`;
}

async function readRange(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, at);
  return buffer.subarray(0, bytesRead);
}

/** Without encoded bytes, and with short ids. */
function forPeople(patch: string): string {
  return patch
    .replace(/^GIT binary patch\n(?:(?!diff --git ).*\n?)*/gm, 'Binary files differ\n')
    .replace(/^index ([0-9a-f]{7})[0-9a-f]{33}\.\.([0-9a-f]{7})[0-9a-f]{33}/gm, 'index $1..$2');
}
