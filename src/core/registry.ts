import { LoopgenError } from './error.ts';

/** What `loopgen list` shows of a plug-in, known without loading it. */
export interface PluginInfo {
  readonly name: string;
  readonly description: string;
  /** A binary that must be on PATH. */
  readonly needs?: string;
  /** A package that must be installed, since it is no dependency. */
  readonly needsPackage?: string;
}

/** A plug-in that is loaded when it is used, so that the list is quick. */
export interface LazyPlugin<T> extends PluginInfo {
  readonly load: () => Promise<T>;
}

/** Names of the four kinds of plug-in, as they stand in messages. */
export type PluginKind = 'driver' | 'evaluator' | 'task type' | 'observer';

/** Name → plug-in. Registering a name again replaces it. */
export class Registry<T> {
  readonly kind: PluginKind;
  readonly #entries = new Map<string, LazyPlugin<T>>();
  readonly #infoOf: (plugin: T) => PluginInfo;

  constructor(kind: PluginKind, infoOf: (plugin: T) => PluginInfo) {
    this.kind = kind;
    this.#infoOf = infoOf;
  }

  register(plugin: T): this {
    return this.registerLazy({ ...this.#infoOf(plugin), load: async () => plugin });
  }

  registerLazy(entry: LazyPlugin<T>): this {
    this.#entries.set(entry.name, entry);
    return this;
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  list(): readonly PluginInfo[] {
    return [...this.#entries.values()].map(({ load: _, ...info }) => info);
  }

  /** Throws `LoopgenError` `unknown-driver` (or `-evaluator`, …) with the nearest name as hint. */
  async get(name: string): Promise<T> {
    const entry = this.#entries.get(name);
    if (entry) return await entry.load();
    const { nearest } = await import('./suggest.ts');
    const guess = nearest(name, [...this.#entries.keys()]);
    throw new LoopgenError(
      `unknown-${this.kind.replace(' ', '-')}`,
      `"${name}" is not ${/^[aeiou]/.test(this.kind) ? 'an' : 'a'} ${this.kind}`,
      { hint: guess ? `did you mean "${guess}"?  (loopgen list)` : 'loopgen list shows what there is' },
    );
  }
}
