import { isContent, type State } from './manifest.ts';
import type { Key } from './names.ts';
import { type TreeItem, treeBody } from './objects.ts';
import type { Store } from './store.ts';

interface Folder {
  readonly files: Map<string, State>;
  readonly folders: Map<string, Folder>;
  /** Id of its tree; undefined once something in it changed. */
  oid: string | undefined;
}

/** Git trees over states, kept from turn to turn: only folders in which something changed are written again. */
export class WorkTree {
  readonly #store: Store;
  readonly #root: Folder = emptyFolder();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Puts a path, or takes it out. Folders, sockets and the like are no part of a git tree. */
  set(key: Key, state: State | undefined): void {
    const names = key.split('/');
    const name = names.pop() ?? '';
    if (isContent(state)) {
      folderAt(this.#root, names).files.set(name, state);
      return;
    }
    remove(this.#root, names, name);
  }

  /** The id of the whole tree; its objects are in the store (after a flush). */
  id(): string {
    return this.#idOf(this.#root);
  }

  #idOf(folder: Folder): string {
    if (folder.oid !== undefined) return folder.oid;
    const items: TreeItem[] = [];
    for (const [name, state] of folder.files) {
      items.push({ name, mode: gitMode(state), oid: this.#blobOf(state) });
    }
    for (const [name, inner] of folder.folders) items.push({ name, mode: '40000', oid: this.#idOf(inner) });
    folder.oid = this.#store.add('tree', treeBody(items));
    return folder.oid;
  }

  /** Bytes that are not kept are stood for by a line that names them, so that git finds every object. */
  #blobOf(state: State): string {
    return state.kept ? state.oid : this.#store.add('blob', Buffer.from(`not kept: ${state.oid}\n`));
  }
}

function gitMode(state: State): TreeItem['mode'] {
  if (state.type === 'link') return '120000';
  return state.mode & 0o100 ? '100755' : '100644';
}

function emptyFolder(): Folder {
  return { files: new Map(), folders: new Map(), oid: undefined };
}

function folderAt(root: Folder, names: readonly string[]): Folder {
  let folder = root;
  folder.oid = undefined;
  for (const name of names) {
    let inner = folder.folders.get(name);
    if (!inner) {
      inner = emptyFolder();
      folder.folders.set(name, inner);
    }
    inner.oid = undefined;
    folder = inner;
  }
  return folder;
}

/** Removes a file, and the folders that are empty without it. */
function remove(folder: Folder, names: readonly string[], name: string): void {
  const [first, ...rest] = names;
  if (first === undefined) {
    if (folder.files.delete(name)) folder.oid = undefined;
    return;
  }
  const inner = folder.folders.get(first);
  if (!inner) return;
  remove(inner, rest, name);
  if (inner.oid === undefined) folder.oid = undefined;
  if (inner.files.size === 0 && inner.folders.size === 0) folder.folders.delete(first);
}
