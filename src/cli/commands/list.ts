import { createDefaultRegistries } from '../../compose/registries.ts';
import { LoopgenError } from '../../core/error.ts';
import type { PluginInfo } from '../../core/registry.ts';
import { packageFolders } from '../../system/find-package.ts';
import { which } from '../../system/which.ts';
import type { Context, Flags } from '../context.ts';
import { type Listed, renderList } from '../render-list.ts';
import { styleFor } from '../style.ts';

const KINDS = ['drivers', 'evaluators', 'tasks', 'observers'] as const;

/** `loopgen list`: what is registered, and whether it can be used here. Only `list drivers` starts programs, for their versions. */
export async function list(context: Context, kind: string | undefined, flags: Flags): Promise<number> {
  const kinds = kind === undefined ? KINDS : KINDS.filter((known) => known === kind);
  if (kind !== undefined && kinds.length === 0) {
    const { nearest } = await import('../../core/suggest.ts');
    const guess = nearest(kind, KINDS);
    throw new LoopgenError('bad-kind', `"${kind}" is not one of ${KINDS.join(', ')}`, {
      ...(guess && { hint: `did you mean "${guess}"?` }),
    });
  }
  const registries = createDefaultRegistries();
  const found = kinds.flatMap((name) =>
    registries[name].list().map((info) => ({ kind: name, ...info, ...usableHere(info, context) })),
  );
  const listed: readonly Listed[] =
    kind === 'drivers'
      ? await (await import('./list-drivers.ts')).withAgents(found, registries.drivers, context)
      : found;
  context.stdout.write(
    flags['json'] === true
      ? `${JSON.stringify(listed, null, 2)}\n`
      : `${renderList(listed, styleFor(context.stdout, context.env))}\n`,
  );
  return 0;
}

function usableHere(
  { needs, needsPackage }: PluginInfo,
  { env, cwd }: Context,
): Pick<Listed, 'available' | 'notes'> {
  if (needs !== undefined && which(needs, env, cwd) === undefined) {
    return { available: false, notes: [`needs ${needs}, not found on PATH`] };
  }
  if (needsPackage !== undefined && packageFolders(needsPackage, [import.meta.dirname, cwd]).next().done) {
    return { available: false, notes: [`needs the package ${needsPackage}, not installed`] };
  }
  return { available: true };
}
