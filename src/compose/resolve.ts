import { LoopgenError, messageOf, type Place } from '../core/error.ts';
import { type OptionsIssue, readOptions } from '../core/options.ts';
import type { Evaluator, Observer, ObserverFactory, OptionsSchema, TaskType } from '../core/plugin.ts';
import type { Registry } from '../core/registry.ts';
import type { EvaluatorSpec, Spec } from '../core/spec.ts';
import { showPath } from '../spec/issue.ts';
import type { ResolvedDriver } from './ladder.ts';
import type { Registries } from './registries.ts';

/** A spec with its names turned into plug-ins and their options read. */
export interface Resolved {
  readonly driver: ResolvedDriver;
  /** The drivers of `escalate`, in their order. */
  readonly ladder: readonly ResolvedDriver[];
  readonly evaluators: readonly ResolvedEvaluator[];
  readonly task: TaskType;
  readonly observers: readonly Observer[];
  readonly notices: readonly string[];
}

export interface ResolvedEvaluator {
  readonly spec: EvaluatorSpec;
  readonly plugin: Evaluator;
  readonly options: unknown;
}

/** The command lines that a check will run. Throws `LoopgenError` `plugin-failed` where its evaluator cannot say. */
export function commandsOf({ spec, plugin, options }: ResolvedEvaluator): readonly string[] {
  try {
    return plugin.commands?.(options) ?? [];
  } catch (error) {
    throw new LoopgenError('plugin-failed', `evaluator "${spec.uses}" failed: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** Where a key of the spec stands in its file. */
export type Locate = (path: readonly (string | number)[]) => Place | undefined;

/** Throws `LoopgenError` with the place in the file for an unknown name or a wrong option; nothing is spent by then. */
export async function resolvePlugins(
  spec: Spec,
  registries: Registries,
  context: { readonly specDir: string; readonly locate?: Locate | undefined },
): Promise<Resolved> {
  const finder = new Finder(context.locate);
  const notices: string[] = [];
  const driver = await finder.find(registries.drivers, spec.driver, ['driver']);
  const ladder: ResolvedDriver[] = [];
  for (const [index, rung] of spec.escalate.entries())
    ladder.push(await finder.find(registries.drivers, rung.driver, ['escalate', index, 'driver']));
  const evaluators: ResolvedEvaluator[] = [];
  for (const [index, entry] of spec.evaluators.entries()) {
    const found = await finder.find(registries.evaluators, entry, ['evaluators', index]);
    evaluators.push({ spec: entry, ...found });
  }
  const observers: Observer[] = [];
  for (const [index, entry] of spec.observability.observers.entries()) {
    const path = ['observability', 'observers', index];
    const { plugin, options } = await finder.find(registries.observers, entry, path);
    observers.push(created(plugin, options, context.specDir));
  }
  const known = registries.tasks.has(spec.task.type);
  if (!known) notices.push(`task type "${spec.task.type}" is not known; "generic" is used`);
  const task = await registries.tasks.get(known ? spec.task.type : 'generic');
  return { driver, ladder, evaluators, task, observers, notices };
}

/** An observer that cannot even be made is something that is missing: preflight says so, nothing breaks. */
function created(factory: ObserverFactory, options: unknown, specDir: string): Observer {
  try {
    return factory.create(options, { specDir });
  } catch (error) {
    const because = `it cannot be made: ${messageOf(error)}`;
    return { name: factory.type, preflight: async () => [because], onEvent: () => {} };
  }
}

type Entry = { readonly uses: string; readonly options: Readonly<Record<string, unknown>> };

class Finder {
  readonly #locate: Locate | undefined;

  constructor(locate: Locate | undefined) {
    this.#locate = locate;
  }

  async find<T extends { readonly options?: OptionsSchema }>(
    registry: Registry<T>,
    entry: Entry,
    path: readonly (string | number)[],
  ): Promise<{ readonly plugin: T; readonly options: unknown }> {
    const plugin = await this.#get(registry, entry.uses, [...path, 'uses']);
    const read = await this.#read(plugin.options, entry, [...path, 'options']);
    if ('value' in read) return { plugin, options: read.value };
    // A mistyped key makes its right spelling a missing one: the cause comes first.
    const isTypo = (issue: OptionsIssue) => issue.message.includes('did you mean');
    const [first, ...others] = [...read.issues].sort((a, b) => Number(isTypo(b)) - Number(isTypo(a)));
    const where = [...path, 'options', ...(first?.path ?? [])];
    // What the mistyped key stands for is not missing besides.
    const more = others
      .filter(({ path: [key] }) => !first?.message.includes(`did you mean "${key}"`))
      .map((issue) => [showPath(issue.path), issue.message].filter(Boolean).join(': '));
    throw new LoopgenError('bad-options', `${showPath(where)}: ${first?.message ?? 'wrong'}`, {
      ...this.#at(where),
      ...(more.length > 0 && { hint: `also ${more.join('; ')}` }),
    });
  }

  async #get<T>(registry: Registry<T>, name: string, path: readonly (string | number)[]): Promise<T> {
    try {
      return await registry.get(name);
    } catch (error) {
      if (!(error instanceof LoopgenError)) throw this.#broken(`"${name}" cannot be loaded`, error, path);
      throw new LoopgenError(error.code, `${showPath(path)}: ${error.message}`, {
        ...(error.hint !== undefined && { hint: error.hint }),
        ...this.#at(path),
      });
    }
  }

  async #read(schema: OptionsSchema | undefined, entry: Entry, path: readonly (string | number)[]) {
    try {
      return await readOptions(schema, entry.options);
    } catch (error) {
      throw this.#broken(`the schema of "${entry.uses}" failed`, error, path);
    }
  }

  /** A plug-in that fails while it is looked up: nothing is spent yet, so the run does not begin. */
  #broken(what: string, error: unknown, path: readonly (string | number)[]): LoopgenError {
    return new LoopgenError('plugin-failed', `${showPath(path)}: ${what}: ${messageOf(error)}`, {
      cause: error,
      ...this.#at(path),
    });
  }

  #at(path: readonly (string | number)[]): { at?: Place } {
    const at = this.#locate?.(path);
    return at ? { at } : {};
  }
}
