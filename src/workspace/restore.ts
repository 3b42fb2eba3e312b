import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { LoopgenError, messageOf } from '../core/error.ts';
import { type Difference, type Differences, isContent, type State } from './manifest.ts';
import { ancestorsOf, displayOf, type Key } from './names.ts';
import { lookAt, typeOf } from './read.ts';
import type { Store } from './store.ts';

type Place = string | Buffer;
type PlaceOf = (key: Key) => Place;

/**
 * Makes paths as they are in `after`: bytes, modes, links, folders; what `after` does not have goes. Nothing is
 * written through a link, whether symbolic or hard.
 * Throws `LoopgenError` `cannot-restore` where something cannot be put back: before it touched anything, if the
 * bytes were not kept.
 */
export function putBack(store: Store, placeOf: PlaceOf, differences: Differences): void {
  for (const [key, { before, after }] of differences) {
    if (isContent(after) && !after.kept && needsBytes(before, after)) {
      throw cannot(key, 'its bytes were not kept, since it is too large or could not be read');
    }
  }
  new Restorer(store, placeOf, differences).run();
}

/** Removes added folders above removed paths where nothing is in them any more. */
export function removeEmptied(placeOf: PlaceOf, all: Differences, done: Differences): Key[] {
  const emptied: Key[] = [];
  const removed = [...done].filter(([, { after }]) => after === undefined).map(([key]) => key);
  const above = new Set(removed.flatMap(ancestorsOf));
  for (const key of [...above].sort().reverse()) {
    const folder = all.get(key);
    if (folder?.before?.type !== 'dir' || folder.after !== undefined || done.has(key)) continue;
    try {
      rmdirSync(placeOf(key));
      emptied.push(key);
    } catch {
      // Something is in it, so it stays.
    }
  }
  return emptied;
}

/**
 * The differences that putting back `selected` takes: with folders above that must stand again, and with all
 * that lies in a folder where a file has to be.
 */
export function closureOf(all: Differences, selected: (key: Key) => boolean): Map<Key, Difference> {
  const named = [...all].filter(([key]) => selected(key));
  const found = new Map(named);
  for (const [key] of named.filter(([, { after }]) => after !== undefined)) {
    for (const above of ancestorsOf(key)) {
      const folder = all.get(above);
      if (folder?.after?.type === 'dir') found.set(above, folder);
    }
  }
  const cleared = new Set(named.filter(([, { before }]) => before?.type === 'dir').map(([key]) => key));
  for (const [key, difference] of cleared.size > 0 ? all : []) {
    if (!difference.after && ancestorsOf(key).some((above) => cleared.has(above))) found.set(key, difference);
  }
  return found;
}

function needsBytes(now: State | undefined, then: State): boolean {
  return now?.type !== then.type || now.oid !== then.oid;
}

function cannot(key: Key, why: string): LoopgenError {
  return new LoopgenError('cannot-restore', `${JSON.stringify(displayOf(key))} cannot be put back: ${why}`);
}

class Restorer {
  readonly #store: Store;
  readonly #placeOf: PlaceOf;
  readonly #differences: Differences;
  readonly #keys: readonly Key[];
  /** Folders that were made writable for this, with the mode that they have otherwise. */
  readonly #opened = new Map<Key, number>();
  readonly #checked = new Set<Key>();

  constructor(store: Store, placeOf: PlaceOf, differences: Differences) {
    this.#store = store;
    this.#placeOf = placeOf;
    this.#differences = differences;
    this.#keys = [...differences.keys()].sort();
  }

  run(): void {
    try {
      for (const key of [...this.#keys].reverse()) this.#attempt(key, () => this.#removeWhatIsInTheWay(key));
      for (const key of this.#keys) this.#attempt(key, () => this.#make(key));
      for (const key of this.#keys) this.#verify(key);
    } finally {
      this.#closeFolders();
    }
  }

  #attempt(key: Key, action: () => void): void {
    try {
      action();
    } catch (error) {
      throw error instanceof LoopgenError ? error : cannot(key, messageOf(error));
    }
  }

  #removeWhatIsInTheWay(key: Key): void {
    // A link above leads elsewhere: what is behind it is not the workspace's.
    if (key === '' || !this.#reach(key)) return;
    const then = this.#differences.get(key)?.after;
    const place = this.#placeOf(key);
    const now = lookAt(place);
    if (now === undefined || typeOf(now.mode) === then?.type) return;
    // A new file or link takes the path by a rename.
    if (now.isDirectory()) removeFolder(place);
    else if (then?.type !== 'file' && then?.type !== 'link') unlinkSync(place);
  }

  /** Opens the folders above as far as they are. False where the path cannot exist. */
  #reach(key: Key): boolean {
    for (const above of ['', ...ancestorsOf(key)]) {
      if (above === '.git' && lookAt(this.#placeOf(above))?.isFile()) continue;
      if (!lookAt(this.#placeOf(above))?.isDirectory()) return false;
      this.#openFolder(above, key);
    }
    return true;
  }

  #make(key: Key): void {
    const difference = this.#differences.get(key);
    const then = difference?.after;
    if (!then || then.type === 'other') return;
    this.#openAbove(key);
    const place = this.#placeOf(key);
    if (then.type === 'dir') this.#makeFolder(key, place, then);
    else if (then.type === 'link')
      this.#replace(key, then, (draft) => symlinkSync(this.#store.read(then.oid), draft));
    else if (needsBytes(difference.before, then) || !isFile(place)) this.#writeFile(key, then);
    else chmodSync(place, then.mode);
  }

  #makeFolder(key: Key, place: Place, then: State): void {
    if (lookAt(place) === undefined) {
      mkdirSync(place);
      own(place, then);
    }
    // Its own mode comes last: what is in it has to be written first.
    chmodSync(place, then.mode | 0o700);
    this.#opened.set(key, then.mode);
    this.#checked.add(key);
  }

  #writeFile(key: Key, then: State): void {
    this.#replace(key, then, (draft) => {
      writeFileSync(draft, this.#store.read(then.oid), { flag: 'wx', mode: 0o600 });
      own(draft, then);
      chmodSync(draft, then.mode);
    });
  }

  /** A new file takes the path by a rename, so that other names of the old one keep their bytes. */
  #replace(key: Key, then: State, write: (draft: Place) => void): void {
    const place = this.#placeOf(key);
    const draft = sibling(place, `.loopgen-${randomBytes(6).toString('hex')}.tmp`);
    try {
      write(draft);
      if (then.type === 'link') own(draft, then);
      renameSync(draft, place);
    } catch (error) {
      if (lookAt(draft)) unlinkSync(draft);
      throw error;
    }
  }

  /** Makes sure that the folders above are folders, and that they can be written to. */
  #openAbove(key: Key): void {
    if (key === '') return;
    for (const above of ['', ...ancestorsOf(key)]) this.#openFolder(above, key);
  }

  #openFolder(folder: Key, key: Key): void {
    if (this.#checked.has(folder)) return;
    const place = this.#placeOf(folder);
    if (lookAt(place) === undefined) {
      if (folder === '.git') throw cannot('.git', 'the git directory of the workspace is gone');
      mkdirSync(place);
    }
    const now = lstatSync(place);
    if (!now.isDirectory()) {
      if (folder === '.git' && now.isFile()) return; // a worktree's or a submodule's parts lie elsewhere
      throw cannot(key, `${JSON.stringify(displayOf(folder))} is no folder any more`);
    }
    this.#checked.add(folder);
    if ((now.mode & 0o300) === 0o300) return;
    this.#opened.set(folder, now.mode & 0o7777);
    chmodSync(place, (now.mode & 0o7777) | 0o700);
  }

  #closeFolders(): void {
    for (const key of [...this.#opened.keys()].sort().reverse()) {
      const mode = this.#opened.get(key);
      const place = this.#placeOf(key);
      if (mode !== undefined && lookAt(place)?.isDirectory()) chmodSync(place, mode);
    }
  }

  #verify(key: Key): void {
    const then = this.#differences.get(key)?.after;
    const now = key === '' || this.#reach(key) ? lookAt(this.#placeOf(key)) : undefined;
    if (then?.type === 'other') return;
    const same = then === undefined ? now === undefined : now !== undefined && isAlike(now, then);
    if (!same) throw cannot(key, 'it is not as it was, although that was tried');
  }
}

/** Folders get their modes when all is done. */
function isAlike(now: { readonly mode: number }, then: State): boolean {
  const isFile = then.type === 'file';
  return typeOf(now.mode) === then.type && (!isFile || (now.mode & 0o7777) === then.mode);
}

function sibling(place: Place, name: string): Place {
  const above = place.slice(0, place.lastIndexOf('/') + 1);
  return typeof above === 'string' ? above + name : Buffer.concat([above, Buffer.from(name)]);
}

function isFile(place: Place): boolean {
  return lookAt(place)?.isFile() ?? false;
}

/** Only root can give files away, and only root has to: others own what they write. */
function own(place: Place, { uid, gid }: State): void {
  if (process.getuid?.() === 0) lchownSync(place, uid, gid);
}

/** Removes a folder that the run added, whatever modes it has inside. Follows no link. */
function removeFolder(place: Place): void {
  chmodSync(place, 0o700);
  for (const name of readdirSync(place, { encoding: 'buffer' })) {
    const inner = Buffer.concat([Buffer.from(place), Buffer.from('/'), name]);
    if (lstatSync(inner).isDirectory()) removeFolder(inner);
    else unlinkSync(inner);
  }
  rmdirSync(place);
}
